package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
)

// hostOrDevice is the source or the destination of a copy: a host array, or an address on the device.
type hostOrDevice struct {
	array *Array
	ptr   driver.Ptr
}

// copyDefault is hipMemcpyDefault: the direction follows from destination and source.
const copyDefault = 4

func hipMemcpy(c *call, dst, src hostOrDevice, size uint64, kind int64) error {
	return c.copy(dst, src, size, kind, nil)
}

func hipMemcpyAsync(c *call, dst, src hostOrDevice, size uint64, kind int64, stream *hip.Stream) error {
	return c.copy(dst, src, size, kind, stream)
}

// copy copies in a stream, or waits for the copy if the stream is nil. A kind must match destination and source.
func (c *call) copy(dst, src hostOrDevice, size uint64, kind int64, stream *hip.Stream) error {
	dev := c.s.device(c.l)
	if kind != copyDefault && kind != kindOf(dst, src) {
		return &driver.Fault{Code: driver.ErrorInvalidMemcpyDir, Detail: "the kind does not match destination and source"}
	}
	c.fits("dst", dst, size)
	c.fits("src", src, size)
	if dst.array == nil && src.array != nil {
		c.s.vm.Meter().Reserve(c.l, size) // the device keeps a copy until the stream reads it
	}
	return transfer(dev, stream, dst, src, size)
}

// fits raises an error if a copy is larger than an array.
func (c *call) fits(param string, m hostOrDevice, size uint64) {
	if m.array != nil && size > uint64(len(m.array.raw)) {
		c.bad(param, "the array has %d bytes, fewer than the size %d", len(m.array.raw), size)
	}
}

// kindOf returns the hipMemcpyKind of a copy.
func kindOf(dst, src hostOrDevice) int64 {
	kind := int64(0)
	if dst.array == nil {
		kind = 1
	}
	if src.array == nil {
		kind += 2
	}
	return kind
}

func transfer(dev *hip.Device, stream *hip.Stream, dst, src hostOrDevice, bytes uint64) error {
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

func hipMemset(c *call, dst driver.Ptr, value int64, size uint64) error {
	return c.s.device(c.l).Fill(dst, byte(value), size)
}

func hipMemsetAsync(c *call, dst driver.Ptr, value int64, size uint64, stream *hip.Stream) error {
	return c.s.device(c.l).FillAsync(dst, byte(value), size, stream)
}

func hipUpload(c *call, a *Array) error {
	dev := c.s.device(c.l)
	p, err := dev.Malloc(uint64(len(a.raw)))
	if err == nil {
		err = dev.Write(p, a.raw)
	}
	c.out(c.s.pointer(p))
	return err
}

func hipDownload(c *call, a *Array, p driver.Ptr) error {
	c.out(c.l.Get(1))
	return c.s.device(c.l).Read(a.raw, p)
}

// hipStats returns counts of calls by name, waits by cause, kernels, and live and peak bytes.
func hipStats(c *call) error {
	c.s.needRuntime(c.l)
	stats := c.s.opts.Runtime.Stats()
	t := c.l.NewTable()
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

func hipTrace(c *call) error {
	c.s.needRuntime(c.l)
	list := c.l.NewTable()
	for _, made := range c.s.opts.Runtime.Trace() {
		list.Append(c.traceTable(made))
	}
	c.out(list)
	return nil
}

func (c *call) traceTable(made hip.Call) *lua.LTable {
	t := c.l.NewTable()
	t.RawSetString("call", lua.LString(made.Name))
	if made.HasBytes {
		t.RawSetString("bytes", lua.LNumber(made.Bytes))
	}
	if made.HasStream {
		t.RawSetString("stream", lua.LNumber(made.Stream))
	}
	if made.Ptr != 0 {
		t.RawSetString("ptr", c.s.pointer(made.Ptr))
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
	list := c.l.NewTable()
	for _, h := range c.s.opts.Runtime.Hazards() {
		t := c.l.NewTable()
		t.RawSetString("ptr", c.s.pointer(h.Ptr))
		t.RawSetString("bytes", lua.LNumber(h.Bytes))
		t.RawSetString("earlier", accessTable(c.l, h.Earlier))
		t.RawSetString("later", accessTable(c.l, h.Later))
		list.Append(t)
	}
	c.out(list)
	return nil
}

func accessTable(l *lua.LState, u driver.Use) *lua.LTable {
	t := l.NewTable()
	t.RawSetString("call", lua.LString(u.Call))
	t.RawSetString("stream", lua.LNumber(u.Stream))
	t.RawSetString("write", lua.LBool(u.Write))
	t.RawSetString("origin", lua.LString(u.Origin))
	return t
}
