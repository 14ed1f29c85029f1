// Package watch tells which files change. It watches folders and not files, since editors put a new file in the place of
// the old one.
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

// Changes are what happened since the last ones.
type Changes struct {
	Paths []string // files and folders that were written, made, renamed or removed; sorted
	Lost  bool     // there was more than the system could keep: anything may have changed
}

// Watcher watches folders. What changes while nobody asks is kept.
type Watcher struct {
	system  *fsnotify.Watcher
	changes chan Changes
	closing chan struct{}
	stopped sync.WaitGroup
}

// Changes come in bursts: they are told when nothing has changed for a while, or when a burst does not end.
const (
	Quiet   = 100 * time.Millisecond
	longest = time.Second
)

// New watches nothing yet.
func New() (*Watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch files: %w", advise(err))
	}
	w := &Watcher{system: system, changes: make(chan Changes), closing: make(chan struct{})}
	w.stopped.Go(w.collect)
	return w, nil
}

// Changes is where changes are told.
func (w *Watcher) Changes() <-chan Changes { return w.changes }

// Close ends the watching and waits for its end.
func (w *Watcher) Close() error {
	close(w.closing)
	w.stopped.Wait()
	return w.system.Close()
}

// Watch makes the folders those that are watched, and no others. One that disappeared and came back is watched anew. It
// returns those that were not watched before.
func (w *Watcher) Watch(folders []string) (added []string, err error) {
	wanted := map[string]bool{}
	for _, f := range folders {
		wanted[f] = true
	}
	for _, f := range w.system.WatchList() {
		if !wanted[f] {
			w.system.Remove(f) // it may be gone by itself
		}
		delete(wanted, f)
	}
	for _, f := range slices.Sorted(maps.Keys(wanted)) {
		err := w.system.Add(f)
		switch {
		case errors.Is(err, os.ErrNotExist): // gone since it was found
		case err != nil:
			return added, fmt.Errorf("cannot watch the folder %s: %w", f, advise(err))
		default:
			added = append(added, f)
		}
	}
	return added, nil
}

// advise says what to do about the limits that systems put on watching.
func advise(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w (Linux: raise fs.inotify.max_user_watches)", err)
	case errors.Is(err, syscall.EMFILE):
		return fmt.Errorf("%w (Linux: raise fs.inotify.max_user_instances, or ulimit -n)", err)
	}
	return err
}

// collect gathers changes until they are asked for.
func (w *Watcher) collect() {
	var (
		paths = map[string]bool{}
		lost  bool
		began time.Time // of the burst
		calm  = time.NewTimer(0)
		told  chan Changes // nil until there is something to tell
		next  Changes
	)
	<-calm.C
	defer calm.Stop()
	note := func() {
		if told != nil || began.IsZero() {
			began, told = time.Now(), nil
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
		case <-w.system.Errors: // only an overflow is told here by the systems that we know
			lost = true
			note()
		case <-calm.C:
			next, told = Changes{Paths: slices.Sorted(maps.Keys(paths)), Lost: lost}, w.changes
		case told <- next:
			paths, lost, began, told = map[string]bool{}, false, time.Time{}, nil
		case <-w.closing:
			return
		}
	}
}
