package record

import (
	"roclua/hip/trace"
	"roclua/internal/codec"
	"roclua/luabind/vm/bounds"
)

// Code encodes or decodes the record.
func (r *Record) Code(c *codec.Coder) {
	codec.List(c, &r.Metrics, func(m *Metric) { m.code(c) })
	codec.List(c, &r.Checks, func(k *Check) { k.code(c) })
	c.Text(&r.Skipped)
	codec.Pointer(c, &r.End, func(e *End) { e.Code(c) })
	codec.List(c, &r.Problems, c.Once)
	codec.List(c, &r.Retried, c.Once)
	c.Once(&r.Log)
	c.Float(&r.Seconds)
	codec.Map(c, &r.Statuses, c.Int)
	codec.List(c, &r.Required, c.Text)
	r.Stats.Code(c)
	codec.List(c, &r.Faults, func(f *trace.Call) { f.Code(c) })
	r.History.Code(c)
	codec.List(c, &r.Measurements, func(m *Measurement) { m.code(c) })
	codec.Pointer(c, &r.Load, func(l *Load) { l.Code(c) })
	codec.Pointer(c, &r.LuaProfile, func(p *LuaProfile) { profile(c, p) })
}

func (m *Metric) code(c *codec.Coder) {
	c.Text(&m.Name)
	c.Any(&m.Value)
	c.Text(&m.Unit)
	c.Float(&m.Epsilon)
}

func (m *Measurement) code(c *codec.Coder) {
	c.Text(&m.Name)
	for _, d := range []*Distribution{&m.Host, &m.Device} {
		c.Float(&d.Median)
		c.Float(&d.P95)
		codec.List(c, &d.Quantiles, c.Float)
	}
	c.Float(&m.Noise)
	c.Int(&m.Samples)
	c.Int(&m.Calls)
	c.Text(&m.Stopped)
	c.Float(&m.Flops)
	c.Values(&m.Bytes, &m.PeakFlops, &m.PeakBytes)
	c.Flags(&m.Simulated)
	codec.List(c, &m.Notes, c.Text)
	codec.Pointer(c, &m.Baseline, func(b *BaselineTime) { c.Values(&b.Median, &b.Noise) })
}

func (k *Check) code(c *codec.Coder) {
	c.Values(&k.Text, &k.Where)
	c.Flags(&k.Passed)
	c.Values(&k.Have, &k.Want)
}

// Code encodes or decodes the end of a case.
func (e *End) Code(c *codec.Coder) {
	c.Values((*string)(&e.Kind), &e.Message, &e.File, &e.Func, &e.Where, &e.Traceback, &e.Line, &e.Column)
	codec.Pointer(c, &e.Limit, func(l *LimitUse) {
		c.Values(&l.Name, &l.Max, &l.Used)
	})
}

func profile(c *codec.Coder, p *LuaProfile) {
	codec.List(c, &p.Places, func(v *bounds.Place) {
		c.Values(&v.File, &v.Line, &v.Defined, &v.Host)
	})
	codec.List(c, &p.Samples, func(v *bounds.Sample) {
		codec.List(c, &v.Stack, c.Int)
		c.Values(&v.Nanoseconds, &v.Count)
	})
}

// Code encodes or decodes the case.
func (k *Case) Code(c *codec.Coder) {
	c.Values(&k.Scenario, &k.Scheme, &k.Bytes)
	codec.Map(c, &k.Params, c.Any)
	c.Uint(&k.Seed)
}

// Code encodes or decodes what a file declares.
func (s *Scenario) Code(c *codec.Coder) {
	c.Flags(&s.Plain, &s.AnyScheme, &s.Workload)
	c.Values(&s.Returned, &s.Name, &s.About, &s.Source)
	codec.List(c, &s.Params, func(p *Param) {
		c.Text(&p.Name)
		c.Any(&p.Value)
	})
	for _, list := range []*[]string{&s.Schemes, &s.Tags, &s.Platforms, &s.Profiles, &s.Required} {
		codec.List(c, list, c.Text)
	}
	codec.Map(c, &s.Expect, c.Text)
	codec.Map(c, &s.Metrics, c.Text)
}

// Code encodes or decodes the limits.
func (l *Limits) Code(c *codec.Coder) {
	c.Values((*int64)(&l.Timeout), &l.Instructions, &l.Heap, &l.Output, &l.DeviceMemory)
}

// Code encodes or decodes the load.
func (l *Load) Code(c *codec.Coder) {
	c.Values(&l.Clients, &l.Seconds, &l.Stopped, &l.Arrivals, &l.Events)
	codec.Map(c, &l.Errors, func(n *int64) { c.Values(n) })
	c.Values(&l.Dropped, &l.Late)
	c.Flags(&l.Open, &l.Simulated)
	l.Latency.code(c)
	codec.List(c, &l.Named, func(n *Latency) {
		c.Values(&n.Name, &n.Events)
		n.Latencies.code(c)
	})
	codec.List(c, &l.Intervals, func(i *Interval) { i.Code(c) })
	codec.List(c, &l.Handles, func(h *Holding) { c.Values(&h.Handle, &h.Seconds, &h.Bytes) })
}

func (l *Latencies) code(c *codec.Coder) { c.Values(&l.P50, &l.P90, &l.P99, &l.P999, &l.Max) }

// Code encodes or decodes the interval.
func (i *Interval) Code(c *codec.Coder) {
	c.Values(&i.Start, &i.End, &i.Clients, &i.Events, &i.Errors, &i.Dropped, &i.P50, &i.P99, &i.Max, &i.Held,
		&i.Growths, &i.Waits)
}
