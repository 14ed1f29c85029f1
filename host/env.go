package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/worker"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
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
	StderrWidth      func() int // of the terminal, in columns; 0 when it is not known
	StdoutWidth      func() int
	Files            atomicfile.System // where outputs are written; nil is the operating system
	Workers          *worker.Pool      // describes and runs scripts; Main starts one, and ends it, if this is nil
}

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
		StdinIsTerminal: term.IsTerminal(int(os.Stdin.Fd())), StderrWidth: widthOf(os.Stderr),
		StdoutWidth: widthOf(os.Stdout)}
}

// widthOf returns the width of the terminal that a file is, in columns; 0 when it is not known.
func widthOf(f *os.File) func() int {
	return func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
}

// stream is standard output or standard error. It keeps the first error, which a command may not have checked.
type stream struct {
	io.Writer

	mu       sync.Mutex
	err      error
	closed   bool // its reader has ended
	survives bool // the program continues without the reader
}

// Write writes, or discards the text when the reader has ended.
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

// escaped returns standard output for text of scripts and files, as text or as JSON. It must be flushed.
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

// outOptions are --out of a command, and its short forms.
type outOptions struct {
	list      []string
	json, csv bool
}

// add adds --out to the flags of a command; name is its answer.
func (o *outOptions) add(cmd *cobra.Command, name string) {
	cmd.Flags().StringArrayVar(&o.list, "out", nil, fmt.Sprintf("write the %s as FORMAT[=FILE]: %s (repeatable)", name,
		strings.Join(output.OfCommand(cmd.Name()), ", ")))
}

// addJSON and addCSV add the short forms.
func (o *outOptions) addJSON(flags *pflag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, "write JSON, as --out json")
}

func (o *outOptions) addCSV(flags *pflag.FlagSet) {
	flags.BoolVar(&o.csv, "csv", false, "write CSV, as --out csv")
}

// parse returns the outputs of the command line. Without any it returns text on standard output.
func (o *outOptions) parse(cmd *cobra.Command) ([]output.Output, error) {
	if o.json && o.csv {
		return nil, fmt.Errorf("--json and --csv both use standard output; choose one")
	}
	list := o.list
	if o.json {
		list = append(list, "json")
	}
	if o.csv {
		list = append(list, "csv")
	}
	return output.Parse(list, cmd.Name())
}

// open returns the outputs of the command line, which can be written and are none of the files.
func (o *outOptions) open(cmd *cobra.Command, env Env, files *atomicfile.Files) ([]output.Output, error) {
	outs, err := o.parse(cmd)
	if err == nil {
		err = env.checkOutputs(files, outs)
	}
	return outs, err
}

// checkOutputs returns an error if an output cannot be written, or if it is also another of the files. Before a file is
// written, it lets the program survive that the reader of standard output ends.
func (e Env) checkOutputs(files *atomicfile.Files, outs []output.Output) error {
	for _, out := range outs {
		if out.File == "" {
			continue
		}
		e.surviveClosedStreams()
		if err := files.Writes(out.String(), out.File); err != nil {
			return err
		}
	}
	return nil
}

// checkPlanned is checkOutputs for a command that reads a configuration and scripts.
func (e Env) checkPlanned(outs []output.Output, cfg *config.Config, cases plan.List) error {
	files := atomicfile.NewFiles(e.files())
	if filepath.Ext(cfg.File()) == ".toml" {
		files.Reads("the configuration "+cfg.File(), cfg.File())
	}
	for _, path := range cases.Scripts() {
		files.Reads("the script "+path, path)
	}
	return e.checkOutputs(files, outs)
}

func (e Env) write(outs []output.Output, d output.Data) error {
	return output.Write(outs, d, e.destination())
}

// hasPage reports whether an output is a page, which draws the calls of recordings on all releases.
func hasPage(outs []output.Output) bool {
	return slices.ContainsFunc(outs, func(o output.Output) bool { return o.Format == "html" })
}

// destination returns where outputs are written.
func (e Env) destination() output.Destination {
	color, _ := useColor("auto", e.StdoutIsTerminal, e)
	return output.Destination{Stdout: e.Stdout, Stderr: e.Stderr, System: e.files(),
		Summary: e.Getenv("GITHUB_STEP_SUMMARY"), Width: e.width(), Color: color, Links: color}
}

// width returns the width of the terminal that is standard output, which COLUMNS has if the terminal does not know it;
// 0 for none.
func (e Env) width() int {
	if !e.StdoutIsTerminal {
		return 0
	}
	if e.StdoutWidth != nil {
		if width := e.StdoutWidth(); width > 0 {
			return width
		}
	}
	columns, _ := strconv.Atoi(e.Getenv("COLUMNS"))
	return max(columns, 0)
}
