package native

import (
	"runtime"
	"unsafe"

	"roclua/hip/driver"
)

// A capture that is not relaxed must end in the thread that began it, and the runtime keeps the mode of the thread. So
// the host stays on its thread from the beginning of the first capture to the end of the last.

func (d *Device) BeginCapture(s driver.Stream, mode driver.CaptureMode) error {
	runtime.LockOSThread()
	err := d.call("StreamBeginCapture", handleOf(s), uintptr(mode))
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	d.rt.captures[s.(*Stream)] = true
	return nil
}

func (d *Device) EndCapture(s driver.Stream) (driver.Graph, error) {
	handle := new(uintptr)
	err := d.call("StreamEndCapture", handleOf(s), uintptr(unsafe.Pointer(handle)))
	code := driver.CodeOf(err)
	stays := code == driver.ErrorCaptureUnmatched || code == driver.ErrorCaptureWrongThread
	if !stays {
		d.rt.forget(s.(*Stream))
	}
	if err != nil {
		return nil, err
	}
	g := &Graph{device: d, handle: *handle, memory: d.rt.captured}
	if len(d.rt.captures) == 0 {
		d.rt.captured = nil
	}
	d.rt.graphs[g] = true
	return g, nil
}

func (d *Device) CaptureInfo(s driver.Stream) (driver.CaptureStatus, uint64, error) {
	info := new(struct {
		id     uint64
		status int32
	})
	err := d.OnDevice(func() error {
		return d.api.streamCaptureInfo(handleOf(s), uintptr(unsafe.Pointer(&info.status)),
			uintptr(unsafe.Pointer(&info.id)))
	})
	status := driver.CaptureStatus(info.status)
	if err != nil || status != driver.CaptureActive {
		return status, 0, err
	}
	return status, info.id, nil
}

// streamCaptureInfo calls the function that returns status and number. CUDA 12 has it under the names of two versions,
// CUDA 13 only with more arguments, which may be null.
//
//go:uintptrescapes
func (a *API) streamCaptureInfo(stream, status, id uintptr) error {
	if _, err := a.address("StreamGetCaptureInfo_v2"); err == nil {
		return a.Call("StreamGetCaptureInfo_v2", stream, status, id, 0, 0, 0)
	}
	return a.Call("StreamGetCaptureInfo", stream, status, id, 0, 0, 0, 0)
}

// ExchangeCaptureMode implements driver.Device. The mode belongs to the thread, so the host stays on its thread while
// the mode is not the initial one.
func (d *Device) ExchangeCaptureMode(mode driver.CaptureMode) (driver.CaptureMode, error) {
	runtime.LockOSThread()
	value := new(int32)
	*value = int32(mode)
	err := d.api.Call("ThreadExchangeStreamCaptureMode", uintptr(unsafe.Pointer(value)))
	changed := err == nil && mode != driver.CaptureGlobal
	switch {
	case changed && !d.rt.thread.modeChanged:
		d.rt.thread.modeChanged = true
		return driver.CaptureMode(*value), nil
	case err == nil && !changed && d.rt.thread.modeChanged:
		d.rt.thread.modeChanged = false
		runtime.UnlockOSThread()
	}
	runtime.UnlockOSThread()
	return driver.CaptureMode(*value), err
}

// CheckHostCopy implements driver.Device: it makes a synchronous copy of no bytes, because the copies of this package
// are made in stream order.
func (d *Device) CheckHostCopy() error {
	return d.call("Memcpy", 0, 0, 0, copyDefault)
}

// Capturing reports whether a capture has begun and not ended.
func (d *Device) Capturing() bool { return len(d.rt.captures) > 0 }

// Captures reports whether the stream is captured. The runtime is not asked while there is no capture.
func (d *Device) Captures(s driver.Stream) bool {
	if len(d.rt.captures) == 0 {
		return false
	}
	status, _, err := d.CaptureInfo(s)
	return err == nil && status == driver.CaptureActive
}

