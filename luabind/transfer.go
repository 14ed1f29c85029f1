package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
)

// side is one end of a copy: an array on the host or an address on the device.
type side struct {
	array *Array
	ptr   driver.Ptr
}

func (c *call) side(param string) side {
	v := c.take()
	if ud, ok := v.(*lua.LUserData); ok {
		if a, ok := ud.Value.(*Array); ok {
			return side{array: a}
		}
	}
	return side{ptr: c.pointerValue(param, v)}
}

// memcpy copies between arrays and device addresses: hip.memcpy(dst, src, bytes, kind). The kind may be left out; if
// given it must fit the two ends.
func (c *call) memcpy(async bool) error {
	dst, src := c.side("dst"), c.side("src")
	bytes := c.size("size")
	kind := c.copyKind()
	dev, stream := c.s.device(c.l), (*hip.Stream)(nil)
	if async {
		stream = c.stream("stream")
	}
	c.end()
	if kind != copyDefault && kind != kindOf(dst, src) {
		return &driver.Fault{Code: driver.ErrorInvalidMemcpyDir, Detail: "the kind does not fit the places that are copied from and to"}
	}
	for _, end := range []struct {
		name string
		side
	}{{"dst", dst}, {"src", src}} {
		if end.array != nil && bytes > uint64(len(end.array.raw)) {
			c.bad(end.name, "%d bytes are more than the array's %d", bytes, len(end.array.raw))
		}
	}
	if dst.array == nil && src.array != nil {
		c.s.vm.Meter().Reserve(c.l, bytes) // the device keeps a copy until the stream gets there
	}
	return transfer(dev, stream, dst, src, bytes)
}

// copyDefault is hipMemcpyDefault: the places themselves tell the direction.
const copyDefault = 4

// copyKind reads the kind of a copy, which may be nil or left out.
func (c *call) copyKind() int64 {
	if c.l.Get(c.next).Type() == lua.LTNil {
		c.next++
		return copyDefault
	}
	return c.integer("kind", 0, copyDefault)
}

// kindOf returns the hipMemcpyKind of a copy between two places.
func kindOf(dst, src side) int64 {
	kind := int64(0)
	if dst.array == nil {
		kind = 1
	}
	if src.array == nil {
		kind += 2
	}
	return kind
}

func transfer(dev *hip.Device, stream *hip.Stream, dst, src side, bytes uint64) error {
	switch {
	case dst.array != nil && src.array != nil:
		copy(dst.array.raw[:bytes], src.array.raw[:bytes])
		return nil
	case dst.array != nil && stream != nil:
		return dev.ReadAsync(dst.array.raw[:bytes], src.ptr, stream)
	case dst.array != nil:
		return dev.Read(dst.array.raw[:bytes], src.ptr)
	case src.array != nil && stream != nil:
		return dev.WriteAsync(dst.ptr, src.array.raw[:bytes], stream)
	case src.array != nil:
		return dev.Write(dst.ptr, src.array.raw[:bytes])
	case stream != nil:
		return dev.CopyAsync(dst.ptr, src.ptr, bytes, stream)
	}
	return dev.Copy(dst.ptr, src.ptr, bytes)
}

func (c *call) memset(async bool) error {
	p := c.pointer("dst")
	value := byte(c.integer("value", -128, 255))
	bytes := c.size("size")
	dev := c.s.device(c.l)
	if !async {
		c.end()
		return dev.Fill(p, value, bytes)
	}
	stream := c.stream("stream")
	c.end()
	return dev.FillAsync(p, value, bytes, stream)
}

// hipUpload allocates device memory for an array and copies it there: hip.upload(array) -> pointer.
func (s *State) hipUpload(l *lua.LState) int {
	c := &call{s: s, l: l, fn: &binding{module: "hip", name: "upload"}, next: 1}
	from := c.side("array")
	if from.array == nil {
		c.bad("array", "want a host array")
	}
	dev := s.device(l)
	p, err := dev.Malloc(uint64(len(from.array.raw)))
	if err == nil {
		err = dev.Write(p, from.array.raw)
	}
	s.checkDevice(l)
	if err != nil {
		s.raise(l, &hipError{"hip.upload", err})
	}
	l.Push(s.pointer(p))
	return 1
}

