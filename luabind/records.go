package luabind

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/vm/memory"
)

// record returns an empty table for an object of a class. A script that reads a field which the class does not declare
// gets an error.
func (s *state) record(class string) *lua.LTable {
	t := s.vm.State().CreateTable(0, 0)
	if s.recordTypes[class] == nil {
		s.recordTypes[class] = s.recordType(class)
	}
	t.Metatable = s.recordTypes[class]
	return t
}

// recordType returns the metatable of the objects of a class.
func (s *state) recordType(class string) *lua.LTable {
	fields := fieldsOf(class)
	meta := s.vm.State().CreateTable(0, 1)
	meta.RawSetString("__index", s.vm.Function(class, func(l *lua.LState) int {
		if name, ok := l.Get(2).(lua.LString); !ok || !slices.Contains(fields, string(name)) {
			key := l.Get(2).String()
			s.vm.Raisef(l, "a roclua.%s has no field %.40q%s", class, key, nearest.DidYouMean(key, fields))
		}
		l.Push(lua.LNil)
		return 1
	}))
	return meta
}

// hipStats returns counts of calls by name, waits by cause, kernels, and live and peak bytes.
func hipStats(c *call) error {
	c.s.needRuntime(c.l)
	stats := c.s.opts.Runtime.Stats()
	t := c.s.record("stats")
	t.RawSetString("calls", counts(c.l, stats.Calls))
	t.RawSetString("syncs", counts(c.l, stats.Syncs))
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
	c.out(t)
	return nil
}

// counts returns a table of counters in which a name that was not counted is 0.
func counts(l *lua.LState, m map[string]int) *lua.LTable {
	t, meta := l.CreateTable(0, len(m)+1), l.CreateTable(0, 1)
	total := 0
	for name, n := range m {
		t.RawSetString(name, lua.LNumber(n))
		total += n
	}
	t.RawSetString("total", lua.LNumber(total))
	meta.RawSetString("__index", l.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LNumber(0))
		return 1
	}))
	t.Metatable = meta
	return t
}

// traceFields is how many fields a call has in a trace.
const traceFields = 12

// hipTrace returns the calls since it was last called.
func hipTrace(c *call) error {
	c.s.needRuntime(c.l)
	meter := c.s.vm.Meter()
	meter.Reserve(c.l, memory.RecordBytes(c.s.opts.Runtime.Untraced(), traceFields))
	list, step := c.l.CreateTable(0, 0), meter.Every(c.l, 1<<10)
	for _, made := range c.s.opts.Runtime.Trace() {
		step()
		list.Append(traceTable(c, made))
	}
	c.out(list)
	return nil
}

func traceTable(c *call, made hip.Call) *lua.LTable {
	t := c.s.record("trace_call")
	t.RawSetString("call", lua.LString(made.Name))
	if made.HasBytes {
		t.RawSetString("bytes", lua.LNumber(made.Bytes))
	}
	if made.HasStream {
		t.RawSetString("stream", lua.LNumber(made.Stream))
	}
	if made.Ptr != 0 {
		t.RawSetString("ptr", c.s.pointers.value(made.Ptr))
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

// hipHazards returns the hazards found since it was last called. A case that does not call it fails when there are any.
func hipHazards(c *call) error {
	c.s.needRuntime(c.l)
	list := c.l.CreateTable(0, 0)
	for _, h := range c.s.opts.Runtime.Hazards() {
		t := c.s.record("hazard")
		t.RawSetString("ptr", c.s.pointers.value(h.Ptr))
		t.RawSetString("bytes", lua.LNumber(h.Bytes))
		t.RawSetString("earlier", c.s.accessTable(h.Earlier))
		t.RawSetString("later", c.s.accessTable(h.Later))
		list.Append(t)
	}
	c.out(list)
	return nil
}

// hipUnwrittenReads returns the reads of unwritten memory found since it was last called. A case that does not call it
// fails when there are any.
func hipUnwrittenReads(c *call) error {
	c.s.needRuntime(c.l)
	list := c.l.CreateTable(0, 0)
	for _, u := range c.s.opts.Runtime.UnwrittenReads() {
		t := c.s.record("unwritten_read")
		t.RawSetString("call", lua.LString(u.Call))
		t.RawSetString("origin", lua.LString(u.Origin))
		t.RawSetString("stream", lua.LNumber(u.Stream))
		if u.Param != "" {
			t.RawSetString("param", lua.LString(u.Param))
		}
		t.RawSetString("ptr", c.s.pointers.value(u.Ptr))
		t.RawSetString("bytes", lua.LNumber(u.Bytes))
		t.RawSetString("allocated", lua.LString(u.Allocated.Origin))
		list.Append(t)
	}
	c.out(list)
	return nil
}

func (s *state) accessTable(u driver.Use) *lua.LTable {
	t := s.record("access")
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
