package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"roclua/internal/escape"
)

// stream is standard output or standard error. It keeps the first error, which a command may not have checked.
type stream struct {
	io.Writer

	mu       sync.Mutex
	err      error
	closed   bool // its reader has ended
	survives bool // the program continues without the reader
}

// Write writes, or discards what a reader that has ended cannot read.
func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return len(b), nil
	}
	n, err := s.Writer.Write(b)
	if s.err == nil {
		s.err = err
	}
	if s.survives && errors.Is(err, syscall.EPIPE) {
		s.closed = true
		return len(b), nil
	}
	return n, err
}

// failed returns the first error of writing.
func (s *stream) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// file returns the open file that the stream writes, nil if it writes none.
func (s *stream) file() *os.File {
	f, _ := s.Writer.(*os.File)
	return f
}

// watchStreams wraps standard output and standard error.
func (e *Env) watchStreams() {
	e.stdout, e.stderr = &stream{Writer: e.Stdout}, &stream{Writer: e.Stderr}
	e.Stdout, e.Stderr = e.stdout, e.stderr
}

// guardStreams stops GitHub Actions interpreting output as commands.
func (e *Env) guardStreams() {
	if e.Getenv != nil && e.Getenv("GITHUB_ACTIONS") == "true" {
		e.Stdout, e.Stderr = escape.Workflow(e.Stdout), escape.Workflow(e.Stderr)
	}
}

// escaped returns standard output for what scripts and files contain, in text or in JSON. It must be flushed.
func (e Env) escaped(isJSON bool) *escape.Writer {
	if isJSON {
		return escape.JSON(e.Stdout)
	}
	return escape.Plain(e.Stdout)
}

// say writes a message to standard output. The paths in it can have any character.
func (e Env) say(format string, args ...any) error {
	_, err := io.WriteString(e.Stdout, escape.Text(fmt.Sprintf(format, args...)))
	return err
}

// surviveClosedStreams makes the program continue when the reader of standard output or standard error ends, as head
// does: there are other outputs. The exit code says that standard output is not complete. Without it the signal SIGPIPE
// ends the program.
func (e *Env) surviveClosedStreams() {
	ignorePipeSignal()
	for _, s := range []*stream{e.stdout, e.stderr} {
		s.mu.Lock()
		s.survives = true
		s.mu.Unlock()
	}
}
