package record

import (
	"roclua/hip"
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
	c.Once(&r.Log)
	c.Float(&r.Seconds)
	codec.Map(c, &r.Statuses, c.Int)
	codec.List(c, &r.Required, c.Text)
	r.Stats.Code(c)
	codec.List(c, &r.Faults, func(f *hip.Call) { f.Code(c) })
	r.History.Code(c)
	codec.Pointer(c, &r.LuaProfile, func(p *LuaProfile) { profile(c, p) })
}

func (m *Metric) code(c *codec.Coder) {
	c.Text(&m.Name)
	c.Any(&m.Value)
	c.Text(&m.Unit)
	c.Float(&m.Epsilon)
}

func (k *Check) code(c *codec.Coder) {
	c.Text(&k.Text)
	c.Text(&k.Where)
	c.Flags(&k.Passed)
	c.Text(&k.Have)
	c.Text(&k.Want)
}

// Code encodes or decodes the end of a case.
func (e *End) Code(c *codec.Coder) {
	c.Text((*string)(&e.Kind))
	for _, text := range []*string{&e.Message, &e.File, &e.Func, &e.Where, &e.Traceback} {
		c.Text(text)
	}
	c.Int(&e.Line)
	c.Int(&e.Column)
	codec.Pointer(c, &e.Limit, func(l *LimitUse) {
		c.Text(&l.Name)
		c.Uint(&l.Max)
		c.Uint(&l.Used)
	})
}

func profile(c *codec.Coder, p *LuaProfile) {
	codec.List(c, &p.Places, func(v *bounds.Place) {
		c.Text(&v.File)
		c.Int(&v.Line)
		c.Int(&v.Defined)
		c.Text(&v.Host)
	})
	codec.List(c, &p.Samples, func(v *bounds.Sample) {
		codec.List(c, &v.Stack, c.Int)
		c.Int64(&v.Nanoseconds)
		c.Int64(&v.Count)
	})
}

// Code encodes or decodes the case.
func (k *Case) Code(c *codec.Coder) {
	c.Text(&k.Scenario)
	c.Text(&k.Scheme)
	c.Uint(&k.Bytes)
	codec.Map(c, &k.Params, c.Any)
	c.Uint(&k.Seed)
}

// Code encodes or decodes what a file declares.
func (s *Scenario) Code(c *codec.Coder) {
	c.Flags(&s.Plain, &s.AnyScheme, &s.HasRun)
	for _, text := range []*string{&s.Returned, &s.Name, &s.About, &s.Source} {
		c.Text(text)
	}
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
	c.Int64((*int64)(&l.Timeout))
	for _, limit := range []*uint64{&l.Instructions, &l.Heap, &l.Output, &l.DeviceMemory} {
		c.Uint(limit)
	}
}
