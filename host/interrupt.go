package host

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"roclua/host/exit"
)

// untilInterrupted returns a context that the first SIGINT or SIGTERM cancels, so that the running cases are torn
// down and reported. The second signal ends the program at once.
func untilInterrupted() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, stopped := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
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

// endAtOnce restores the default handling of SIGINT and SIGTERM, for a command without teardown.
func endAtOnce() { signal.Reset(os.Interrupt, syscall.SIGTERM) }
