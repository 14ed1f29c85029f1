package luabind

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/workspace"
)

// setupFile is the file of a folder with the setup of all its scripts.
const setupFile = "_setup.lua"

// mostKept is how many bytes of arrays results may have, before results of other setups are dropped.
const mostKept = 64 << 20

// setUp runs the setups that the case of a test needs, if they have not run in this process.
func setUp(t *test) *setup {
	s, ctx := t.s.opts.Setups, t.s.VM.Context()
	if s == nil {
		s = &Setups{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := t.s.opts
	key := setupKey{t.script.Name, t.c.Scenario, sha256.Sum256(t.script.Source()),
		fmt.Sprint(o.Env, o.Args, o.LibraryPaths, o.Sandbox), t.c.Seed}
	if made := s.kept[key]; made != nil {
		return made
	}
	s.drop()
	made := &setup{data: lua.LNil}
	made.err = made.run(ctx, t)
	if ctx.Err() != nil && !errors.As(made.err, new(*LimitError)) {
		return made // interrupted, which is not an error of the setup
	}
	if s.kept == nil {
		s.kept = map[setupKey]*setup{}
	}
	s.kept[key] = made
	return made
}

// drop frees the results of other setups if they are large.
func (s *Setups) drop() {
	bytes := uint64(0)
	for _, made := range s.kept {
		bytes += made.bytes
	}
	if bytes < mostKept {
		return
	}
	clear(s.kept)
}

// run runs _setup.lua and setup_all without a device.
func (m *setup) run(ctx context.Context, t *test) error {
	o := t.s.opts
	m.state = newState(ctx, t.c.Seed, Options{Output: io.Discard, Profile: workspace.Profiles()[0], Env: o.Env,
		LibraryPaths: o.LibraryPaths, Sandbox: o.Sandbox, Limits: o.Limits, Args: o.Args,
		Virtual: t.s.Runtime != nil && t.s.Runtime.Clock() != nil})
	defer func() {
		m.required = m.state.Lib.RequiredFiles()
		m.state.close() // the values remain
		m.state = nil
	}()
	err := m.results(t)
	if m.state.DeviceUsed {
		err = fmt.Errorf("setup_all runs without a device; it returns numbers, strings, tables and arrays, which "+
			"cases copy: %w", err)
	}
	if err != nil {
		return err
	}
	m.state.VM.Keep(m.data)
	check := sharing{to: m.state.Engine, plain: true}
	_, err = check.copy("the result of setup_all", m.data, 0)
	m.bytes = check.bytes
	return err
}

// results sets the data to the result of _setup.lua, or of a function that it returns, and then to the result of
// setup_all, which gets the former.
func (m *setup) results(t *test) error {
	folder, err := m.state.Lib.CompileOptional(setupFile)
	if err != nil {
		return err
	}
	if folder != nil {
		values, err := m.state.VM.Run(folder, 1)
		if err != nil {
			return err
		}
		if m.data = values[0]; m.data.Type() == lua.LTFunction {
			if m.data, err = m.state.VM.CallFor(m.data.(*lua.LFunction)); err != nil {
				return err
			}
		}
		m.state.VM.Keep(m.data)
	}
	top := m.state.load(t.script)
	if top.err != nil || top.table == nil {
		return top.err
	}
	declared, err := t.script.declaration(top.table, t.c.Scenario)
	if err != nil {
		return err
	}
	fn, ok := declared.table.RawGetString("setup_all").(*lua.LFunction)
	if !ok {
		return nil
	}
	m.data, err = m.state.VM.CallFor(fn, m.data)
	return err
}

// graceForTeardown is how long teardown and deferred functions may take after the case has ended early.
const graceForTeardown = time.Second

// graceForDevice is how long the device may then take to finish its work, before it is abandoned.
const graceForDevice = 300 * time.Millisecond

// Teardown may use this much beyond the limits of the case.
const (
	instructionsForTeardown = 1 << 20
	outputForTeardown       = 64 << 10 // bytes
)

// allowTeardown extends the limits for teardown if the case has ended, and reports whether it has.
func (s *state) allowTeardown() bool {
	if s.VM.Context().Err() == nil {
		return false
	}
	if s.opts.Over != nil {
		s.opts.Over()
	}
	s.VM.Grace(vm.Limits{Timeout: graceForTeardown, Instructions: instructionsForTeardown, Output: outputForTeardown})
	rt := s.Runtime
	if rt == nil {
		return true
	}
	s.Thread.Enter()
	defer s.Thread.Leave()
	if s.DeviceLimit > 0 {
		s.DeviceLimit = max(s.DeviceLimit, rt.HeldBytes())
	}
	if s.release != nil {
		s.release()
	}
	device, release := context.WithTimeout(s.VM.Context(), graceForDevice)
	s.release = release
	rt.SetContext(device)
	return true
}