// hipDownload fills an array from device memory: hip.download(array, pointer) -> array.
func (s *State) hipDownload(l *lua.LState) int {
	c := &call{s: s, l: l, fn: &binding{module: "hip", name: "download"}, next: 1}
	to := c.side("array")
	p := c.pointer("pointer")
	if to.array == nil {
		c.bad("array", "want a host array")
	}
	if err := s.device(l).Read(to.array.raw, p); err != nil {
		s.raise(l, &hipError{"hip.download", err})
	}
	l.Push(l.Get(1))
	return 1
}

// hipStats is hip.stats(): calls by name, synchronizing calls by cause, kernels, live and peak bytes.
func (s *State) hipStats(l *lua.LState) int {
	s.needRuntime(l)
	stats := s.opts.Runtime.Stats()
	t := l.NewTable()
	t.RawSetString("calls", counts(l, stats.Calls))
	t.RawSetString("syncs", counts(l, stats.Syncs))
	for name, value := range map[string]float64{"kernels": float64(stats.Kernels), "live_bytes": float64(stats.LiveBytes),
		"peak_bytes": float64(stats.PeakBytes), "live_blocks": float64(stats.LiveBlocks), "streams": float64(stats.Streams), "events": float64(stats.Events),
		"allocations": float64(stats.Allocations), "injected": float64(stats.Injected)} {
		t.RawSetString(name, lua.LNumber(value))
	}
	l.Push(t)
	return 1
}

// counts makes a table of counters in which a name that never counted is 0.
func counts(l *lua.LState, m map[string]int) *lua.LTable {
	t, meta := l.NewTable(), l.NewTable()
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

// hipTrace is hip.trace(): the HIP calls made since it was last called, in order.
func (s *State) hipTrace(l *lua.LState) int {
	s.needRuntime(l)
	list := l.NewTable()
	for _, call := range s.opts.Runtime.Trace() {
		t := l.NewTable()
		t.RawSetString("call", lua.LString(call.Name))
		if call.HasBytes {
			t.RawSetString("bytes", lua.LNumber(call.Bytes))
		}
		if call.HasStream {
			t.RawSetString("stream", lua.LNumber(call.Stream))
		}
		if call.Ptr != 0 {
			t.RawSetString("ptr", s.pointer(call.Ptr))
		}
		t.RawSetString("result", lua.LNumber(call.Result))
		t.RawSetString("seconds", lua.LNumber(call.Seconds))
		t.RawSetString("duration", lua.LNumber(call.Duration))
		t.RawSetString("cause", lua.LString(call.Cause))
		t.RawSetString("origin", lua.LString(call.Origin))
		t.RawSetString("synchronizing", lua.LBool(call.Synchronizing))
		if call.Injected != "" {
			t.RawSetString("injected", lua.LString(call.Injected))
		}
		list.Append(t)
	}
	l.Push(list)
	return 1
}

// hipHazards is hip.hazards(): uses of one memory by two streams without an order between them, since it was last
// called. A scenario that does not ask for them fails when there are any.
func (s *State) hipHazards(l *lua.LState) int {
	s.needRuntime(l)
	list := l.NewTable()
	for _, h := range s.opts.Runtime.Hazards() {
		t := l.NewTable()
		t.RawSetString("ptr", s.pointer(h.Ptr))
		t.RawSetString("bytes", lua.LNumber(h.Bytes))
		t.RawSetString("earlier", useTable(l, h.Earlier))
		t.RawSetString("later", useTable(l, h.Later))
		list.Append(t)
	}
	l.Push(list)
	return 1
}

func useTable(l *lua.LState, u driver.Use) *lua.LTable {
	t := l.NewTable()
	t.RawSetString("call", lua.LString(u.Call))
	t.RawSetString("stream", lua.LNumber(u.Stream))
	t.RawSetString("write", lua.LBool(u.Write))
	t.RawSetString("origin", lua.LString(u.Origin))
	return t
}