// Keep keeps host memory that a captured copy uses until the graph is destroyed.
func (d *Device) Keep(s driver.Stream, memory []byte) (captured bool) {
	captured = d.Captures(s)
	if captured {
		d.rt.captured = append(d.rt.captured, memory)
	}
	return captured
}

// forget ends the capture of a stream that is destroyed.
func (rt *Runtime) forget(s *Stream) {
	if rt.captures[s] {
		delete(rt.captures, s)
		runtime.UnlockOSThread()
	}
}

// Graph is a graph of the runtime.
type Graph struct {
	device *Device
	handle uintptr
	memory [][]byte // host memory that its copies use

	allocated []driver.Node // allocations that a launch leaves
	freed     []driver.Ptr  // memory of other graphs that a launch frees
	callsHost bool          // a launch may call functions of the host
}

// Nodes implements driver.Graph. Nodes are in the order of the runtime, which may differ from the order of their
// dependencies.
func (g *Graph) Nodes() ([]driver.Node, error) {
	a, count := g.device.api, new(uintptr)
	if err := a.Call("GraphGetNodes", g.handle, 0, uintptr(unsafe.Pointer(count))); err != nil || *count == 0 {
		return nil, err
	}
	handles := make([]uintptr, *count)
	err := a.Call("GraphGetNodes", g.handle, uintptr(unsafe.Pointer(&handles[0])), uintptr(unsafe.Pointer(count)))
	if err != nil {
		return nil, err
	}
	index := map[uintptr]int{}
	for i, h := range handles {
		index[h] = i
	}
	list := make([]driver.Node, len(handles))
	for i, h := range handles {
		if err := a.readNode(&list[i], h, index); err != nil {
			return nil, err
		}
	}
	list = sorted(list)
	g.allocated, g.freed = driver.Follow(list)
	g.callsHost = callsHost(list)
	return list, nil
}

// memAllocParams is the part of hipMemAllocNodeParams and cudaMemAllocNodeParams that is read: both have 88 bytes of
// properties of the pool before it.
type memAllocParams struct {
	pool        [88]byte
	access      uintptr
	accessCount uintptr
	bytes       uint64
	ptr         driver.Ptr
	more        [64]byte
}

// readNode reads the type of a node, the memory that it allocates or frees, and its dependencies.
func (a *API) readNode(n *driver.Node, handle uintptr, index map[uintptr]int) error {
	kind := new(int32)
	if err := a.Call("GraphNodeGetType", handle, uintptr(unsafe.Pointer(kind))); err != nil {
		return err
	}
	n.Type = driver.NodeType(*kind)
	switch n.Type {
	case driver.NodeMemAlloc:
		p := new(memAllocParams)
		if err := a.Call("GraphMemAllocNodeGetParams", handle, uintptr(unsafe.Pointer(p))); err != nil {
			return err
		}
		n.Ptr, n.Bytes = p.ptr, p.bytes
	case driver.NodeMemFree:
		if err := a.Call("GraphMemFreeNodeGetParams", handle, uintptr(unsafe.Pointer(&n.Ptr))); err != nil {
			return err
		}
	}
	return a.readDependencies(n, handle, index)
}

// edgeData is cudaGraphEdgeData.
type edgeData [8]byte

// dependencies calls the function that returns the nodes that a node depends on. CUDA 13 has it only with one argument
// more, an array for properties of the edges. It can be null only if all properties are zero, and cuBLAS sets some.
//
//go:uintptrescapes
func (a *API) dependencies(node, list, edges, count uintptr) error {
	if _, err := a.address("GraphNodeGetDependencies_v2"); err == nil {
		return a.Call("GraphNodeGetDependencies_v2", node, list, edges, count)
	}
	version := 0
	if a.Prefix == "cuda" {
		version, _ = a.Version()
	}
	if version >= 13000 {
		return a.Call("GraphNodeGetDependencies", node, list, edges, count)
	}
	return a.Call("GraphNodeGetDependencies", node, list, count)
}

