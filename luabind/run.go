// Package luabind runs scenarios: Lua files that use the modules hip, rocblas, rocsolver and array. It runs the
// functions of a scenario for one case and records their measurements and checks. The caller decides which cases run,
// and how the program treats a failure.
//
// The packages below it, from the bottom up: vm is the Lua machine, engine calls Go functions from Lua, array has the
// module array, device the module hip, and library the modules rocblas and rocsolver. Package workspace has the
// behavior of handles.
package luabind

import (
	"context"
	"io"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/record"
)

// Run executes and records one case of a script. However the case ends, Run calls deferred functions and
// teardown, and closes handles and allocations. The runtime stays open.
func Run(ctx context.Context, script *Script, c record.Case, o Options) *record.Record {
	start := time.Now()
	t := &test{c: c, scope: scope{record: &record.Record{}}, bytes: lua.LNil, setUp: setUp}
	if o.Output == nil {
		o.Output = &t.log
	} else {
		o.Output = io.MultiWriter(o.Output, &t.log)
	}
	s := newState(ctx, c.Seed, o)
	defer s.close()
	t.s = s
	t.object = s.VM.Object(testType, t)
	return t.finish(start, o, t.continueWith(script, s.load(script)))
}

// finish closes the objects that the case left open, and completes its record. err is the reason for an early end.
func (t *test) finish(start time.Time, o Options, err error) *record.Record {
	s, record := t.s, t.record
	if err == nil {
		err = s.HostFuncs.TakeError() // of a function that ran in the last read of an array
	}
	if err == nil {
		err = t.untested()
	}
	endRecord(record, err, o.Limits)
	endHostFuncs(record, s.HostFuncs)
	s.allowTeardown()
	endCaptures(record, o.Runtime) // handles cannot free their memory while a stream is captured
	s.library.Close(record)
	inspect(record, o.Runtime)
	if o.History {
		record.History = o.Runtime.History()
	}
	record.Statuses = s.StatusCounts.Returned()
	record.LuaProfile = s.VM.Profile()
	record.Required = append(record.Required, s.Lib.RequiredFiles()...)
	record.Log = t.log.String()
	record.Seconds = time.Since(start).Seconds()
	record.Bound(o.Limits.Output)
	return record
}

// continueWith runs the functions of the scenario that the file returned, if it returned one.
func (t *test) continueWith(script *Script, top loaded) error {
	t.script = script
	table := top.table
	if top.err != nil || table == nil {
		return top.err
	}
	declared, err := script.declaration(table, t.c.Scenario)
	if err != nil {
		return err
	}
	table = declared.table
	t.setBytes(declared)
	t.setDefaults(declared.Scenario)
	t.choices = declared.Metrics
	if table.RawGetString("setup_all").Type() == lua.LTFunction {
		if err := t.s.VM.Call(t.s.VM.Function("t.data", func(l *lua.LState) int {
			t.field(l, "data")
			return 0
		})); err != nil {
			return err
		}
	}
	if declared.workload != nil {
		err = t.runWorkload(declared)
	} else {
		err = t.runScenario(table)
	}
	extended := t.s.allowTeardown()
	t.leaveRows()
	t.callDeferred()
	if !extended {
		t.s.allowTeardown() // the deferred functions may have used up the time of the case
	}
	addProblem(t.record, "teardown failed", t.phase(table, "teardown"))
	t.callDeferred()
	t.record.AddFailures("a deferred function failed", t.failed)
	return err
}

// runScenario runs the functions setup and run.
func (t *test) runScenario(table *lua.LTable) error {
	if err := t.phase(table, "setup"); err != nil {
		return err
	}
	if err := t.openHandle(); err != nil {
		return err
	}
	return t.phase(table, "run")
}

// setBytes sets the size of the memory of t.handle: of the case, or else of the scenario.
func (t *test) setBytes(d declaration) {
	if t.bytes = lua.LNumber(t.c.Bytes); t.c.Bytes == 0 {
		t.bytes = d.table.RawGetString("bytes")
	}
}

// setDefaults sets the parameters of the scenario that the case does not set.
func (t *test) setDefaults(sc *record.Scenario) {
	params := map[string]any{}
	for _, p := range sc.Params {
		params[p.Name] = p.Value
	}
	for name, value := range t.c.Params {
		params[name] = value
	}
	t.c.Params = params
}

// phase calls a function of the scenario, if the scenario has it.
func (t *test) phase(table *lua.LTable, name string) error {
	fn, ok := table.RawGetString(name).(*lua.LFunction)
	if !ok {
		return nil
	}
	return t.s.VM.Call(fn, t.object)
}

// openHandle opens the handle of a case under a scheme before its function run, even if run does not use it.
func (t *test) openHandle() error {
	if t.c.Scheme == "" {
		return nil
	}
	return t.s.VM.Call(t.s.VM.Function("t.handle", func(l *lua.LState) int {
		t.schemeHandle(l)
		return 0
	}))
}
