package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// graphExec is an executable graph.
type graphExec struct {
	graph
	branches map[*stream][]*stream // by the stream of a launch: streams for the nodes of each captured stream
}

// Launch implements driver.GraphExec. It makes the captured calls again: those of the first captured stream in the
// stream of the launch, and those of each other captured stream in a stream that only the graph has. So the order of
// the nodes, their results, and what is found wrong about them are those of calls without a graph.
func (e *graphExec) Launch(s driver.Stream, kernel func(driver.Site) driver.Timer) error {
	st, ok := s.(*stream)
	if !ok || st.destroyed || st.device.runtime != e.runtime {
		return driver.ErrorInvalidHandle
	}
	if e.destroyed {
		return driver.ErrorInvalidValue
	}
	if st.capture != nil {
		return e.captureInto(st)
	}
	if _, err := st.device.stream(st); err != nil {
		return err
	}
	if err := e.checkMemory(); err != nil {
		return err
	}
	return e.run(st, kernel)
}

// captureInto captures a launch as one node.
func (e *graphExec) captureInto(st *stream) error {
	if e.hasMemory() {
		return driver.Faultf(driver.ErrorNotSupported, "a graph that allocates memory cannot be part of another graph")
	}
	return st.add(&graphNode{kind: driver.NodeGraph, site: e.runtime.locate(), replay: e.run})
}

// checkMemory returns an error if the launch would allocate memory that an earlier launch has left allocated, or more
// memory than is free.
func (e *graphExec) checkMemory() error {
	var held uint64
	for _, n := range e.nodes {
		switch {
		case n.memory == nil:
		case n.kind == driver.NodeMemFree:
			held -= min(held, n.memory.size)
		case n.memory.live != nil:
			return driver.Faultf(driver.ErrorInvalidValue,
				"the graph allocates %d bytes for %s, which are still allocated since the launch by %s",
				n.memory.size, n.site, n.memory.launched)
		default:
			held += n.memory.size
			if s := &n.memory.device.space; held > s.capacity-s.used {
				return driver.ErrorOutOfMemory
			}
		}
	}
	return nil
}

// run queues the nodes of the graph in the order of their capture. An error ends it; what is queued still runs.
func (e *graphExec) run(st *stream, kernel func(driver.Site) driver.Timer) error {
	rt := e.runtime
	locate := rt.locate
	site := locate()
	defer func() { rt.locate = locate }()
	branches := e.branchesOf(st)
	begin := st.enqueue(site, nil, nil)
	for _, branch := range branches[1:] {
		branch.enqueue(site, nil, nil, begin)
	}
	queued := make([]*operation, len(e.nodes))
	var failed error
	for i, n := range e.nodes {
		at := driver.Site{Call: n.site.Call, Origin: n.site.Origin, Launched: site.Origin}
		rt.locate = func() driver.Site { return at }
		branch := branches[n.branch]
		if others := e.others(n, queued); others != nil {
			branch.enqueue(at, nil, nil, others...)
		}
		if !n.stale(branch) {
			if failed = n.replay(branch, kernel); failed != nil {
				break
			}
		}
		queued[i], n.last = branch.last, branch.last
	}
	if len(branches) > 1 {
		ends := make([]*operation, 0, len(branches)-1)
		for _, branch := range branches[1:] {
			ends = append(ends, branch.last)
		}
		st.enqueue(site, nil, nil, ends...)
	}
	return failed
}

// others returns the operations of other branches that a node depends on.
func (e *graphExec) others(n *graphNode, queued []*operation) []*operation {
	var list []*operation
	for _, i := range n.after {
		if e.nodes[i].branch != n.branch {
			list = append(list, queued[i])
		}
	}
	return list
}

// branchesOf returns the streams of a launch in a stream. Later launches in the same stream use them again.
func (e *graphExec) branchesOf(st *stream) []*stream {
	for other := range e.branches {
		if other.destroyed {
			e.closeBranches(other)
		}
	}
	branches := e.branches[st]
	if branches == nil {
		branches = []*stream{st}
		for range e.streams - 1 {
			branches = append(branches, st.device.newStream(st.id, false))
		}
		e.branches[st] = branches
	}
	return branches
}

// closeBranches ends the streams that the graph has for launches in a stream. Their queued work is still done.
func (e *graphExec) closeBranches(st *stream) {
	for _, branch := range e.branches[st][1:] {
		if !branch.destroyed {
			branch.close()
		}
	}
	delete(e.branches, st)
}

// Destroy implements driver.GraphExec. Queued work of the branches is still done.
func (e *graphExec) Destroy() error {
	if e.destroyed {
		return driver.ErrorInvalidValue
	}
	e.destroyed = true
	for st := range e.branches {
		e.closeBranches(st)
	}
	for _, n := range e.nodes {
		n.unreserve()
	}
	return nil
}