func (a *API) readDependencies(n *driver.Node, handle uintptr, index map[uintptr]int) error {
	count := new(uintptr)
	if err := a.dependencies(handle, 0, 0, uintptr(unsafe.Pointer(count))); err != nil || *count == 0 {
		return err
	}
	list, edges := make([]uintptr, *count), make([]edgeData, *count)
	err := a.dependencies(handle, uintptr(unsafe.Pointer(&list[0])), uintptr(unsafe.Pointer(&edges[0])),
		uintptr(unsafe.Pointer(count)))
	if err != nil {
		return err
	}
	for _, h := range list {
		n.After = append(n.After, index[h])
	}
	return nil
}

// sorted returns nodes, each after the nodes that it depends on, otherwise in their order.
func sorted(nodes []driver.Node) []driver.Node {
	place := make([]int, len(nodes)) // from 1; 0 for nodes that have none yet
	list := make([]driver.Node, 0, len(nodes))
	var add func(i int)
	add = func(i int) {
		if place[i] != 0 {
			return
		}
		n := nodes[i]
		place[i] = -1 // the runtime has no cycles
		after := make([]int, 0, len(n.After))
		for _, j := range n.After {
			add(j)
			after = append(after, place[j]-1)
		}
		n.After = after
		list = append(list, n)
		place[i] = len(list)
	}
	for i := range nodes {
		add(i)
	}
	return list
}

// Instantiate implements driver.Graph. The function with flags has the same arguments in all versions.
func (g *Graph) Instantiate() (driver.GraphExec, error) {
	handle := new(uintptr)
	err := g.device.call("GraphInstantiateWithFlags", uintptr(unsafe.Pointer(handle)), g.handle, 0)
	if err != nil {
		return nil, err
	}
	e := &GraphExec{graph: g, device: g.device, handle: *handle, memory: g.memory}
	g.device.rt.execs[e] = true
	return e, nil
}

func (g *Graph) Destroy() error {
	delete(g.device.rt.graphs, g)
	return g.device.call("GraphDestroy", g.handle)
}

// GraphExec is an executable graph of the runtime.
type GraphExec struct {
	graph  *Graph
	device *Device
	handle uintptr
	memory [][]byte // host memory that its copies use
}

// Launch implements driver.GraphExec. The times of its kernels are not known.
func (e *GraphExec) Launch(s driver.Stream, _ func(driver.Site) driver.Timer) error {
	captured, call := e.device.Captures(s), e.device.queue
	if e.graph.callsHost && !captured {
		call = e.device.withFunctions
	}
	err := call(func() error {
		return e.device.api.Call("GraphLaunch", e.handle, handleOf(s))
	})
	if err != nil || captured {
		return err
	}
	if e.graph.callsHost {
		e.device.rt.hosts.streams[s.(*Stream)] = true
	}
	for _, p := range e.graph.freed {
		e.device.rt.freed(p)
	}
	for _, n := range e.graph.allocated {
		e.device.live[n.Ptr] = true
	}
	return nil
}

// Destroy implements driver.GraphExec. A launch may still use host memory, so Destroy then waits for the device.
func (e *GraphExec) Destroy() error {
	delete(e.device.rt.execs, e)
	return e.device.WithDevice(func() error {
		if len(e.memory) > 0 && len(e.device.rt.captures) == 0 {
			e.device.api.Call("DeviceSynchronize") // reports faults later
		}
		return e.device.api.Call("GraphExecDestroy", e.handle)
	})
}

// closeCaptures ends captures and destroys graphs, before the streams are destroyed. It restores the initial mode of
// the thread, because the next case may run on it.
func (rt *Runtime) closeCaptures() {
	for s := range rt.captures {
		if g, err := s.device.EndCapture(s); err == nil {
			g.Destroy()
		}
	}
	for e := range rt.execs {
		e.Destroy()
	}
	for g := range rt.graphs {
		g.Destroy()
	}
	if rt.thread.modeChanged {
		rt.devices[0].ExchangeCaptureMode(driver.CaptureGlobal)
	}
}
