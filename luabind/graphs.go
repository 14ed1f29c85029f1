package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/vm"
	"roclua/luabind/vm/memory"
)

// graphBox is a hipGraph_t in Lua.
type graphBox struct {
	graph *hip.Graph
	fills []fill
}

// graphExecBox is a hipGraphExec_t in Lua.
type graphExecBox struct {
	exec  *hip.GraphExec
	fills []fill
}

// fill is a captured copy to an array: each launch of the graph fills the array.
type fill struct {
	array *Array
	copy  *hip.HostCopy // nil on a platform that does not detect hazards of host memory
}

// Describe implements vm.Describer.
func (*graphBox) Describe() string { return "a graph" }

// Describe implements vm.Describer.
func (*graphExecBox) Describe() string { return "an executable graph" }

const (
	graphType     = "roclua.graph"
	graphExecType = "roclua.graph_exec"
)

// openGraphs makes the types of graphs.
func (s *state) openGraphs() {
	for name, text := range map[string]string{graphType: "graph", graphExecType: "executable graph"} {
		s.vm.NewType(name, map[string]lua.LGFunction{"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(text))
			return 1
		}})
	}
}

// filled keeps a copy of n bytes to an array that was queued last on a stream: the array is guarded until the copy is
// done. A captured copy guards the array after each launch of its graph.
func (c *call) filled(a *Array, stream *hip.Stream, n uint64) {
	if id := capturedBy(stream); id != 0 {
		c.s.fills[id] = append(c.s.fills[id], fill{a, c.s.device(c.l).LastHostCopy(stream, n)})
		return
	}
	a.filledBy(c.s.device(c.l), stream, n)
}

// capturedBy returns the number of the capture of a stream, or 0. A stream may be nil.
func capturedBy(stream *hip.Stream) uint64 {
	if stream == nil {
		return 0
	}
	return stream.Captured()
}

func hipStreamBeginCapture(_ *call, stream *hip.Stream, mode int64) error {
	return stream.BeginCapture(driver.CaptureMode(mode))
}

func hipStreamEndCapture(c *call, stream *hip.Stream) error {
	id := stream.Captured()
	g, err := stream.EndCapture()
	fills := c.s.fills[id]
	if stream.Captured() == 0 {
		delete(c.s.fills, id)
	}
	c.out(c.s.vm.Object(graphType, &graphBox{g, fills}))
	return err
}

func hipStreamIsCapturing(c *call, stream *hip.Stream) error {
	status, err := stream.IsCapturing()
	c.out(lua.LNumber(status))
	return err
}

func hipStreamGetCaptureInfo(c *call, stream *hip.Stream) error {
	status, id, err := stream.CaptureInfo()
	c.out(lua.LNumber(status))
	c.out(lua.LNumber(id))
	return err
}

func hipThreadExchangeStreamCaptureMode(c *call, mode int64) error {
	before, err := c.s.device(c.l).ExchangeCaptureMode(driver.CaptureMode(mode))
	c.out(lua.LNumber(before))
	return err
}

func hipGraphInstantiate(c *call, g *graphBox) error {
	e, err := g.graph.Instantiate()
	c.out(c.s.vm.Object(graphExecType, &graphExecBox{e, g.fills}))
	return err
}

func hipGraphLaunch(c *call, e *graphExecBox, stream *hip.Stream) error {
	if id := stream.Captured(); id != 0 {
		c.s.fills[id] = append(c.s.fills[id], e.fills...)
		return e.exec.Launch(stream)
	}
	for _, f := range e.fills {
		f.array.beforeFilling(c.fn.C, stream)
	}
	if err := e.exec.Launch(stream); err != nil {
		return err
	}
	for _, f := range e.fills {
		f.array.filling = f.copy.LaunchedOn(stream)
	}
	return nil
}

func hipGraphDestroy(_ *call, g *graphBox) error { return g.graph.Destroy() }

func hipGraphExecDestroy(_ *call, e *graphExecBox) error { return e.exec.Destroy() }

// nodeFields is how many fields a node has.
const nodeFields = 7

func hipGraphGetNodes(c *call, g *graphBox) error {
	nodes, err := g.graph.Nodes()
	c.s.vm.Meter().Reserve(c.l, memory.RecordBytes(len(nodes), nodeFields))
	list := c.l.CreateTable(len(nodes), 0)
	for _, n := range nodes {
		list.Append(c.nodeTable(n))
	}
	c.out(list)
	return err
}

func (c *call) nodeTable(n driver.Node) *lua.LTable {
	t := c.s.record("graph_node")
	t.RawSetString("type", lua.LNumber(n.Type))
	if n.Call != "" {
		t.RawSetString("call", lua.LString(n.Call))
		t.RawSetString("origin", lua.LString(n.Origin))
	}
	if n.Bytes != 0 {
		t.RawSetString("bytes", lua.LNumber(n.Bytes))
	}
	if n.Ptr != 0 {
		t.RawSetString("ptr", c.s.pointers.value(n.Ptr))
	}
	after := c.l.CreateTable(len(n.After), 0)
	for _, i := range n.After {
		after.Append(lua.LNumber(i + 1))
	}
	t.RawSetString("dependencies", after)
	return t
}

