package luabind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// graceForTeardown is how long teardown and deferred functions may take after the case itself ran out of time.
const graceForTeardown = 5 * time.Second

// graceForDevice is how long the device may take then to finish what it does, before it is given up.
const graceForDevice = 300 * time.Millisecond

// What teardown may use beyond the limits of a case that reached one.
const (
	instructionsForTeardown = 1 << 20
	outputForTeardown       = 64 << 10 // bytes
)

// Run executes one case of a script. Whatever happens, deferred functions and teardown run, handles and loans are
// closed, and the record says what went wrong. The runtime stays open: the host closes it.
func Run(ctx context.Context, script *Script, c Case, o Options) *Record {
	record := &Record{}
	start := time.Now()
	t := &test{c: c, record: record, bytes: lua.LNil}
	if o.Output == nil {
		o.Output = &t.log
	} else {
		o.Output = io.MultiWriter(o.Output, &t.log)
	}
	s := newState(ctx, c.Seed, o)
	defer s.close()
	t.s = s
	t.object = s.vm.Object(testType, t)
	record.end(s.runScript(script, t), o.Limits)
	s.renew()
	s.closeHandles(record)
	s.inspect(record)
	record.Statuses = map[string]int{}
	for a, n := range s.answers {
		record.Statuses[a.function+"."+a.status.Short()] += n
	}
	record.Required = s.vm.RequiredFiles()
	record.Log = t.log.String()
	record.Seconds = time.Since(start).Seconds()
	return record
}

// runScript runs the file, and if it returns a scenario, that scenario's functions.
func (s *State) runScript(script *Script, t *test) error {
	table, err := s.load(script)
	if err != nil || table == nil {
		return err
	}
	scenario, err := script.describe(table)
	if err != nil {
		return err
	}
	t.bytes = table.RawGetString("bytes")
	t.takeParams(scenario)
	err = s.phase(table, "setup", t)
	if err == nil {
		err = s.openFirst(t)
	}
	if err == nil {
		err = s.phase(table, "run", t)
	}
	s.renew()
	for _, d := range slices.Backward(t.defers) {
		s.deferred = d.made
		t.record.trouble("a deferred function failed", s.vm.Call(d.fn, d.args...))
	}
	s.deferred = ""
	t.record.trouble("teardown failed", s.phase(table, "teardown", t))
	return err
}

// takeParams gives the parameters that the case does not set their defaults.
func (t *test) takeParams(sc *Scenario) {
	params := map[string]any{}
	for _, p := range sc.Params {
		params[p.Name] = p.Value
	}
	for name, value := range t.c.Params {
		params[name] = value
	}
	t.c.Params = params
}

// phase calls one of the scenario's functions, if it has it.
func (s *State) phase(table *lua.LTable, name string, t *test) error {
	fn, ok := table.RawGetString(name).(*lua.LFunction)
	if !ok {
		return nil
	}
	return s.vm.Call(fn, t.object)
}

// openFirst opens the handle of a case under a scheme before run, so that run finds it whether or not it looks.
func (s *State) openFirst(t *test) error {
	if t.c.Scheme == "" {
		return nil
	}
	return s.vm.Call(s.vm.Function("t.handle", func(l *lua.LState) int {
		t.schemeHandle(l)
		return 0
	}))
}

// renew gives teardown, and the closing of what was left open, time and room beyond each limit if the case has ended.
// What the case used up stays used.
func (s *State) renew() {
	if s.vm.Context().Err() == nil {
		return
	}
	if s.opts.Over != nil {
		s.opts.Over()
	}
	s.vm.Grace(vm.Limits{Timeout: graceForTeardown, Instructions: instructionsForTeardown, Output: outputForTeardown})
	rt := s.opts.Runtime
	if rt == nil {
		return
	}
	if s.deviceLimit > 0 {
		s.deviceLimit = max(s.deviceLimit, rt.HeldBytes())
	}
	if s.release != nil {
		s.release()
	}
	device, release := context.WithTimeout(s.vm.Context(), graceForDevice)
	s.release = release
	rt.SetContext(device)
}

// closeHandles ends what the script left open: loans in reverse order, then its handles, which are reported, then the
// runner's own.
func (s *State) closeHandles(record *Record) {
	for _, box := range slices.Backward(s.allocations) {
		if !box.Released() {
			record.Problems = append(record.Problems, "a loan made at "+box.made+" was not released")
			box.Release()
		}
	}
	for _, box := range slices.Backward(s.handles) {
		if box.destroyed == "" {
			record.Problems = append(record.Problems, "leak: the handle made at "+box.made+" was not destroyed")
			record.trouble("destroying it failed", box.handle.Destroy())
		}
	}
	for _, o := range slices.Backward(s.opened) {
		record.trouble("closing the scenario's handle failed", o.Close())
	}
}

// inspect asks the runtime what was left behind and what it noticed.
func (s *State) inspect(record *Record) {
	if s.opts.Runtime == nil {
		return
	}
	for _, h := range s.opts.Runtime.Hazards() {
		record.Problems = append(record.Problems, fmt.Sprintf(
			"hazard: %s in stream %d (%s) uses memory that %s in stream %d (%s) may still be using; synchronize the streams or wait for an event",
			h.Later.Call, h.Later.Stream, h.Later.Origin, h.Earlier.Call, h.Earlier.Stream, h.Earlier.Origin))
	}
	for _, leak := range s.opts.Runtime.Leaks() {
		record.Problems = append(record.Problems, leakText(leak))
	}
	record.Stats = s.opts.Runtime.Stats()
	record.Faults = s.opts.Runtime.Faults()
	record.History = s.opts.Runtime.History()
}

// leakText names what was left open and the line that made it.
func leakText(l hip.Leak) string {
	what := "an open " + l.Kind
	if l.Kind == "device memory" {
		what = workspace.FormatBytes(l.Bytes) + " of device memory"
	}
	if l.Cause != hip.CauseScript {
		return fmt.Sprintf("leak: %s from %s (%s) at %s", what, l.Call, l.Cause, l.Origin)
	}
	return fmt.Sprintf("leak: %s from %s at %s", what, l.Call, l.Origin)
}

// end records how the case ended: by a skip, early, or (err is nil) normally.
func (r *Record) end(err error, limits Limits) {
	var skip *skipped
	if errors.As(err, &skip) {
		r.Skipped = skip.reason
		return
	}
	r.End = EndOf(err)
	if r.End != nil && r.End.Kind == EndTimeout && r.End.Limit == nil && limits.Timeout > 0 {
		r.End.Limit = EndOf(TimedOut(limits.Timeout)).Limit // the device noticed the end of the time, and does not know the limit
	}
}

func (r *Record) trouble(what string, err error) {
	if err != nil {
		r.Problems = append(r.Problems, what+": "+err.Error())
	}
}
