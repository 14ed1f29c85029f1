package host

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"roclua/host/plan"
	"roclua/host/worker"
	"roclua/internal/atomicfile"
)

// Env is the environment of the program. Tests run the program in an environment that they define.
type Env struct {
	Stdin            io.Reader
	Stdout, Stderr   io.Writer
	Getenv           func(name string) string
	Environ          func() []string // all variables, NAME=VALUE; nil is none
	Now              func() time.Time
	CPUs             int
	Args             []string // command line, set by Main
	stdout, stderr   *stream  // Stdout and Stderr, set by Main
	endAtOnce        func()   // restores the default handling of signals, for a command without teardown; set by Main
	StderrIsTerminal bool
	StdoutIsTerminal bool
	StdinIsTerminal  bool
	StderrWidth      func() int        // of the terminal, in columns; 0 when it is not known
	Files            atomicfile.System // where outputs are written; nil is the operating system
	Workers          *worker.Pool      // describes and runs scripts; Main starts one, and ends it, if this is nil
}

// planInput is what the selection of a command reads.
func (e Env) planInput(cmd *cobra.Command) plan.Input {
	return plan.Input{Stdin: e.Stdin, Getenv: e.Getenv, Flags: cmd.Flags(), Workers: e.Workers}
}

// files returns where outputs are written.
func (e Env) files() atomicfile.System {
	if e.Files == nil {
		return atomicfile.OS
	}
	return e.Files
}

// cacheFolder is the program's folder in the user's cache; "" when there is none.
func cacheFolder(env Env) string {
	cache := env.Getenv("XDG_CACHE_HOME")
	if cache == "" && env.Getenv("HOME") != "" {
		cache = filepath.Join(env.Getenv("HOME"), ".cache")
	}
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "roclua")
}

// cacheFile names a file in the user's cache; "" when there is none.
func cacheFile(env Env, name string) string {
	folder := cacheFolder(env)
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, name)
}

// OSEnv returns the environment of the process.
func OSEnv() Env {
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Environ: os.Environ,
		Now:              time.Now,
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
