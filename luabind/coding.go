package luabind

import (
	"roclua/hip"
	"roclua/hip/codec"
	"roclua/luabind/vm"
)

// GobEncode returns the record as bytes.
func (r *Record) GobEncode() ([]byte, error) {
	var c codec.Coder
	return c.Encode(r.Code)
}

// GobDecode reads what GobEncode returned. It returns an error for other bytes.
func (r *Record) GobDecode(data []byte) error {
	var c codec.Coder
	*r = Record{}
	return c.Decode(data, r.Code)
}

// Code encodes or decodes the record.
func (r *Record) Code(c *codec.Coder) {
	codec.List(c, &r.Metrics, func(m *Metric) { m.code(c) })
	codec.List(c, &r.Checks, func(k *Check) { k.code(c) })
	c.Text(&r.Skipped)
	codec.Pointer(c, &r.End, func(e *End) { e.code(c) })
	codec.List(c, &r.Problems, c.Once)
	c.Once(&r.Log)
	c.Float(&r.Seconds)
	c.Counts(&r.Statuses)
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
}

func (k *Check) code(c *codec.Coder) {
	c.Text(&k.Text)
	c.Text(&k.Where)
	c.Flags(&k.Passed)
	c.Text(&k.Have)
	c.Text(&k.Want)
}

func (e *End) code(c *codec.Coder) {
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
	codec.List(c, &p.Places, func(v *vm.Place) {
		c.Text(&v.File)
		c.Int(&v.Line)
		c.Int(&v.Defined)
		c.Text(&v.Host)
	})
	codec.List(c, &p.Samples, func(v *vm.Sample) {
		codec.List(c, &v.Stack, c.Int)
		c.Int64(&v.Nanoseconds)
		c.Int64(&v.Count)
	})
}
