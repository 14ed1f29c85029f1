package watch

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// burst is a watcher in a bubble, whose clock it uses, with events that the test sends.
type burst struct {
	t *testing.T
	w *Watcher
}

// inBubble calls f with a watcher.
func inBubble(t *testing.T, f func(b burst)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		system := &fsnotify.Watcher{Events: make(chan fsnotify.Event), Errors: make(chan error)}
		w := &Watcher{system: system, changes: make(chan Changes), closing: make(chan struct{})}
		w.stopped.Go(w.collect)
		f(burst{t, w})
		close(w.closing)
		w.stopped.Wait()
	})
}

// write reports changes of files after a while.
func (b burst) write(after time.Duration, paths ...string) {
	time.Sleep(after)
	for _, path := range paths {
		b.w.system.Events <- fsnotify.Event{Name: path, Op: fsnotify.Write}
	}
	synctest.Wait()
}

// expect receives changes, and compares how long that took.
func (b burst) expect(after time.Duration, lost bool, paths ...string) {
	b.t.Helper()
	began := time.Now()
	c := <-b.w.Changes()
	if waited := time.Since(began); waited != after || c.Lost != lost || !slices.Equal(c.Paths, paths) {
		b.t.Errorf("after %s got %+v, want %q after %s", waited, c, paths, after)
	}
}

// TestCalm reports a burst when nothing has changed for a while, but an endless one before that.
func TestCalm(t *testing.T) {
	inBubble(t, func(b burst) {
		b.write(0, "b", "a/../a")
		b.write(Quiet-1, "b")
		b.expect(Quiet, false, "a", "b")
		b.write(0, "c")
		b.expect(Quiet, false, "c")
		b.write(time.Hour, "d")
		for range 12 {
			b.write(75*time.Millisecond, "d") // 900 ms
		}
		b.expect(longest-900*time.Millisecond, false, "d")
		b.write(0, "e")
		b.expect(Quiet, false, "e")
	})
}

// TestSlowReceiver adds changes to those that are not received yet. They are a new burst.
func TestSlowReceiver(t *testing.T) {
	inBubble(t, func(b burst) {
		b.write(0, "a")
		b.write(5*longest, "b")
		b.expect(Quiet, false, "a", "b")
		b.write(0, "c")
		b.write(5*longest, "d")
		b.write(Quiet/2, "e")
		time.Sleep(2 * Quiet)
		b.expect(0, false, "c", "d", "e")
	})
}

// TestOverflow reports that the system dropped events, once.
func TestOverflow(t *testing.T) {
	inBubble(t, func(b burst) {
		b.w.system.Errors <- fsnotify.ErrEventOverflow
		b.expect(Quiet, true)
		b.write(0, "a")
		b.expect(Quiet, false, "a")
		b.w.system.Events <- fsnotify.Event{Name: "b", Op: fsnotify.Chmod}
		b.write(time.Hour, "a")
		b.expect(Quiet, false, "a")
	})
}
