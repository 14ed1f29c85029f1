package repl

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/peterh/liner"

	"roclua/input"
	"roclua/internal/atomicfile"
)

// Editor reads lines from a terminal, with a history and completion.
type Editor struct {
	state   *liner.State
	history string // file; "" for none
}

// NewEditor takes over the terminal until Close. history is the file for entered lines; "" keeps no history.
func NewEditor(s *Session, history string) *Editor {
	e := &Editor{liner.NewLiner(), history}
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetWordCompleter(func(line string, pos int) (head string, found []string, tail string) {
		runes := []rune(line)
		head, found = s.Complete(string(runes[:pos]))
		return head, found, string(runes[pos:])
	})
	if f, err := input.Open(history, input.Lines); err == nil {
		e.state.ReadHistory(f)
		f.Close()
	}
	return e
}

// Next reads a line and adds it to the history.
func (e *Editor) Next(prompt string) (string, error) {
	line, err := e.state.Prompt(prompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", ErrDiscarded
	case err == io.EOF:
		os.Stdout.WriteString("\n") // the shell's prompt starts on a new line
	case err == nil && line != "":
		e.state.AppendHistory(line)
	}
	return line, err
}

// Close restores the terminal and writes the history. Failing to write it is not an error.
func (e *Editor) Close() {
	e.state.Close()
	if e.history == "" || os.MkdirAll(filepath.Dir(e.history), 0o755) != nil {
		return
	}
	if f, err := os.OpenFile(e.history, os.O_CREATE|os.O_WRONLY, 0o600); err == nil { // Replace keeps the permissions
		f.Close()
	}
	atomicfile.Replace(atomicfile.OS, e.history, func(w io.Writer) error {
		_, err := e.state.WriteHistory(w)
		return err
	})
}
