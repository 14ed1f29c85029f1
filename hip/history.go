package hip

import (
	"roclua/hip/driver"
	"roclua/internal/codec"
)

// Code encodes or decodes the history.
func (h *History) Code(c *codec.Coder) {
	c.Uint(&h.Capacity)
	codec.List(c, &h.Calls, func(v *Call) { v.Code(c) })
	codec.List(c, &h.Kernels, func(v *Kernel) { v.code(c) })
	codec.List(c, &h.Marks, func(v *Mark) { v.code(c) })
	codec.List(c, &h.Hazards, func(v *Hazard) { v.code(c) })
}

// Code encodes or decodes the call.
func (v *Call) Code(c *codec.Coder) {
	c.Text(&v.Name)
	c.Uint(&v.Bytes)
	c.Uint((*uint64)(&v.Ptr))
	c.Int(&v.Stream)
	c.Int((*int)(&v.Result))
	c.Float(&v.Seconds)
	c.Float(&v.Duration)
	c.Text(&v.Cause)
	c.Text(&v.Origin)
	c.Text(&v.Injected)
	c.Flags(&v.HasBytes, &v.HasStream, &v.Synchronizing)
}

func (v *Kernel) code(c *codec.Coder) {
	c.Text(&v.Name)
	c.Int(&v.Stream)
	c.Text(&v.Origin)
	c.Float(&v.Queued)
	c.Float(&v.Start)
	c.Float(&v.End)
}

func (v *Mark) code(c *codec.Coder) {
	c.Int(&v.Handle)
	c.Float(&v.Seconds)
	c.Uint(&v.Bytes)
	c.Text(&v.Text)
	c.Text(&v.Origin)
}

func (v *Hazard) code(c *codec.Coder) {
	c.Float(&v.Seconds)
	for _, u := range []*driver.Use{&v.Earlier, &v.Later} {
		c.Text(&u.Call)
		c.Int(&u.Stream)
		c.Flags(&u.Host, &u.Write)
		c.Text(&u.Origin)
		c.Text(&u.Launched)
		c.Text(&u.Since)
	}
}

// Code encodes or decodes the counts.
func (s *Stats) Code(c *codec.Coder) {
	codec.Map(c, &s.Calls, c.Int)
	codec.Map(c, &s.Syncs, c.Int)
	c.Int(&s.Kernels)
	c.Uint(&s.LiveBytes)
	c.Uint(&s.PeakBytes)
	c.Int(&s.LiveBlocks)
	c.Int(&s.Streams)
	c.Int(&s.Events)
	c.Int(&s.Allocations)
	c.Int(&s.Injected)
}
