package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Graph is the work that was captured in streams.
type Graph struct {
	object
	device  *gpu
	driver  driver.Graph
	nodes   []driver.Node
	capture *captureRecord
}

// NullGraph returns the null graph.
func (d *Device) NullGraph() *Graph {
	return &Graph{object: object{null: driver.ErrorInvalidValue}, device: d.gpu}
}

// NullGraphExec returns the null executable graph.
func (d *Device) NullGraphExec() *GraphExec {
	return &GraphExec{object: object{null: driver.ErrorInvalidValue}, graph: d.NullGraph()}
}

// EndCapture implements hipStreamEndCapture. After an error there is no graph.
func (s *Stream) EndCapture() (*Graph, error) {
	g := &Graph{device: s.device.gpu}
	err := s.captureCall("hipStreamEndCapture", func(c driver.Capturer) (err error) {
		g.driver, err = c.EndCapture(s.driver)
		if err == nil {
			g.nodes, err = g.driver.Nodes()
		}
		return s.endCapture(err)
	})
	if err != nil {
		return nil, err
	}
	host := s.device.host
	g.capture = s.capture
	host.created(graphKind, g)
	return g, nil
}

// Nodes implements hipGraphGetNodes. A node follows the nodes that it depends on.
func (g *Graph) Nodes() (list []driver.Node, err error) {
	err = g.device.call(&trace.Call{Name: "hipGraphGetNodes"}, func() error {
		list = g.nodes
		return g.usable(driver.ErrorInvalidValue, "the graph")
	})
	return list, err
}

// Instantiate implements hipGraphInstantiate. A graph that allocates memory can be instantiated once.
func (g *Graph) Instantiate() (*GraphExec, error) {
	e := &GraphExec{graph: g}
	host := g.device.host
	err := g.device.call(&trace.Call{Name: "hipGraphInstantiate"}, func() (err error) {
		if err = g.usable(driver.ErrorInvalidValue, "the graph"); err == nil {
			e.driver, err = g.driver.Instantiate()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	host.created(execKind, e)
	return e, nil
}

// Destroy implements hipGraphDestroy. Executable graphs that were made from the graph can still be launched.
func (g *Graph) Destroy() error {
	host := g.device.host
	return g.device.call(&trace.Call{Name: "hipGraphDestroy"}, func() error {
		if err := g.usable(driver.ErrorIllegalState, "the graph"); err != nil {
			return err
		}
		return host.destroy(graphKind, g, g.driver)
	})
}

// GraphExec is an executable graph.
type GraphExec struct {
	object
	graph  *Graph
	driver driver.GraphExec
}

// Graph returns the graph from which it was made.
func (e *GraphExec) Graph() *Graph { return e.graph }

// Launch implements hipGraphLaunch: it queues the whole graph in a stream; nil is the null stream. Memory that the
// graph allocates and does not free counts as allocated from then on.
func (e *GraphExec) Launch(s *Stream) error {
	d := e.graph.device
	c := &trace.Call{Name: "hipGraphLaunch"}
	return d.call(c, func() error {
		s, err := d.stream(s)
		if err != nil {
			return err
		}
		s.named(c)
		if err := e.usable(driver.ErrorInvalidValue, "the executable graph"); err != nil {
			return err
		}
		captured := s.Captured() != 0
		if err := e.driver.Launch(s.driver, d.kernelsOf(s)); err != nil {
			return driver.WithDetail(err, "hipGraphLaunch of the graph of %s", e.graph.createdBy)
		}
		if !captured {
			e.account()
		}
		return nil
	})
}

// kernelsOf returns the function that begins the records of the kernels of a launch.
func (d *gpu) kernelsOf(s *Stream) func(driver.Site) driver.Timer {
	return func(at driver.Site) driver.Timer {
		return s.newKernel(at)
	}
}

// account records what a launch allocates and frees.
func (e *GraphExec) account() {
	host := e.graph.device.host
	left, freed := driver.Follow(e.graph.nodes)
	for _, p := range freed {
		host.blocks.released(p, host.site)
	}
	for _, n := range left {
		by := n.Site
		if by.Call == "" {
			by = host.site
		}
		host.blocks.allocated(&block{base: n.Ptr, bytes: n.Bytes, device: e.graph.device.index,
			cause: trace.CauseScript, allocatedBy: by})
	}
}

// Destroy implements hipGraphExecDestroy. A launch that is queued still runs.
func (e *GraphExec) Destroy() error {
	host := e.graph.device.host
	return e.graph.device.call(&trace.Call{Name: "hipGraphExecDestroy"}, func() error {
		if err := e.usable(driver.ErrorInvalidValue, "the executable graph"); err != nil {
			return err
		}
		return host.destroy(execKind, e, e.driver)
	})
}
