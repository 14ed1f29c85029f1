package cpu

import (
	"math"

	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

type graphExec struct {
	graph
	union    *union                // of a graph that claims memory; nil before
	branches map[*stream][]*stream // by the stream of a launch: streams for the nodes of each captured stream
}

// Launch implements driver.GraphExec. It makes the captured calls again: calls of the first captured stream in the
// stream of the launch, and calls of each other captured stream in a stream of the graph. So the order of the nodes,
// their results and the findings about them are the same as for calls without a graph.
func (e *graphExec) Launch(s driver.Stream, kernel func(driver.Site) driver.Timer) error {
	st, ok := s.(*stream)
	if !ok || st.Closed() || st.device.runtime != e.runtime {
		return driver.ErrorInvalidHandle
	}
	if e.destroyed {
		return driver.ErrorInvalidValue
	}
	if st.branch.Captured() {
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
	return st.branch.Add(&capture.Node{Kind: driver.NodeGraph, Replay: e.run})
}

// checkMemory returns an error if the launch would allocate memory that an earlier launch has left allocated, or more
// memory than is free.
func (e *graphExec) checkMemory() error {
	var held uint64
	for _, n := range e.nodes {
		switch {
		case n.Memory == nil:
		case n.Kind == driver.NodeMemFree:
			held -= min(held, n.Memory.Size)
		case n.Memory.Live != nil:
			return driver.Faultf(driver.ErrorInvalidValue,
				"the graph allocates %d bytes for %s, which are still allocated since the launch by %s",
				n.Memory.Size, n.Site, n.Memory.Launched)
		default:
			held += n.Memory.Size
			if held > n.Memory.Space.Free() {
				return driver.ErrorOutOfMemory
			}
		}
	}
	return nil
}

// run queues the nodes of the graph in the order of their capture. An error ends it; queued work still runs.
func (e *graphExec) run(s driver.Stream, kernel func(driver.Site) driver.Timer) error {
	st, rt := s.(*stream), e.runtime
	thread, node := rt.thread, rt.thread.node
	site := rt.locate()
	if e.claim(st, site, kernel) {
		return nil
	}
	defer func() { thread.node = node }()
	if rt.time != nil {
		rt.spend(st.device.model.time.Launch)
		rt.time.Group(1)
		defer rt.time.Group(-1)
	}
	branches := e.branchesOf(st)
	begin := st.Enqueue(site, nil)
	for _, branch := range branches[1:] {
		branch.Enqueue(site, nil, begin)
	}
	queued := make([]*order.Operation, len(e.nodes))
	var failed error
	for i, n := range e.nodes {
		at := n.Site
		at.Launched = site.Origin
		thread.node = &at
		branch := branches[n.Branch]
		if others := e.others(n, queued); others != nil {
			branch.Enqueue(at, nil, others...)
		}
		if !stale(n, branch) {
			if failed = n.Replay(branch, kernel); failed != nil {
				break
			}
		}
		queued[i], n.Last = branch.Last(), branch.Last()
	}
	if len(branches) > 1 {
		ends := make([]*order.Operation, 0, len(branches)-1)
		for _, branch := range branches[1:] {
			ends = append(ends, branch.Last())
		}
		st.Enqueue(site, nil, ends...)
	}
	return failed
}

// others returns the operations of other branches that a node depends on.
func (e *graphExec) others(n *capture.Node, queued []*order.Operation) []*order.Operation {
	var list []*order.Operation
	for _, i := range n.After {
		if e.nodes[i].Branch != n.Branch {
			list = append(list, queued[i])
		}
	}
	return list
}

// branchesOf returns the streams of a launch in a stream. Later launches in the same stream use them again.
func (e *graphExec) branchesOf(st *stream) []*stream {
	for other := range e.branches {
		if other.Closed() {
			e.closeBranches(other)
		}
	}
	branches := e.branches[st]
	if branches == nil {
		branches = []*stream{st}
		for range e.streams - 1 {
			branches = append(branches, st.device.newStream(st.ID(), false))
		}
		e.branches[st] = branches
	}
	return branches
}

// closeBranches ends the streams that the graph has for launches in a stream. Their queued work is still done.
func (e *graphExec) closeBranches(st *stream) {
	for _, branch := range e.branches[st][1:] {
		if !branch.Closed() {
			branch.Close()
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
	capture.Drop(e.nodes)
	return nil
}

// stale reports memory that a node named when it was captured and that is no longer the same. Memory that was freed is
// a fault of the device, and the node does not run. Memory that was allocated again is only reported: a real device
// uses it.
func stale(n *capture.Node, branch *stream) bool {
	d := branch.device
	for i := range n.Names {
		m := &n.Names[i]
		now, same := m.Find(d.runtime.spaces)
		if same {
			continue
		}
		at := d.runtime.locate()
		low, bytes := m.Region.Bounds()
		change := driver.Use{Write: true}
		by, since := m.Changed(now)
		change.Call, change.Origin, change.Since = by.Call, by.Origin, since
		d.hazards.Report(driver.Hazard{Ptr: driver.Ptr(low), Bytes: bytes, Earlier: change,
			Later: driver.Use{Call: n.Site.Call, Device: d.index, Stream: branch.ID(), Write: m.Region.Access.Writes(),
				Origin: n.Site.Origin, Handle: n.Site.Handle, Launched: at.Launched}})
		switch {
		case now != nil:
			continue
		case d.runtime.kernels == driver.KernelsClaim:
			return true
		}
		err := driver.Faultf(driver.ErrorIllegalAddress, "%s on device %d uses %d bytes for %s: %s", at, d.index, bytes,
			name(&m.Region), d.runtime.spaces.Describe(low))
		branch.Enqueue(at, func() error { return err })
		return true
	}
	return false
}

// The host performs an operation itself if nothing remains to be done before it and it is brief: it is guaranteed to
// finish, and takes less time than waking the goroutine of its stream. Marks, small copies and small kernels are brief.
// The program observes the same as with a fast stream: the order of operations, the hazards among them and their faults
// depend on the waits of the host, not on time.

// briefCopy is the largest number of bytes of a brief copy.
const briefCopy = 4 << 10

// briefWork is the largest number of multiplications of a brief kernel.
const briefWork = 1 << 12

// workOf returns the approximate number of multiplications of a kernel, at least one. A routine of rocSOLVER counts as
// more than any brief kernel, because some routines iterate until a result converges.
func workOf(a *routine.Args) int64 {
	const most = math.MaxInt32
	if a.Routine.Library == routine.RocSOLVER {
		return most
	}
	order := max(1, a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), a.Int(routine.KL), a.Int(routine.KU))
	work := max(1, a.Batch())
	for range a.Routine.Family.Level {
		if order > most || work > most {
			return most
		}
		work *= order
	}
	return work
}
