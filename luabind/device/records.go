package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/luabind/vm/memory"
)

// hipStats returns counts of calls by name, waits by cause, kernels, and live and peak bytes.
func hipStats(c *engine.Call) error {
	stats := c.NeedRuntime().Stats()
	t := c.NewRecord("stats")
	t.RawSetString("calls", counts(c.L, stats.Calls))
	t.RawSetString("syncs", counts(c.L, stats.Syncs))
	for name, value := range map[string]float64{
		"kernels":     float64(stats.Kernels),
		"live_bytes":  float64(stats.LiveBytes),
		"peak_bytes":  float64(stats.PeakBytes),
		"live_blocks": float64(stats.LiveBlocks),
		"streams":     float64(stats.Streams),
		"events":      float64(stats.Events),
		"allocations": float64(stats.Allocations),
		"injected":    float64(stats.Injected),
	} {
		t.RawSetString(name, lua.LNumber(value))
	}
	c.Out(t)
	return nil
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
const traceFields = 12

// hipTrace returns the calls made since it was last called.
func hipTrace(c *engine.Call) error {
	meter := c.VM.Meter()
	meter.Reserve(c.L, memory.RecordBytes(c.NeedRuntime().Untraced(), traceFields))
	list, step := c.L.CreateTable(0, 0), meter.Every(c.L, 1<<10)
	for _, made := range c.Runtime.Trace() {
		step()
		list.Append(traceTable(c, made))
	}
	c.Out(list)
	return nil
}

func traceTable(c *engine.Call, made hip.Call) *lua.LTable {
	t := c.NewRecord("trace_call")
	t.RawSetString("call", lua.LString(made.Name))
	if made.HasBytes {
		t.RawSetString("bytes", lua.LNumber(made.Bytes))
	}
	if made.HasStream {
		t.RawSetString("stream", lua.LNumber(made.Stream))
	}
	if made.Ptr != 0 {
		t.RawSetString("ptr", c.Pointer(made.Ptr))
	}
	t.RawSetString("result", lua.LNumber(made.Result))
	t.RawSetString("seconds", lua.LNumber(made.Seconds))
	t.RawSetString("duration", lua.LNumber(made.Duration))
	t.RawSetString("cause", lua.LString(made.Cause))
	t.RawSetString("origin", lua.LString(made.Origin))
	t.RawSetString("synchronizing", lua.LBool(made.Synchronizing))
	if made.Injected != "" {
		t.RawSetString("injected", lua.LString(made.Injected))
	}
	return t
}

// hipHazards returns the hazards found since it was last called. Hazards that it has not returned fail the case.
func hipHazards(c *engine.Call) error {
	list := c.L.CreateTable(0, 0)
	for _, h := range c.NeedRuntime().Hazards() {
		t := c.NewRecord("hazard")
		t.RawSetString("ptr", c.Pointer(h.Ptr))
		t.RawSetString("bytes", lua.LNumber(h.Bytes))
		t.RawSetString("earlier", accessTable(c, h.Earlier))
		t.RawSetString("later", accessTable(c, h.Later))
		list.Append(t)
	}
	c.Out(list)
	return nil
}

// hipUnwrittenReads returns the reads of unwritten memory found since it was last called. Reads that it has not
// returned fail the case.
func hipUnwrittenReads(c *engine.Call) error {
	list := c.L.CreateTable(0, 0)
	for _, u := range c.NeedRuntime().UnwrittenReads() {
		t := c.NewRecord("unwritten_read")
		t.RawSetString("call", lua.LString(u.Call))
		t.RawSetString("origin", lua.LString(u.Origin))
		t.RawSetString("stream", lua.LNumber(u.Stream))
		if u.Param != "" {
			t.RawSetString("param", lua.LString(u.Param))
		}
		t.RawSetString("ptr", c.Pointer(u.Ptr))
		t.RawSetString("bytes", lua.LNumber(u.Bytes))
		t.RawSetString("allocated", lua.LString(u.Allocated.Origin))
		list.Append(t)
	}
	c.Out(list)
	return nil
}

func accessTable(c *engine.Call, u driver.Use) *lua.LTable {
	t := c.NewRecord("access")
	t.RawSetString("call", lua.LString(u.Call))
	t.RawSetString("stream", lua.LNumber(u.Stream))
	if u.Host {
		t.RawSetString("host", lua.LTrue)
	}
	t.RawSetString("write", lua.LBool(u.Write))
	t.RawSetString("origin", lua.LString(u.Origin))
	if u.Launched != "" {
		t.RawSetString("launched", lua.LString(u.Launched))
	}
	if u.Since != "" {
		t.RawSetString("since", lua.LString(u.Since))
	}
	return t
}
