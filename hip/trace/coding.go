package trace

import (
	"roclua/hip/driver"
	"roclua/internal/codec"
)

// Code encodes or decodes the history.
func (h *History) Code(c *codec.Coder) {
	c.Uint(&h.Capacity)
	codec.List(c, &h.Capacities, c.Uint)
	codec.List(c, &h.Calls, func(v *Call) { v.Code(c) })
	codec.List(c, &h.Kernels, func(v *Kernel) { v.code(c) })
	codec.List(c, &h.Marks, func(v *Mark) { v.code(c) })
	codec.List(c, &h.Hazards, func(v *Hazard) { v.code(c) })
}

// Code encodes or decodes the call.
func (v *Call) Code(c *codec.Coder) {
	c.Values(&v.Name, &v.Device, &v.Bytes, (*uint64)(&v.Ptr), &v.Stream, (*int)(&v.Result), &v.Seconds, &v.Duration,
		&v.Cause, &v.Origin, &v.Handle, &v.Injected)
	c.Flags(&v.HasBytes, &v.HasStream, &v.Synchronizing)
}

func (v *Kernel) code(c *codec.Coder) {
	c.Values(&v.Name, &v.Device, &v.Stream, &v.Origin, &v.Queued, &v.Start, &v.End)
}

func (v *Mark) code(c *codec.Coder) {
	c.Values(&v.Device, &v.Handle, &v.Seconds, &v.Bytes, &v.Text, &v.Origin)
}

func (v *Hazard) code(c *codec.Coder) {
	c.Float(&v.Seconds)
	for _, u := range []*driver.Use{&v.Earlier, &v.Later} {
		c.Values(&u.Call, &u.Device, &u.Stream)
		c.Flags(&u.Host, &u.Write)
		c.Values(&u.Origin, &u.Handle, &u.Launched, &u.Since)
	}
	c.Text(&v.Memory)
}

// Code encodes or decodes the counts.
func (s *Stats) Code(c *codec.Coder) {
	s.Counts.code(c)
	codec.List(c, &s.Devices, func(d *Counts) { d.code(c) })
}

func (s *Counts) code(c *codec.Coder) {
	codec.Map(c, &s.Calls, c.Int)
	codec.Map(c, &s.Syncs, c.Int)
	c.Values(&s.Kernels, &s.LiveBytes, &s.PeakBytes, &s.LiveBlocks, &s.Streams, &s.Events, &s.Allocations, &s.Injected)
}
