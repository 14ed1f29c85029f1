// Package repl evaluates Lua interactively: entries run in turn on a device and a library release, and commands that
// start with a colon show and change their environment.
//
// A Session reads lines and writes results, independently of a terminal. Converse connects it to a source of lines: an
// Editor on a terminal, or Plain for a pipe.
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
	"roclua/luabind/record"
	"roclua/workspace"
)

// Settings describe the device, the release and the handle of a session.
type Settings struct {
	Platform string
	Profile  *workspace.Profile
	Devices  driver.Config
	Scheme   string // of the variable handle; "" for no handle
	Seed     uint64
	Env      map[string]string // environment variables, which handles read when they are created
	Library  []string          // folders searched by require
	Sandbox  string            // access of scripts
	Args     []string
	Limit    time.Duration // for one entry; 0 for no limit
}

// Frontend connects a session to its user.
type Frontend struct {
	Out, Err    io.Writer
	Version     string
	Name        string                               // of the source, for messages: "stdin"
	Interactive bool                                 // write prompts and a greeting for a user
	LookUp      func(w io.Writer, name string) error // writes the manual page about a name
}

// Session evaluates lines. It is not safe for concurrent use.
type Session struct {
	settings Settings
	Frontend
	runtime *hip.Runtime
	lua     *luabind.Session
	tracing bool
	line    int      // number of the last line
	pending []string // lines of an incomplete entry
	ended   bool     // the user ended the session
	records []*record.Record
}

// New opens a device and starts a session on it. Failure to open a handle is reported but does not end the session.
func New(settings Settings, frontend Frontend) (*Session, error) {
	s := &Session{settings: settings, Frontend: frontend}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// open starts a Lua state on a new device.
func (s *Session) open() error {
	set := &s.settings
	rt, err := hip.Open(set.Platform, set.Devices)
	if err != nil {
		return err
	}
	s.runtime = rt
	s.lua = luabind.NewSession(set.Seed, luabind.Options{Runtime: rt, Profile: set.Profile, Env: set.Env,
		LibraryPaths: set.Library, Sandbox: set.Sandbox,
		Output: s.Out, Args: set.Args})
	if set.Scheme != "" {
		if err := s.lua.OpenHandle(set.Scheme); err != nil {
			s.fail(fmt.Errorf("there is no handle: %w", err))
		}
	}
	return nil
}

// close ends the Lua state and reports unreleased resources.
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

// remember records an error for the exit code. In an interactive session only internal errors count: the user has seen
// the others.
func (s *Session) remember(r *record.Record) {
	if !s.Interactive || r.End != nil && r.End.Kind == record.EndInternal {
		s.records = append(s.records, r)
	}
}

// restart ends the Lua state and starts another with changed settings, or with the old ones if that fails.
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
		s.ended = true
		return errors.Join(err, again)
	}
	return err
}

// End closes the session, and returns the records of errors that determine the exit code.
func (s *Session) End() []*record.Record {
	if s.pending != nil {
		s.evaluate(context.Background(), true)
	}
	s.close()
	return s.records
}

// Feed processes the next line: a command, or part of an entry, which is evaluated once complete.
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

// Ended reports whether the user has ended the session.
func (s *Session) Ended() bool { return s.ended }

// Discard removes the lines of an incomplete entry.
func (s *Session) Discard() {
	s.line++
	s.pending = nil
}

// Stop ends the session because the program was interrupted.
func (s *Session) Stop(cause error) {
	s.pending, s.ended = nil, true
	s.records = append(s.records, &record.Record{End: luabind.EndOf(cause)})
}

// Prompt returns the prompt of the next line. It has the line number used in messages.
func (s *Session) Prompt() string {
	if s.pending != nil {
		return fmt.Sprintf("%d| ", s.line+1)
	}
	return fmt.Sprintf("%d> ", s.line+1)
}

// evaluate runs the pending lines if they are complete or at the end of input.
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

// run evaluates an entry and shows its values, and its calls if they are traced.
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

// fail reports an error. The session continues.
func (s *Session) fail(err error) {
	s.remember(&record.Record{End: luabind.EndOf(err)})
	s.showError(err)
}
