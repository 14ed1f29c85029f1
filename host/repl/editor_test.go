package repl

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/peterh/liner"
)

// edit runs an editor on a pipe and returns the lines that it reads.
func edit(t *testing.T, history, input string) []string {
	t.Helper()
	if _, err := liner.TerminalMode(); err == nil {
		t.Skip("standard input is a terminal")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	stdin, stdout := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = r, output
	defer func() {
		os.Stdin, os.Stdout = stdin, stdout
		r.Close()
		output.Close()
	}()
	if _, err := io.WriteString(w, input); err != nil {
		t.Fatal(err)
	}
	w.Close()
	e := NewEditor(nil, history)
	defer e.Close()
	var lines []string
	for {
		line, err := e.Next("")
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		lines = append(lines, line)
	}
	if text, err := os.ReadFile(output.Name()); err != nil || string(text) != "\n" {
		t.Errorf("at the end it wrote %q, %v", text, err)
	}
	return lines
}

// TestHistory keeps the lines of sessions in a file readable only by the user.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "history")
	for _, test := range []struct {
		input, history string
		lines          int
	}{{"x = 1\n\nx\n", "x = 1\nx\n", 3}, {"y\n", "x = 1\nx\ny\n", 1}, {"", "x = 1\nx\ny\n", 0}} {
		if lines := edit(t, path, test.input); len(lines) != test.lines {
			t.Errorf("%q: the lines are %q", test.input, lines)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != test.history {
			t.Errorf("%q: the history is %q, %v, want %q", test.input, text, err, test.history)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestNoHistory enters lines without a history, or with one that cannot be written.
func TestNoHistory(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "file", "text")
	for _, path := range []string{"", filepath.Join("file", "history")} {
		if lines := edit(t, path, "x = 1\n"); len(lines) != 1 || lines[0] != "x = 1" {
			t.Errorf("%q: the lines are %q", path, lines)
		}
	}
	names, err := filepath.Glob("*")
	if err != nil || len(names) != 1 {
		t.Errorf("the files are %q, %v", names, err)
	}
}
