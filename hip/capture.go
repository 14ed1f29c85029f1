package hip

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// BeginCapture implements hipStreamBeginCapture: work that is queued in the stream from now on becomes the nodes of a
// graph and does not run. The null stream cannot be captured.
func (s *Stream) BeginCapture(mode driver.CaptureMode) error {
	return s.call("hipStreamBeginCapture", false, func() error {
		host := s.device.host
		if err := s.device.driver.BeginCapture(s.driver, mode); err != nil {
			if s.capture != nil && s.capture.ended == nil {
				return driver.WithDetail(err, "the capture that %s began has not ended", s.capture.begun)
			}
			return err
		}
		s.capture = host.captures.begin(host.site)
		return nil
	})
}

// IsCapturing implements hipStreamIsCapturing.
func (s *Stream) IsCapturing() (status driver.CaptureStatus, err error) {
	status, _, err = s.captureInfo("hipStreamIsCapturing")
	return status, err
}

// CaptureInfo implements hipStreamGetCaptureInfo: the status, and a number that identifies an active capture.
func (s *Stream) CaptureInfo() (status driver.CaptureStatus, id uint64, err error) {
	return s.captureInfo("hipStreamGetCaptureInfo")
}

func (s *Stream) captureInfo(name string) (status driver.CaptureStatus, id uint64, err error) {
	err = s.call(name, false, func() (err error) {
		status, id, err = s.device.driver.CaptureInfo(s.driver)
		return err
	})
	return status, id, err
}

// Captured returns the number of the active capture of the stream, or 0. It makes no HIP call that is recorded.
func (s *Stream) Captured() uint64 {
	_, id := s.captureState()
	return id
}

// captureState returns the status and the number of the capture of the stream, without a call that is recorded.
func (s *Stream) captureState() (driver.CaptureStatus, uint64) {
	if !s.device.Capturing() || s.isNull() || s.destroyed != nil {
		return driver.CaptureNone, 0
	}
	status, id, err := s.device.driver.CaptureInfo(s.driver)
	if err != nil {
		return driver.CaptureNone, 0
	}
	return status, id
}

// CaptureStatus returns whether calls for the stream become nodes of a graph, or would if the capture were not
// invalidated; nil is the null stream. It makes no HIP call that is recorded.
func (s *Stream) CaptureStatus() driver.CaptureStatus {
	if s == nil {
		return driver.CaptureNone
	}
	status, _ := s.captureState()
	return status
}

// ExchangeCaptureMode implements hipThreadExchangeStreamCaptureMode: it sets the mode of the thread and returns the
// mode before.
func (d *Device) ExchangeCaptureMode(mode driver.CaptureMode) (before driver.CaptureMode, err error) {
	return ask(d, "hipThreadExchangeStreamCaptureMode", func() (driver.CaptureMode, error) {
		return d.driver.ExchangeCaptureMode(mode)
	})
}

// captureRecord describes a capture for error messages: who began it, and which call invalidated it.
type captureRecord struct {
	begun       driver.Site
	invalidated *driver.Site
	ended       *driver.Site
}

// captures are the captures that have not ended.
type captures struct{ open []*captureRecord }

// begin records a capture that a call began.
func (c *captures) begin(by driver.Site) *captureRecord {
	record := &captureRecord{begun: by}
	c.open = append(c.open, record)
	return record
}

// failed records that a call invalidated the captures, if its error says so.
func (c *captures) failed(code driver.Error, call driver.Site) {
	if code < driver.ErrorCaptureUnsupported || code > driver.ErrorCaptureWrongThread ||
		code == driver.ErrorCaptureInvalidated || code == driver.ErrorCaptureUnmatched {
		return
	}
	for _, record := range c.open {
		if record.invalidated == nil {
			site := call
			record.invalidated = &site
		}
	}
}

// end records that a call ended the latest capture of a stream, or was to end it, and adds to its error the details
// about the capture; nil is a stream that was never captured.
func (c *captures) end(record *captureRecord, stream int, by driver.Site, err error) error {
	switch code := driver.CodeOf(err); {
	case code == driver.ErrorCaptureUnmatched || code == driver.ErrorCaptureWrongThread:
		return err
	case record == nil && code == driver.ErrorIllegalState:
		return driver.WithDetail(err, "stream %d is not captured", stream)
	case record == nil || record.ended != nil && code != driver.ErrorIllegalState:
		return err
	case record.ended != nil:
		return driver.WithDetail(err, "stream %d is not captured: the capture that %s began was ended by %s", stream,
			record.begun, record.ended)
	default:
		record.ended = &by
		c.open = slices.DeleteFunc(c.open, func(other *captureRecord) bool { return other == record })
		if code == driver.ErrorCaptureInvalidated && record.invalidated != nil {
			return driver.WithDetail(err, "the capture that %s began was invalidated by %s", record.begun,
				record.invalidated)
		}
		return err
	}
}

// Graph is the work that was captured in streams.
type Graph struct {
	object
	device  *Device
	driver  driver.Graph
	nodes   []driver.Node
	capture *captureRecord
}

// NullGraph returns the null graph.
func (d *Device) NullGraph() *Graph {
	return &Graph{object: object{null: driver.ErrorInvalidValue}, device: d}
}

// NullGraphExec returns the null executable graph.
func (d *Device) NullGraphExec() *GraphExec {
	return &GraphExec{object: object{null: driver.ErrorInvalidValue}, graph: d.NullGraph()}
}

// EndCapture implements hipStreamEndCapture. After an error there is no graph.
func (s *Stream) EndCapture() (*Graph, error) {
	g := &Graph{device: s.device}
	err := s.call("hipStreamEndCapture", false, func() (err error) {
		g.driver, err = s.device.driver.EndCapture(s.driver)
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
func (g *Graph) Nodes() ([]driver.Node, error) {
	return ask(g.device, "hipGraphGetNodes", func() ([]driver.Node, error) {
		return g.nodes, g.usable(driver.ErrorInvalidValue, "the graph")
	})
}

// Instantiate implements hipGraphInstantiate. A graph that allocates memory can be instantiated once.
func (g *Graph) Instantiate() (*GraphExec, error) {
	driven, err := ask(g.device, "hipGraphInstantiate", func() (driver.GraphExec, error) {
		if err := g.usable(driver.ErrorInvalidValue, "the graph"); err != nil {
			return nil, err
		}
		return g.driver.Instantiate()
	})
	if err != nil {
		return nil, err
	}
	e := &GraphExec{graph: g, driver: driven}
	g.device.host.created(execKind, e)
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
		if err := e.driver.Launch(s.driver, func(at driver.Site) driver.Timer { return s.newKernel(at) }); err != nil {
			return driver.WithDetail(err, "hipGraphLaunch of the graph of %s", e.graph.createdBy)
		}
		if !captured {
			e.account()
		}
		return nil
	})
}

// account records the memory that a launch allocates and frees.
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
