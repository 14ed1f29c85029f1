package input

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var small = Kind{"note", 8}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFile(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct{ path, want, problem string }{
		{write(t, filepath.Join(folder, "fits"), "12345678"), "12345678", ""},
		{write(t, filepath.Join(folder, "empty"), ""), "", ""},
		{write(t, filepath.Join(folder, "large"), "123456789"), "", "large: a note may have at most 8 bytes"},
		{folder, "", "it is a directory, want a regular file"},
		{filepath.Join(folder, "missing"), "", "no such file"},
	} {
		text, err := File(test.path, small)
		if test.problem == "" && (err != nil || string(text) != test.want) ||
			test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%s: %q, %v; want %q, %q", test.path, text, err, test.want, test.problem)
		}
	}
}

// TestReaderGrows reads a file that grows while it is read.
func TestReaderGrows(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "grows"), "1234")
	r, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	write(t, path, "123456789")
	var large *TooLargeError
	if _, err := r.all(); !errors.As(err, &large) {
		t.Errorf("got %v", err)
	}
}

func TestInFolder(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(inside, "file"), "text")
	for name, target := range map[string]string{"out": filepath.Join(outside, "secret"), "in": "file"} {
		if err := os.Symlink(target, filepath.Join(inside, name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if text, err := InFolder(root, "in", small); err != nil || string(text) != "text" {
		t.Errorf("a link in the folder: %q, %v", text, err)
	}
	for _, name := range []string{"out", "../secret", "."} {
		if text, err := InFolder(root, name, small); err == nil {
			t.Errorf("%s: read %q", name, text)
		}
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestStream(t *testing.T) {
	ctx := t.Context()
	if text, err := Stream(ctx, strings.NewReader("12345678"), "it", small); err != nil || string(text) != "12345678" {
		t.Errorf("%q, %v", text, err)
	}
	for want, r := range map[string]io.Reader{
		"it: a note may have at most 8 bytes": endless{}, "cannot read it: broken": failing{},
	} {
		if _, err := Stream(ctx, r, "it", small); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestStreamIsCanceled cancels a blocked read.
func TestStreamIsCanceled(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Stream(ctx, r, "it", small); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