func hipGetLastError(c *call) error {
	c.s.needRuntime(c.l)
	c.status = c.s.statuses.hip(c.s.opts.Runtime.LastError())
	return nil
}

func hipPeekAtLastError(c *call) error {
	c.s.needRuntime(c.l)
	c.status = c.s.statuses.hip(c.s.opts.Runtime.PeekAtLastError(c.fn.C))
	return nil
}

func hipMallocManaged(c *call, size uint64, _ int64) error {
	p, err := c.s.device(c.l).MallocManaged(size)
	c.out(c.s.pointers.value(p))
	return err
}

func hipMemPoolSetAttribute(c *call, attribute int64, value uint64) error {
	return c.s.device(c.l).SetPoolAttribute(driver.PoolAttribute(attribute), value)
}

func hipMemPoolGetAttribute(c *call, attribute int64) error {
	value, err := c.s.device(c.l).PoolAttribute(driver.PoolAttribute(attribute))
	c.out(lua.LNumber(value))
	return err
}

func hipMemcpy2D(c *call, dst hostOrDevice, dpitch uint64, src hostOrDevice, spitch, width, height uint64,
	kind int64) error {
	return copyRows(c, rowCopy{dst, src, dpitch, spitch, width, height, kind, nil})
}

func hipMemcpy2DAsync(c *call, dst hostOrDevice, dpitch uint64, src hostOrDevice, spitch, width, height uint64,
	kind int64, stream *hip.Stream) error {
	return copyRows(c, rowCopy{dst, src, dpitch, spitch, width, height, kind, stream})
}

// rowCopy is a copy of rows. The stream is nil for a copy that the host waits for.
type rowCopy struct {
	dst, src           hostOrDevice
	dstPitch, srcPitch uint64
	width, height      uint64
	kind               int64
	stream             *hip.Stream
}

// extent returns the bytes from the first row to the end of the last one, at a pitch.
func (r *rowCopy) extent(pitch uint64) uint64 { return (r.height-1)*pitch + r.width }

func copyRows(c *call, r rowCopy) error {
	if err := checkKind(r.kind, r.dst, r.src); err != nil {
		return err
	}
	switch {
	case r.width > r.dstPitch || r.width > r.srcPitch:
		return driver.Faultf(driver.ErrorInvalidPitch, "the width %d is larger than a pitch, %d and %d", r.width,
			r.dstPitch, r.srcPitch)
	case r.width == 0 || r.height == 0:
		return nil
	case r.height > uint64(vm.MaxExact)/max(r.dstPitch, r.srcPitch):
		return driver.Faultf(driver.ErrorInvalidValue, "%d rows exceed the address space", r.height)
	}
	checkFits(c, "dst", r.dst, r.extent(r.dstPitch))
	checkFits(c, "src", r.src, r.extent(r.srcPitch))
	return r.run(c)
}

func (r *rowCopy) run(c *call) error {
	dev := c.s.device(c.l)
	captured := capturedBy(r.stream) != 0
	rows := driver.Rows{Width: r.width, Count: r.height, HostPitch: r.dstPitch, DevicePitch: r.srcPitch}
	switch {
	case r.dst.array != nil && r.src.array != nil:
		r.dst.array.beforeUse(c.fn.Title())
		for i := range r.height {
			copy(r.dst.array.raw[i*r.dstPitch:][:r.width], r.src.array.raw[i*r.srcPitch:])
		}
		return nil
	case r.dst.array != nil:
		if err := checkElements(c, r.dst.array, r.src.ptr, rows); err != nil && !captured {
			return err
		}
		r.dst.array.beforeFilling(c.fn.C, r.stream)
		err := dev.ReadRows(r.dst.array.raw, r.src.ptr, rows, r.stream)
		if err == nil {
			c.filled(r.dst.array, r.stream, r.extent(r.dstPitch))
		}
		return err
	case r.src.array == nil:
		rows.HostPitch, rows.DevicePitch = r.srcPitch, r.dstPitch
		return dev.CopyRows(r.dst.ptr, r.src.ptr, rows, r.stream)
	}
	rows.HostPitch, rows.DevicePitch = r.srcPitch, r.dstPitch
	c.s.vm.Meter().Reserve(c.l, rows.Bytes())
	err := dev.WriteRows(r.dst.ptr, r.src.array.raw, rows, r.stream)
	if err == nil && !captured {
		setElements(c, r.dst.ptr, r.src.array, rows)
	}
	return err
}
