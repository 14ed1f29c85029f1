package host

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"roclua/host/exit"
)

// errInterrupted is the cause of a context that a signal canceled.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// untilInterrupted returns a context that the first SIGINT, SIGTERM or SIGHUP cancels, so that the running cases are
// torn down and reported. The second signal ends the program at once. atOnce restores the default handling of these
// signals, for a command without teardown.
func untilInterrupted() (ctx context.Context, atOnce, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
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
			cancel(errInterrupted)
		}
	}()
	// signal.Reset would lose a signal that has come and is not yet in the channel.
	atOnce = func() {
		signal.Stop(signals)
		context.AfterFunc(ctx, func() {
			if context.Cause(ctx) == errInterrupted {
				os.Exit(int(exit.Interrupted))
			}
		})
	}
	return ctx, atOnce, func() {
		signal.Stop(signals)
		close(stopped)
		cancel(nil)
	}
}
