// Package repl is a conversation in Lua: entries are evaluated one after the other on a device and a release of the libraries,
// and commands that begin with a colon show and change what is around them. Where lines come from and who reads the answers
// is decided outside: a terminal with an editor, or a pipe.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/workspace"
)

// Settings are what a session runs on.
type Settings struct {
	Platform     string
	Profile      *workspace.Profile
	Arch         string
	DeviceMemory uint64 // bytes
	BLAS         string
	Scheme       string // of the variable handle; "" for no handle
	Seed         uint64
	Env          map[string]string // that handles are created in
	Library      []string          // folders in which require looks
	Sandbox      string            // what scripts may reach
	Args         []string
	Limit        time.Duration // for one entry; 0 for no limit
}

func (set *Settings) device() driver.Config {
	return driver.Config{Devices: 1, Arch: set.Arch, MemoryBytes: set.DeviceMemory, BLAS: set.BLAS}
}

// Surroundings are what a session uses of the program around it.
type Surroundings struct {
	Out, Err    io.Writer
	Version     string
	Name        string // of the source, for messages: "stdin"
	Interactive bool   // somebody reads: prompts and a greeting are written
	LookUp      func(w io.Writer, name string) error
}

// Session is a conversation. It knows no terminal: lines are fed to it.
type Session struct {
	settings Settings
	Surroundings
	runtime *hip.Runtime
	lua     *luabind.Session
	tracing bool
	line    int      // number of the last line
	pending []string // lines of an entry that is not complete
	left    bool     // the user said goodbye
	records []*luabind.Record
}

// New opens a device and begins a session on it. That the handle cannot be opened is told, and does not end the session.
func New(settings Settings, around Surroundings) (*Session, error) {
	s := &Session{settings: settings, Surroundings: around}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// open begins a state on a device of its own.
func (s *Session) open() error {
	set := &s.settings
	rt, err := hip.Open(set.Platform, set.device())
	if err != nil {
		return err
	}
	s.runtime = rt
	s.lua = luabind.NewSession(set.Seed, luabind.Options{Runtime: rt, Profile: set.Profile, Env: set.Env, LibraryPaths: set.Library, Sandbox: set.Sandbox,
		Output: s.Out, Args: set.Args})
	if set.Scheme != "" {
		if err := s.lua.OpenHandle(set.Scheme); err != nil {
			s.fail(fmt.Errorf("there is no handle: %w", err))
		}
	}
	return nil
}

// close ends the state and tells what it left open.
func (s *Session) close() {
	record := s.lua.Close()
	if err := s.runtime.Close(); err != nil {
		record.Problems = append(record.Problems, "closing the device failed: "+err.Error())
	}
	for _, problem := range record.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	s.remember(record)
}

// remember keeps what went wrong for the exit code. Somebody who reads has seen it, and what they tried is no failure.
func (s *Session) remember(record *luabind.Record) {
	if !s.Interactive || record.End != nil && record.End.Kind == luabind.EndInternal {
		s.records = append(s.records, record)
	}
}

// restart ends the state and begins another under changed settings; when it cannot be opened the old settings hold.
func (s *Session) restart(change func(*Settings)) error {
	s.close()
	before := s.settings
	change(&s.settings)
	err := s.open()
	if err == nil {
		s.greet()
		s.showTraced()
		return nil
	}
	s.settings = before
	if again := s.open(); again != nil {
		s.left = true
		return errors.Join(err, again)
	}
	return err
}

// End closes everything, and returns records of what went wrong.
func (s *Session) End() []*luabind.Record {
	if s.pending != nil {
		s.evaluate(context.Background(), true)
	}
	s.close()
	return s.records
}

// Feed takes the next line: a command, or a line of an entry, which is evaluated when it is complete.
func (s *Session) Feed(ctx context.Context, line string) {
	s.line++
	text := strings.TrimSpace(line)
	switch {
	case s.pending == nil && text == "":
	case s.pending == nil && strings.HasPrefix(text, prefix):
		if err := s.command(ctx, strings.TrimPrefix(text, prefix)); err != nil {
			s.fail(err)
		}
	default:
		s.pending = append(s.pending, line)
		s.evaluate(ctx, false)
	}
}

// Left reports whether the user has ended the session.
func (s *Session) Left() bool { return s.left }

// Drop forgets the lines of an entry that is not complete.
func (s *Session) Drop() {
	s.line++
	s.pending = nil
}

// Stop ends the session because the program was told to end.
func (s *Session) Stop(cause error) {
	s.pending, s.left = nil, true
	s.records = append(s.records, &luabind.Record{End: luabind.EndOf(cause)})
}

// Prompt returns what is written before the next line: its number, which messages name.
func (s *Session) Prompt() string {
	if s.pending != nil {
		return fmt.Sprintf("%d| ", s.line+1)
	}
	return fmt.Sprintf("%d> ", s.line+1)
}

// evaluate runs the pending lines, unless more are to come.
func (s *Session) evaluate(ctx context.Context, last bool) {
	entry, err := luabind.CompileEntry(s.Name, s.line-len(s.pending)+1, strings.Join(s.pending, "\n"))
	if luabind.IsIncomplete(err) && !last {
		return
	}
	s.pending = nil
	if err == nil {
		err = s.run(ctx, entry)
	}
	if err != nil {
		s.fail(err)
	}
}

// run evaluates an entry and shows its values, and what it called when calls are traced.
func (s *Session) run(ctx context.Context, entry *luabind.Script) error {
	if s.settings.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.settings.Limit)
		defer cancel()
	}
	values, err := s.lua.Eval(ctx, entry)
	s.show(values)
	s.showTraced()
	return err
}

// fail tells of an error. The session goes on.
func (s *Session) fail(err error) {
	s.remember(&luabind.Record{End: luabind.EndOf(err)})
	s.showError(err)
}
