package luabind

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/units"
	"roclua/luabind/device"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/record"
)

// testCase calls a function with its own device and handle. Its errors fail the case, which continues.
func testCase(c *engine.Call, t *test, name string, fn *lua.LFunction, args []lua.LValue) error {
	if name == "" {
		c.Bad("name", "is empty; reports show it")
	}
	passed, err := t.row(c, name, fn, args...)
	return c.Return(err, lua.LBool(passed))
}

// row calls a function as a row, and reports whether nothing failed in it.
func (t *test) row(c *engine.Call, name string, fn *lua.LFunction, args ...lua.LValue) (passed bool, err error) {
	if err := t.enterRow(name); err != nil {
		return false, err
	}
	err = t.s.VM.Protect(c.L, fn, 0, append([]lua.LValue{t.object}, args...)...)
	if ended := t.s.VM.Ended(); ended != nil {
		return false, ended // the end of the case leaves the row, when teardown may use the device
	}
	if err == nil {
		err = t.s.HostFuncs.TakeError()
	}
	t.endRow(c, t.s.VM.ErrorOf(err))
	done := t.leaveRow()
	return done.record.Passed(), t.merge(c.L, done)
}

// endRow records the error of the function of a row, and calls the deferred functions of the row.
func (t *test) endRow(c *engine.Call, err error) {
	var skip *engine.Skipped
	switch r := t.rows[len(t.rows)-1]; {
	case errors.As(err, &skip):
		t.skipRow(r.record, r.name, skip.Reason)
	case err != nil:
		addCheck(c, t, false, "runs to its end", err.Error(), "no error")
	}
	t.ranRow = t.ranRow || skip == nil && !onlySkips(t.record)
	t.callDeferred()
}

// skipRow records and logs a row that was skipped.
func (t *test) skipRow(to *record.Record, name, reason string) {
	fmt.Fprintf(t.s.Output, "%s: skipped: %s\n", name, reason)
	to.AddSkipped(reason, 1)
}

// onlySkips reports whether rows were skipped and nothing else was recorded.
func onlySkips(r *record.Record) bool {
	return len(r.SkippedRows) > 0 && len(r.Checks)+len(r.Metrics) == 0
}

// untested returns a skip if the case has only rows that were skipped.
func (t *test) untested() error {
	if t.ranRow || !onlySkips(t.record) {
		return nil
	}
	rows := t.record.SkippedRows
	reason := "every row was skipped: " + rows[0].Reason
	if others := len(rows) - 1; others > 0 {
		reason += ", and " + units.Count(others, "other reason")
	}
	return &engine.Skipped{Reason: reason}
}

// enterRow gives the test a device, without handles and deferred functions. A real device remains the same.
func (t *test) enterRow(name string) error {
	s := t.s
	r := &row{name: name, runtime: s.NeedRuntime(), outside: s.outside, hostFuncs: s.HostFuncs,
		devices: s.DeviceState, library: s.library, scope: t.scope}
	outside := s.outsideBytes()
	if s.opts.Fresh != nil {
		rt, closeDevice, err := s.opts.Fresh()
		if err != nil {
			return err
		}
		r.close = closeDevice
		s.replaceRuntime(rt, s.Profile, s.Tuning)
	}
	s.outside = outside
	t.rows = append(t.rows, r)
	s.HostFuncs, s.library = engine.NewHostFuncs(s.Engine), library.NewState(s.Engine)
	s.LibraryState, s.DeviceState = s.library, device.NewState()
	t.scope = scope{record: &record.Record{}}
	return nil
}

// leaveRow closes the objects that the last row left open, and returns its name and its scope.
func (t *test) leaveRow() *row {
	s, last := t.s, len(t.rows)-1
	r, ended := t.rows[last], t.scope
	done := ended.record
	t.rows = t.rows[:last]
	done.AddFailures("a deferred function failed", t.failed)
	endHostFuncs(done, s.HostFuncs)
	if r.close != nil {
		endCaptures(done, s.Runtime)
	}
	s.library.Close(done)
	s.library.CloseFunctions()
	if r.close != nil {
		inspect(done, s.Runtime)
		addProblem(done, "closing the device failed", r.close())
		s.replaceRuntime(r.runtime, s.Profile, s.Tuning)
	}
	s.HostFuncs, s.library, s.LibraryState, s.DeviceState = r.hostFuncs, r.library, r.library, r.devices
	s.outside = r.outside
	t.scope = r.scope
	return &row{name: r.name, scope: ended}
}

// merge adds the record of a row that ended. Its checks, metrics and problems get the name of the row.
func (t *test) merge(l *lua.LState, r *row) error {
	meter, prefix, done := t.s.VM.Meter(), r.name+": ", r.record
	for _, k := range done.Checks {
		meter.Charge(l, 0, prefix)
		k.Text = prefix + k.Text
		t.record.Checks = append(t.record.Checks, k)
	}
	for _, problem := range done.Problems {
		meter.Charge(l, 0, prefix, problem)
		t.record.Problems = append(t.record.Problems, prefix+problem)
	}
	for _, m := range done.Measurements {
		m.Name = r.name + "." + m.Name
		t.record.Measurements = append(t.record.Measurements, m)
	}
	for _, skipped := range done.SkippedRows {
		t.record.AddSkipped(skipped.Reason, skipped.Rows)
	}
	t.record.Defects.Add(done.Defects...)
	t.record.Stats.Add(done.Stats)
	t.record.Faults = append(t.record.Faults, done.Faults...)
	for _, m := range done.Metrics {
		by := r.metrics[m.Name].by
		m.Name = r.name + "." + m.Name
		if err := t.storeMetric(l, by, m); err != nil {
			return err
		}
	}
	return nil
}

// leaveRows ends the rows that were in progress when the case ended, innermost first.
func (t *test) leaveRows() {
	for len(t.rows) > 0 {
		t.callDeferred()
		done := t.leaveRow()
		merge := t.s.VM.Function("t:case", func(l *lua.LState) int {
			if err := t.merge(l, done); err != nil {
				t.s.Raise(l, err)
			}
			return 0
		})
		addProblem(t.record, "results of a row are lost", t.s.VM.Call(merge))
	}
}
