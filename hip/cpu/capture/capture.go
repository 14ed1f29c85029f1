// Package capture records the calls of captured streams as the nodes of graphs, and refuses the calls that HIP does not
// permit meanwhile. It does not perform any work.
package capture

import (
	"fmt"
	"slices"

	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// Captures are the captures of a runtime that have not ended.
type Captures struct {
	Locate func() driver.Site // returns the current call
	Thread *Thread            // that makes it

	// WaitsFindGlobal: waits of a thread in thread-local mode look for global captures too.
	WaitsFindGlobal bool

	active []*Capture
	last   uint64 // the identifier of the latest capture
}

// Thread is the state of a thread of the host in captures.
type Thread struct {
	Ended bool // it makes no more calls
	mode  driver.CaptureMode
}

// Capture is a capture sequence: a graph that is being built from the work of its streams.
type Capture struct {
	captures *Captures
	id       uint64
	mode     driver.CaptureMode
	thread   *Thread // that began it
	begun    driver.Site
	branches []*Branch // the streams that take part, the origin first; a node refers to them by index
	nodes    []*Node
	invalid  *driver.Site // the call that invalidated it; nil before
	ended    bool
}

// Node is a captured call.
type Node struct {
	Kind   driver.NodeType
	Site   driver.Site
	Bytes  uint64
	Branch int   // the captured stream, as an index
	After  []int // nodes that it depends on
	Names  []memory.Named
	Memory *memory.Reservation // that the node allocates or frees; nil for other nodes
	Last   *order.Operation    // of the latest launch; nil before

	// Replay makes the call again in a stream.
	Replay func(s driver.Stream, kernel func(driver.Site) driver.Timer) error
}

// String returns "the capture of stream 1 that hipStreamBeginCapture at x.lua:3 began".
func (c *Capture) String() string {
	return fmt.Sprintf("the capture of stream %d that %s began", c.origin().stream.ID(), c.begun)
}

func (c *Capture) origin() *Branch { return c.branches[0] }

// join makes a stream part of the capture. Its next node depends on the given ones.
func (c *Capture) join(b *Branch, after []int) {
	b.capture, b.index, b.tail = c, len(c.branches), slices.Clone(after)
	c.branches = append(c.branches, b)
}

// end takes all streams out of the capture. The tail of the origin stays.
func (c *Capture) end() {
	c.ended = true
	for _, b := range c.branches {
		if b.capture == c {
			b.capture = nil
		}
	}
	s := c.captures
	s.active = slices.DeleteFunc(s.active, func(other *Capture) bool { return other == c })
}

// discard frees the memory that the nodes reserved.
func (c *Capture) discard() {
	c.origin().tail = nil
	Drop(c.nodes)
}

// Drop frees the memory that nodes of a graph reserved.
func Drop(nodes []*Node) {
	for _, n := range nodes {
		if n.Memory != nil {
			n.Memory.Drop()
		}
	}
}

// Discard ends all captures without a graph.
func (s *Captures) Discard() {
	for len(s.active) > 0 {
		s.active[0].origin().Leave()
	}
}

// unjoined returns a node without successor that is not one of the last ones of the origin; nil for none.
func (c *Capture) unjoined(tail []int) *Node {
	last := make([]bool, len(c.nodes))
	for i := range last {
		last[i] = true
	}
	for _, n := range c.nodes {
		for _, earlier := range n.After {
			last[earlier] = false
		}
	}
	for i, n := range c.nodes {
		if last[i] && !slices.Contains(tail, i) {
			return n
		}
	}
	return nil
}
