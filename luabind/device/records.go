package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/luabind/vm/memory"
)

// hipStats returns counts of calls by name, waits by cause, kernels, and live and peak bytes.
func hipStats(c *engine.Call) error {
	stats := c.NeedRuntime().Stats()
	var devices lua.LValue = lua.LNil
	if stats.Devices != nil {
		list := c.L.CreateTable(0, len(stats.Devices))
		for i := range stats.Devices {
			list.RawSetInt(i, statsTable(c, &stats.Devices[i], lua.LNil))
		}
		devices = list
	}
	return c.Return(nil, statsTable(c, &stats.Counts, devices))
}

func statsTable(c *engine.Call, n *trace.Counts, devices lua.LValue) lua.LValue {
	return c.NewRecord("stats", counts(c.L, n.Calls), counts(c.L, n.Syncs), lua.LNumber(n.Kernels),
		lua.LNumber(n.LiveBytes), lua.LNumber(n.PeakBytes), lua.LNumber(n.LiveBlocks), lua.LNumber(n.Streams),
		lua.LNumber(n.Events), lua.LNumber(n.Allocations), lua.LNumber(n.Injected), devices)
}

// counts returns a table of counters. The counter of a name that was not counted is 0.
func counts(l *lua.LState, m map[string]int) *lua.LTable {
	t, meta := l.CreateTable(0, len(m)+1), l.CreateTable(0, 1)
	total := 0
	for name, n := range m {
		t.RawSetString(name, lua.LNumber(n))
		total += n
	}
	t.RawSetString("total", lua.LNumber(total))
	meta.RawSetString("__index", l.NewFunction(func(l *lua.LState) int {
		return vm.Push(l, lua.LNumber(0))
	}))
	t.Metatable = meta
	return t
}

// traceFields is how many fields a call in a trace has.
const traceFields = 13

// hipTrace returns the calls made since it was last called.
func hipTrace(c *engine.Call) error {
	meter := c.VM.Meter()
	meter.Reserve(c.L, memory.RecordBytes(c.NeedRuntime().Recorder().Undrained(), traceFields))
	list, step := c.L.CreateTable(0, 0), meter.Every(c.L, 1<<10)
	for _, made := range c.Runtime.Trace() {
		step()
		list.Append(traceTable(c, made))
	}
	return c.Return(nil, list)
}

func traceTable(c *engine.Call, made trace.Call) *lua.LTable {
	return c.NewRecord("trace_call", lua.LString(made.Name), lua.LNumber(made.Device),
		engine.Given(made.HasBytes, lua.LNumber(made.Bytes)),
		engine.Given(made.HasStream, lua.LNumber(made.Stream)), c.Pointer(made.Ptr), lua.LNumber(made.Result),
		lua.LNumber(made.Seconds), lua.LNumber(made.Duration), lua.LString(made.Cause), lua.LString(made.Origin),
		lua.LBool(made.Synchronizing), text(made.Injected))
}

// text returns a string; nil if it is empty.
func text(s string) lua.LValue { return engine.Given(s != "", lua.LString(s)) }

// hipHazards returns the hazards found since it was last called. Hazards that it has not returned fail the case.
func hipHazards(c *engine.Call) error {
	list := c.L.CreateTable(0, 0)
	for _, h := range c.NeedRuntime().Hazards() {
		list.Append(c.NewRecord("hazard", c.Pointer(h.Ptr), lua.LNumber(h.Bytes), accessTable(c, h.Earlier),
			accessTable(c, h.Later), lua.LString(h.String())))
	}
	return c.Return(nil, list)
}

// hipUnwrittenReads returns the reads of unwritten memory found since it was last called. Reads that it has not
// returned fail the case.
func hipUnwrittenReads(c *engine.Call) error {
	list := c.L.CreateTable(0, 0)
	for _, u := range c.NeedRuntime().UnwrittenReads() {
		list.Append(c.NewRecord("unwritten_read", lua.LString(u.Call), lua.LString(u.Origin), lua.LNumber(u.Stream),
			text(u.Param), c.Pointer(u.Ptr), lua.LNumber(u.Bytes), lua.LString(u.Allocated.Origin),
			lua.LString(u.String())))
	}
	return c.Return(nil, list)
}

func accessTable(c *engine.Call, u driver.Use) *lua.LTable {
	return c.NewRecord("access", lua.LString(u.Call), lua.LNumber(u.Device), lua.LNumber(u.Stream),
		engine.Given(u.Host, lua.LTrue),
		lua.LBool(u.Write), lua.LString(u.Origin), text(u.Launched), text(u.Since))
}
