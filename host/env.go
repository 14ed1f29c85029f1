package host

import (
	"io"
	"os"
	"runtime"
	"time"

	"golang.org/x/term"
)

// Env is the environment of the program. Tests run the program in an environment that they define.
type Env struct {
	Stdin            io.Reader
	Stdout, Stderr   io.Writer
	Getenv           func(name string) string
	Now              func() time.Time
	CPUs             int
	Args             []string // command line, set by Main
	StderrIsTerminal bool
	StdoutIsTerminal bool
	StdinIsTerminal  bool
	StderrWidth      func() int // of the terminal, in columns; 0 when it is not known
}

// OSEnv returns the environment of the process.
func OSEnv() Env {
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now,
		CPUs:             runtime.NumCPU(),
		StderrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())), StdoutIsTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StdinIsTerminal: term.IsTerminal(int(os.Stdin.Fd())), StderrWidth: stderrWidth}
}

func stderrWidth() int {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		return 0
	}
	return width
}
