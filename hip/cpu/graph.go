package cpu

import (
	"slices"

	"roclua/hip/cpu/capture"
	"roclua/hip/driver"
)

// graph is captured work. A node depends only on nodes before it.
type graph struct {
	runtime      *runtime
	nodes        []*capture.Node
	streams      int // that were captured
	instantiated *driver.Site
	destroyed    bool
}

func (d *device) BeginCapture(s driver.Stream, mode driver.CaptureMode) error {
	st, ok := s.(*stream)
	switch {
	case !ok || st.Closed():
		return driver.ErrorInvalidHandle
	case d.runtime.closed:
		return driver.ErrorDeinitialized
	}
	return st.branch.Begin(mode)
}

func (d *device) EndCapture(s driver.Stream) (driver.Graph, error) {
	st, ok := s.(*stream)
	if !ok || st.Closed() {
		return nil, driver.ErrorInvalidHandle
	}
	nodes, streams, err := st.branch.End()
	if err != nil {
		return nil, err
	}
	return &graph{runtime: d.runtime, nodes: nodes, streams: streams}, nil
}

func (d *device) CaptureInfo(s driver.Stream) (driver.CaptureStatus, uint64, error) {
	st, ok := s.(*stream)
	if !ok || st.Closed() {
		return 0, 0, driver.ErrorInvalidHandle
	}
	return st.branch.Info()
}

func (d *device) ExchangeCaptureMode(mode driver.CaptureMode) (driver.CaptureMode, error) {
	return d.runtime.captures.SetMode(mode)
}

func (d *device) CheckHostCopy() error { return d.runtime.captures.HostCopy() }

func (g *graph) Nodes() ([]driver.Node, error) {
	if g.destroyed {
		return nil, driver.ErrorInvalidValue
	}
	list := make([]driver.Node, len(g.nodes))
	for i, n := range g.nodes {
		list[i] = driver.Node{Type: n.Kind, Site: n.Site, Bytes: n.Bytes, After: slices.Clone(n.After)}
		if n.Memory != nil {
			list[i].Ptr = driver.Ptr(n.Memory.Base)
		}
	}
	return list, nil
}

// hasMemory reports whether the graph allocates or frees memory.
func (g *graph) hasMemory() bool {
	return slices.ContainsFunc(g.nodes, func(n *capture.Node) bool { return n.Memory != nil })
}

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
		if n.Memory != nil {
			n.Memory.Keep()
		}
	}
	return e, nil
}

func (g *graph) Destroy() error {
	if g.destroyed {
		return driver.ErrorIllegalState
	}
	g.destroyed = true
	capture.Drop(g.nodes)
	return nil
}
