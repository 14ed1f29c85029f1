// Package watch reports which files change. It watches folders and not files, because editors replace a file by a new
// one.
package watch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Changes are the changes since the last ones were received.
type Changes struct {
	Paths []string // files and folders that were written, created, renamed or removed; sorted
	Lost  bool     // the system dropped events: any file may have changed
}

// Watcher watches folders. It keeps changes until they are received.
type Watcher struct {
	system  *fsnotify.Watcher
	changes chan Changes
	closing chan struct{}
	stopped sync.WaitGroup
}

// Changes come in bursts. They are sent when nothing has changed for Quiet, or when a burst has lasted for longest.
const (
	Quiet   = 100 * time.Millisecond
	longest = time.Second
)

// New returns a watcher of no folders.
func New() (*Watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch files: %w", advise(err))
	}
	w := &Watcher{system: system, changes: make(chan Changes), closing: make(chan struct{})}
	w.stopped.Go(w.collect)
	return w, nil
}

// Changes returns the channel of changes.
func (w *Watcher) Changes() <-chan Changes { return w.changes }

// Close stops watching.
func (w *Watcher) Close() error {
	close(w.closing)
	w.stopped.Wait()
	return w.system.Close()
}

// Watch replaces the set of watched folders. A folder that disappeared and came back is watched again. It returns the
// folders that were not watched before.
func (w *Watcher) Watch(folders []string) (added []string, err error) {
	wanted := map[string]bool{}
	for _, f := range folders {
		wanted[f] = true
	}
	for _, f := range w.system.WatchList() {
		if !wanted[f] {
			w.system.Remove(f) // it may no longer exist
		}
		delete(wanted, f)
	}
	for _, f := range slices.Sorted(maps.Keys(wanted)) {
		err := w.system.Add(f)
		switch {
		case errors.Is(err, os.ErrNotExist): // removed since it was found
		case err != nil:
			return added, fmt.Errorf("cannot watch the folder %s: %w", f, advise(err))
		default:
			added = append(added, f)
		}
	}
	return added, nil
}

// advise adds advice about the limits of the system on watching.
func advise(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w (Linux: raise fs.inotify.max_user_watches)", err)
	case errors.Is(err, syscall.EMFILE):
		return fmt.Errorf("%w (Linux: raise fs.inotify.max_user_instances, or ulimit -n)", err)
	}
	return err
}

// collect gathers changes until they are received.
func (w *Watcher) collect() {
	var (
		paths = map[string]bool{}
		lost  bool
		began time.Time // of the burst
		calm  = time.NewTimer(0)
		ready chan Changes // nil until there are changes to send
		next  Changes
	)
	<-calm.C
	defer calm.Stop()
	note := func() {
		if ready != nil || began.IsZero() {
			began, ready = time.Now(), nil
		}
		calm.Reset(max(0, min(Quiet, longest-time.Since(began))))
	}
	for {
		select {
		case e := <-w.system.Events:
			if e.Op != fsnotify.Chmod {
				paths[filepath.Clean(e.Name)] = true
				note()
			}
		case <-w.system.Errors: // supported systems report only an overflow here
			lost = true
			note()
		case <-calm.C:
			next, ready = Changes{Paths: slices.Sorted(maps.Keys(paths)), Lost: lost}, w.changes
		case ready <- next:
			paths, lost, began, ready = map[string]bool{}, false, time.Time{}, nil
		case <-w.closing:
			return
		}
	}
}
