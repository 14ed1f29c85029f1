package watch_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"roclua/host/watch"
)

func put(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start watches folders for the length of a test.
func start(t *testing.T, folders ...string) *watch.Watcher {
	t.Helper()
	w, err := watch.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	watchFolders(t, w, folders, folders...)
	return w
}

func watchFolders(t *testing.T, w *watch.Watcher, added []string, folders ...string) {
	t.Helper()
	have, err := w.Watch(folders)
	if err != nil || !slices.Equal(have, added) {
		t.Fatalf("watching %q added %q (%v), want %q", folders, have, err, added)
	}
}

func expect(t *testing.T, w *watch.Watcher, paths ...string) {
	t.Helper()
	select {
	case c := <-w.Changes():
		if c.Lost || !slices.Equal(c.Paths, paths) {
			t.Fatalf("got %+v, want %q", c, paths)
		}
	case <-time.After(time.Minute):
		t.Fatalf("got no changes, want %q", paths)
	}
}

// folder is a temporary folder by its real name.
func folder(t *testing.T) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBurstIsReportedOnce(t *testing.T) {
	dir := folder(t)
	w := start(t, dir)
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	put(t, b)
	put(t, a)
	put(t, b)
	expect(t, w, a, b)
	put(t, c)
	time.Sleep(2 * watch.Quiet) // ready, but not received
	if err := os.Rename(a, filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * watch.Quiet)
	expect(t, w, a, b, c, filepath.Join(dir, "d"))
}

func TestEndlessBurstIsReported(t *testing.T) {
	dir := folder(t)
	w := start(t, dir)
	path := filepath.Join(dir, "log")
	ticks := time.NewTicker(watch.Quiet / 4)
	defer ticks.Stop()
	for late := time.After(time.Minute); ; {
		select {
		case c := <-w.Changes():
			if !slices.Equal(c.Paths, []string{path}) {
				t.Errorf("got %+v", c)
			}
			return
		case <-ticks.C:
			put(t, path)
		case <-late:
			t.Fatal("no changes are reported during an endless burst")
		}
	}
}

func TestAttributesAreNoChange(t *testing.T) {
	dir := folder(t)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	put(t, a)
	w := start(t, dir)
	if err := os.Chmod(a, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, b)
	expect(t, w, b)
}

func TestFoldersComeAndGo(t *testing.T) {
	dir := folder(t)
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	for _, f := range []string{one, two} {
		if err := os.Mkdir(f, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w := start(t, dir, one)
	watchFolders(t, w, nil, one, dir)
	watchFolders(t, w, []string{two}, two, dir, filepath.Join(dir, "missing"))
	put(t, filepath.Join(one, "unseen"))
	put(t, filepath.Join(two, "seen"))
	expect(t, w, filepath.Join(two, "seen"))
	if err := os.RemoveAll(two); err != nil {
		t.Fatal(err)
	}
	expect(t, w, two, filepath.Join(two, "seen"))
	if err := os.Mkdir(two, 0o700); err != nil {
		t.Fatal(err)
	}
	expect(t, w, two)
	watchFolders(t, w, []string{two}, two, dir)
	put(t, filepath.Join(two, "again"))
	expect(t, w, filepath.Join(two, "again"))
}
