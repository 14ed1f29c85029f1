package host

import (
	"bytes"
	"strings"
	"sync"
	"time"
)

// screen keeps the text that a program writes.
type screen struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// world returns an environment that writes to a screen, with the clock of the bubble that a test runs in.
func world(s *screen, variables map[string]string) Env {
	return Env{Stdin: strings.NewReader(""), Stdout: s, Stderr: s,
		Getenv: func(name string) string { return variables[name] }, Now: time.Now, CPUs: 2,
		StderrIsTerminal: true, StderrWidth: func() int { return 120 }}
}
