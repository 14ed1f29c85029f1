package cpu

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine/region"
)

// graph is captured work. A node depends only on nodes before it.
type graph struct {
	runtime      *runtime
	nodes        []*graphNode
	streams      int // that were captured
	made         driver.Site
	instantiated *driver.Site
	destroyed    bool
}

// graphNode is a captured call.
type graphNode struct {
	kind   driver.NodeType
	site   driver.Site
	bytes  uint64
	branch int   // the captured stream, as an index
	after  []int // nodes that it depends on
	names  []named
	memory *reservation // that the node allocates or frees; nil for other nodes
	last   *operation   // of the latest launch; nil before

	// replay makes the call again in a stream.
	replay func(s *stream, kernel func(driver.Site) driver.Timer) error
}

// named is memory that a call named when it was captured: a block, or memory of a graph.
type named struct {
	region region.Region
	block  *block
	memory *reservation
}

// nameOf returns the memory of a region; ok is false if the region is not in a block.
func (rt *runtime) nameOf(r region.Region) (n named, ok bool) {
	low, bytes := r.Bounds()
	if b, ok := rt.at(low); ok && b.contains(low, bytes) {
		return named{r, b, b.reserved}, true
	}
	if s, ok := rt.space(low); ok {
		for _, m := range s.reserved {
			if low >= m.base && low-m.base <= m.size && bytes <= m.size-(low-m.base) {
				return named{r, nil, m}, true
			}
		}
	}
	return named{}, false
}

// captureTransfer captures a copy or a fill. Its memory must exist, or be memory of a graph.
func (d *device) captureTransfer(st *stream, regions []region.Region, t transfer) error {
	if st.capture.invalid != nil {
		return st.capture.invalidated() // as HIP does, before it looks at the arguments
	}
	node := &graphNode{kind: t.kind, site: d.runtime.locate()}
	for _, r := range regions {
		n, ok := d.runtime.nameOf(r)
		if !ok {
			return d.noBlock(&r)
		}
		node.names = append(node.names, n)
	}
	node.bytes = regions[0].Rows * regions[0].Cols
	kept := slices.Clone(regions) // the argument does not escape, for calls that are not captured
	node.replay = func(s *stream, _ func(driver.Site) driver.Timer) error { return d.transfer(s, kept, t) }
	return st.add(node)
}

// captureLaunch captures a routine. The memory behind arrays of pointers is known when the graph is launched.
func (d *device) captureLaunch(st *stream, l *driver.Launch) error {
	node := &graphNode{kind: driver.NodeKernel, site: d.runtime.locate()}
	call := copyOf(l)
	for _, r := range appendRegions(nil, call) {
		if r.Indirect {
			continue
		}
		if n, ok := d.runtime.nameOf(r); ok {
			node.names = append(node.names, n)
		}
	}
	node.replay = func(s *stream, kernel func(driver.Site) driver.Timer) error {
		again := *call
		again.Timer = nil
		if kernel != nil {
			again.Timer = kernel(d.runtime.locate())
		}
		return d.Execute(s, &again)
	}
	return st.add(node)
}

// Nodes implements driver.Graph.
func (g *graph) Nodes() ([]driver.Node, error) {
	if g.destroyed {
		return nil, driver.ErrorInvalidValue
	}
	list := make([]driver.Node, len(g.nodes))
	for i, n := range g.nodes {
		list[i] = driver.Node{Type: n.kind, Site: n.site, Bytes: n.bytes, After: slices.Clone(n.after)}
		if n.memory != nil {
			list[i].Ptr = driver.Ptr(n.memory.base)
		}
	}
	return list, nil
}

// hasMemory reports whether the graph allocates or frees memory.
func (g *graph) hasMemory() bool {
	return slices.ContainsFunc(g.nodes, func(n *graphNode) bool { return n.memory != nil })
}

// Instantiate implements driver.Graph.
func (g *graph) Instantiate() (driver.GraphExec, error) {
	switch {
	case g.destroyed:
		return nil, driver.ErrorInvalidValue
	case g.instantiated != nil && g.hasMemory():
		return nil, driver.Faultf(driver.ErrorNotSupported,
			"the graph allocates memory, so it can be instantiated once; %s did", g.instantiated)
	}
	site := g.runtime.locate()
	g.instantiated = &site
	e := &graphExec{graph: *g, branches: map[*stream][]*stream{}}
	for _, n := range e.nodes {
		n.reserve()
	}
	return e, nil
}

// Destroy implements driver.Graph.
func (g *graph) Destroy() error {
	if g.destroyed {
		return driver.ErrorIllegalState
	}
	g.destroyed = true
	for _, n := range g.nodes {
		n.unreserve()
	}
	return nil
}
