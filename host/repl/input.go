package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"roclua/luabind"
)

// Lines is where the lines of a session come from.
type Lines interface {
	// Next reads a line. io.EOF is the end, ErrDropped a line that the user gave up.
	Next(prompt string) (string, error)
}

// ErrDropped is the answer of Lines to ctrl-c.
var ErrDropped = errors.New("the line was dropped")

// Converse feeds a session lines until there are no more, and returns what came of it. A signal stops the entry that runs:
// an interrupt leaves an interactive session going, everything else ends it.
func Converse(s *Session, lines Lines, signals <-chan os.Signal) []*luabind.Record {
	s.Greet()
	for !s.Left() {
		line, err := s.await(lines, signals)
		switch {
		case errors.Is(err, ErrDropped):
			s.Drop()
		case err == io.EOF:
			s.left = true
		case err != nil:
			s.Stop(err)
		default:
			s.attend(line, signals)
		}
	}
	return s.End()
}

// await waits for a line or a signal.
func (s *Session) await(lines Lines, signals <-chan os.Signal) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers, prompt := make(chan answer, 1), s.Prompt()
	go func() {
		line, err := lines.Next(prompt)
		answers <- answer{line, err}
	}()
	for {
		select {
		case a := <-answers:
			return a.line, a.err
		case signal := <-signals:
			if !s.survives(signal) {
				return "", context.Canceled
			}
		}
	}
}

// attend evaluates a line, which a signal stops.
func (s *Session) attend(line string, signals <-chan os.Signal) {
	ctx, cancel := context.WithCancel(context.Background())
	done, watched := make(chan struct{}), make(chan bool)
	go func() {
		ended := false
		for {
			select {
			case signal := <-signals:
				cancel()
				ended = ended || !s.survives(signal)
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

func (s *Session) survives(signal os.Signal) bool { return s.Interactive && signal == os.Interrupt }

// plain reads lines without an editor.
type plain struct{ r *bufio.Reader }

// Plain reads lines from a pipe or a file, and asks for none.
func Plain(r io.Reader) Lines { return plain{bufio.NewReader(r)} }

func (p plain) Next(string) (string, error) {
	line, err := p.r.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line, err
}
