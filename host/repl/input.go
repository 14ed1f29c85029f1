package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"

	"roclua/input"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// Lines is a source of lines for a session.
type Lines interface {
	// Next reads a line. It returns io.EOF at the end, and ErrDiscarded when the user discarded the line.
	Next(prompt string) (string, error)
}

// ErrDiscarded is the error of Lines after ctrl-c.
var ErrDiscarded = errors.New("the line was discarded")

// Converse feeds all lines to a session, and returns the records of Session.End. A signal stops the running entry. An
// interactive session continues after an interrupt; any other signal ends the session.
func Converse(s *Session, lines Lines, signals <-chan os.Signal) []*record.Record {
	s.Greet()
	for !s.Ended() {
		line, err := s.await(lines, signals)
		switch {
		case errors.Is(err, ErrDiscarded):
			s.Discard()
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.Stop(err)
		default:
			s.feedInterruptibly(line, signals)
		}
	}
	return s.End()
}

func (s *Session) await(lines Lines, signals <-chan os.Signal) (string, error) {
	type input struct {
		line string
		err  error
	}
	inputs, prompt := make(chan input, 1), s.Prompt()
	go func() {
		line, err := lines.Next(prompt)
		inputs <- input{line, err}
	}()
	for {
		select {
		case in := <-inputs:
			return in.line, in.err
		case signal := <-signals:
			if !s.continuesAfter(signal) {
				return "", context.Canceled
			}
		}
	}
}

// feedInterruptibly evaluates a line until it ends or a signal stops it.
func (s *Session) feedInterruptibly(line string, signals <-chan os.Signal) {
	ctx, cancel := context.WithCancel(context.Background())
	done, watched := make(chan struct{}), make(chan bool)
	go func() {
		ended := false
		for {
			select {
			case signal := <-signals:
				cancel()
				ended = ended || !s.continuesAfter(signal)
			case <-done:
				watched <- ended
				return
			}
		}
	}()
	s.Feed(ctx, line)
	close(done)
	if <-watched {
		s.Stop(context.Canceled)
	}
	cancel()
}

func (s *Session) continuesAfter(signal os.Signal) bool {
	return s.Interactive && signal == os.Interrupt
}

// plain reads lines without an editor.
type plain struct{ r *bufio.Reader }

// Plain reads lines from a pipe or a file, without a prompt.
func Plain(r io.Reader) Lines { return plain{bufio.NewReader(r)} }

func (p plain) Next(string) (string, error) {
	line, err := p.r.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

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