// stale reports memory that a node named when it was captured and that is no longer the same. Memory that was freed is
// a fault of the device, and the node does not run. Memory that was allocated again is only reported: a real device
// uses it.
func (n *graphNode) stale(branch *stream) bool {
	d := branch.device
	for _, m := range n.names {
		low, bytes := m.region.Bounds()
		now, ok := d.runtime.at(low)
		if ok && now.contains(low, bytes) && (now == m.block || m.memory != nil && now.reserved == m.memory) {
			continue
		}
		d.report(m.changed(now, ok, driver.Use{Call: n.site.Call, Stream: branch.id, Write: m.region.Access.Writes(),
			Origin: n.site.Origin, Launched: d.runtime.locate().Launched}))
		if ok {
			continue
		}
		err := driver.Faultf(driver.ErrorIllegalAddress, "%s on device %d uses %d bytes for %s: %s", d.runtime.locate(),
			d.index, bytes, name(&m.region), d.runtime.describeAddress(low))
		branch.enqueue(d.runtime.locate(), nil, func() error { return err })
		return true
	}
	return false
}

// changed returns the hazard of a node whose memory is not the same as at its capture. ok means that there is a block
// now.
func (m named) changed(now *block, ok bool, later driver.Use) driver.Hazard {
	low, bytes := m.region.Bounds()
	change := driver.Use{Write: true, Since: "freed"}
	by := driver.Site{Call: "no launch", Origin: "the memory of the graph was not allocated"}
	switch {
	case ok:
		by, change.Since = now.allocatedBy, "allocated"
	case m.block != nil:
		by = m.block.freedBy
	case m.memory != nil && m.memory.freed != nil:
		by = m.memory.freed.freedBy
	}
	change.Call, change.Origin = by.Call, by.Origin
	return driver.Hazard{Ptr: driver.Ptr(low), Bytes: bytes, Earlier: change, Later: later}
}

// reservation is the memory of an allocation node: its addresses, which stay the same in all launches, and the block
// while it is allocated.
type reservation struct {
	base, size uint64
	device     *device
	users      int         // nodes of graphs and executable graphs
	live       *block      // nil while it is not allocated
	freed      *block      // of the latest launch, once it is freed
	launched   driver.Site // the call that allocated it
}

// captureMalloc captures an allocation: its address is fixed now, and its memory is allocated by each launch.
func (d *device) captureMalloc(st *stream, bytes uint64) (driver.Ptr, error) {
	if st.capture.invalid != nil {
		return 0, st.capture.invalidated() // as HIP does, before it looks for memory
	}
	m := &reservation{size: bytes, device: d}
	place, ok := d.space.place(bytes)
	if !ok || bytes > d.space.capacity {
		return 0, driver.ErrorOutOfMemory
	}
	n := &graphNode{kind: driver.NodeMemAlloc, site: d.runtime.locate(), bytes: bytes, memory: m,
		replay: func(s *stream, _ func(driver.Site) driver.Timer) error { return d.allocateReserved(s, m) }}
	if err := st.add(n); err != nil {
		return 0, err
	}
	m.base = place
	d.space.cursor = place + bytes
	n.reserve()
	return driver.Ptr(place), nil
}

// allocateReserved allocates the memory of an allocation node for a launch.
func (d *device) allocateReserved(s *stream, m *reservation) error {
	site := d.runtime.locate()
	b := &block{base: m.base, size: m.size, device: d, allocatedBy: site, pooled: true}
	b.reserved = m
	if m.freed != nil {
		b.history = slices.Clone(m.freed.history) // of the same addresses, which another launch may still use
	}
	if err := d.space.insert(b); err != nil {
		return err
	}
	m.live, m.launched = b, driver.Site{Call: "hipGraphLaunch", Origin: site.Launched}
	s.enqueue(site, []use{{block: b, region: b.whole()}}, nil)
	return nil
}

// captureFree captures the release of memory, which must be memory of a graph.
func (d *device) captureFree(st *stream, p driver.Ptr) error {
	s, _ := d.runtime.space(uint64(p))
	if s == nil {
		return driver.Faultf(driver.ErrorInvalidValue, "%s", d.runtime.describeAddress(uint64(p)))
	}
	i := slices.IndexFunc(s.reserved, func(m *reservation) bool { return m.base == uint64(p) })
	if i < 0 {
		return driver.Faultf(driver.ErrorInvalidValue,
			"while a stream is captured, only memory that was allocated in a graph can be freed: %s",
			d.runtime.describeAddress(uint64(p)))
	}
	n := &graphNode{kind: driver.NodeMemFree, site: d.runtime.locate(), memory: s.reserved[i],
		replay: func(s *stream, _ func(driver.Site) driver.Timer) error { return d.FreeAsync(s, p) }}
	if err := st.add(n); err != nil {
		return err
	}
	n.reserve()
	return nil
}

// reserve keeps the addresses of a node's memory while a graph has the node.
func (n *graphNode) reserve() {
	if m := n.memory; m != nil {
		if m.users++; m.users == 1 {
			m.device.space.reserved = append(m.device.space.reserved, m)
		}
	}
}

func (n *graphNode) unreserve() {
	if m := n.memory; m != nil {
		if m.users--; m.users == 0 {
			s := &m.device.space
			s.reserved = slices.DeleteFunc(s.reserved, func(other *reservation) bool { return other == m })
		}
	}
}
