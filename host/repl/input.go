package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

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

// await waits for a line or a signal.
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

// continuesAfter reports whether the session continues after a signal.
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
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line, err
}
