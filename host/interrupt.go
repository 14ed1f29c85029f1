package host

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"roclua/host/exit"
)

// untilInterrupted returns a context that the first SIGINT, SIGTERM or SIGHUP cancels, so that the running cases are
// torn down and reported. The second signal ends the program at once.
func untilInterrupted() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, stopped := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, endings()...)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-stopped:
				return
			}
			if ctx.Err() != nil {
				os.Exit(int(exit.Interrupted))
			}
			cancel()
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(stopped)
		cancel()
	}
}

// endings lists the signals that end a run. SIGHUP, which the end of a terminal sends, is ignored under nohup.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// endAtOnce restores the default handling of these signals, for a command without teardown.
func endAtOnce() { signal.Reset(endings()...) }
