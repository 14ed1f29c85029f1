package footprint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/hipblas"
)

// Axis is a parameter that takes several values, in every call that has it.
type Axis struct {
	Name   string
	Values []int64
	Labels []string // names of the values; nil for plain numbers
}

// NewAxis makes an axis from values as text. Names of constants have the meaning that they have in the first call with
// the parameter.
func NewAxis(name string, texts []string, calls []*Call) (Axis, error) {
	a := Axis{Name: name}
	c, p := owner(name, calls)
	if p == nil {
		return a, fmt.Errorf("no call has a parameter %q%s", name, nearest.DidYouMean(name, parameters(calls)))
	}
	for _, text := range texts {
		v, err := number(c.Routine, p, text)
		if err != nil {
			return a, fmt.Errorf("%s: %s: %w", c.Routine.Name, name, err)
		}
		a.Values = append(a.Values, v)
		if p.Kind.IsEnum() {
			a.Labels = append(a.Labels, text)
		}
	}
	return a, nil
}

// Label returns the name of value i.
func (a *Axis) Label(i int) string {
	if a.Labels != nil {
		return a.Labels[i]
	}
	return fmt.Sprint(a.Values[i])
}

// owner returns the first call that an axis varies: one with a parameter of its name, or else one with a parameter that
// has the value of the axis.
func owner(name string, calls []*Call) (*Call, *routine.Param) {
	for _, c := range calls {
		if p := c.param(name); p != nil && takesAxis(p) {
			return c, p
		}
	}
	for _, c := range calls {
		for _, a := range c.given {
			if a.follows == name {
				return c, a.param
			}
		}
	}
	return nil, nil
}

// takesAxis reports whether a parameter can take the integer values of an axis.
func takesAxis(p *routine.Param) bool { return p.Kind.IsInteger() || p.Kind.IsEnum() }

func parameters(calls []*Call) []string {
	var names []string
	for _, c := range calls {
		for _, name := range c.names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Sequence is calls one after the other, with the axes along which their sizes vary. It is used by one goroutine at a
// time.
type Sequence struct {
	Calls []*Call
	Axes  []Axis

	programs []*program
	demand   behavior.Demand // of the call that is sized, kept so that a point allocates no host memory
}

// program computes the arguments of one call at a point of the axes.
type program struct {
	args     routine.Args // that do not vary
	varied   []step       // arguments that an axis gives
	followed []follow     // arguments that another argument gives
	defaults []routine.Default
}

type step struct {
	slot routine.Slot
	axis int
}

type follow struct{ to, from routine.Slot }

// NewSequence makes a sequence. It checks that every call has the arguments that it needs, and that the values of every
// axis are in the range of the parameters that it varies.
func NewSequence(calls []*Call, axes []Axis) (*Sequence, error) {
	s := &Sequence{Calls: calls, Axes: axes}
	for i, c := range calls {
		p, err := c.compile(axes)
		if err != nil {
			return nil, fmt.Errorf("call %d, %s: %w", i+1, c.Text, err)
		}
		s.programs = append(s.programs, p)
	}
	return s, nil
}

func (c *Call) compile(axes []Axis) (*program, error) {
	p := &program{args: *c.Routine.New()}
	c.taken = nil
	for i := range c.Routine.Params {
		param := &c.Routine.Params[i]
		if err := c.place(p, param, axes); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// place decides where the value of a parameter comes from: an axis, the call, or the default.
func (c *Call) place(p *program, param *routine.Param, axes []Axis) error {
	if c.onlyOwn() {
		if from, ok := hipblas.Source(c.layer, param.Slot); ok && from != param.Slot && !param.Kind.IsPointer() {
			p.followed = append(p.followed, follow{param.Slot, from})
			return nil
		}
	}
	if i := axisOf(axes, param.Name); i >= 0 && takesAxis(param) {
		return c.vary(p, param, axes, i)
	}
	for _, a := range c.given {
		switch {
		case a.param != param:
			continue
		case a.follows != "":
			return c.follow(p, param, a.follows, axes)
		case param.Kind == routine.Scalar:
			p.args.SetScalar(param.Slot, a.scalar)
		case param.Kind == routine.Real:
			p.args.SetReal(param.Slot, a.real)
		default:
			p.args.SetInt(param.Slot, a.value)
		}
		return nil
	}
	if param.Kind.IsPointer() && param.Kind != routine.Scalar {
		p.args.SetPtr(param.Slot, routine.ArrayAddress(param.Slot))
		return nil
	}
	d, ok := c.Routine.Default(param)
	if !ok {
		if d, ok = c.benchDefault(param, axes); !ok {
			return fmt.Errorf("parameter %s is missing: %s", param.Name, param.About)
		}
		c.taken = append(c.taken, param.Name+"="+strings.TrimPrefix(d.String(), routine.EnumName(param.Kind)+"_"))
	}
	p.defaults = append(p.defaults, d)
	return nil
}

// benchDefault returns the default of the benchmark programs. An argument has the value of another one only if that one
// does not depend on it.
func (c *Call) benchDefault(param *routine.Param, axes []Axis) (routine.Default, bool) {
	d, from, ok := c.Routine.BenchDefault(param)
	if !ok || from == nil {
		return d, ok
	}
	return d, axisOf(axes, from.Name) >= 0 || slices.ContainsFunc(c.given, func(a argument) bool {
		return a.param == from && (a.follows == "" || axisOf(axes, a.follows) >= 0)
	})
}

func axisOf(axes []Axis, name string) int {
	return slices.IndexFunc(axes, func(a Axis) bool { return a.Name == name })
}

func (c *Call) vary(p *program, param *routine.Param, axes []Axis, i int) error {
	for _, v := range []int64{slices.Min(axes[i].Values), slices.Max(axes[i].Values)} {
		if err := c.Routine.CheckRange(param, v); err != nil {
			return fmt.Errorf("%s: %w", param.Name, err)
		}
	}
	p.varied = append(p.varied, step{param.Slot, i})
	return nil
}

// follow lets a parameter take the value of an axis, or of another parameter that has one.
func (c *Call) follow(p *program, param *routine.Param, name string, axes []Axis) error {
	if i := axisOf(axes, name); i >= 0 {
		return c.vary(p, param, axes, i)
	}
	from, ok := c.Routine.Spelled(name)
	if !ok || !from.Kind.IsInteger() {
		known := c.names()
		for _, a := range axes {
			known = append(known, a.Name)
		}
		return fmt.Errorf("%s: %q is not a number, a parameter or an axis%s", param.Name, name, nearest.DidYouMean(name,
			known))
	}
	for _, a := range c.given {
		if a.param == from && a.follows == "" {
			p.args.SetInt(param.Slot, a.value)
			return c.Routine.CheckRange(param, a.value)
		}
	}
	if from == param || c.gives(from) {
		return fmt.Errorf("%s=%s has no value, because %s has none; give %s a number", param.Name, name, name, name)
	}
	p.followed = append(p.followed, follow{param.Slot, from.Slot})
	return nil
}

func (c *Call) gives(p *routine.Param) bool {
	return slices.ContainsFunc(c.given, func(a argument) bool { return a.param == p })
}

// at returns the arguments of a call at a point: an index into the values of each axis.
func (p *program) at(axes []Axis, point []int) *routine.Args {
	for _, s := range p.varied {
		p.args.SetInt(s.slot, axes[s.axis].Values[point[s.axis]])
	}
	p.complete()
	return &p.args
}

// complete computes the defaults and the arguments that have the value of others. An argument may have the value of a
// default, and other defaults may depend on the argument. The result depends only on the given arguments, not on an
// earlier point.
func (p *program) complete() {
	for _, f := range p.followed {
		p.args.SetInt(f.to, 0)
	}
	p.setDefaults()
	for _, f := range p.followed {
		p.args.SetInt(f.to, p.args.Int(f.from))
	}
	if len(p.followed) > 0 {
		p.setDefaults()
	}
	p.args.PlaceResult()
}

func (p *program) setDefaults() {
	for _, d := range p.defaults {
		d.Set(&p.args)
	}
}

// Points returns the number of combinations of the values of the axes; 1 without axes.
func (s *Sequence) Points() int {
	n := 1
	for _, a := range s.Axes {
		n *= len(a.Values)
	}
	return n
}

// Point returns combination i, an index into each axis; the last axis varies fastest.
func (s *Sequence) Point(i int, into []int) []int {
	into = slices.Grow(into[:0], len(s.Axes))[:len(s.Axes)]
	for k := len(s.Axes) - 1; k >= 0; k-- {
		n := len(s.Axes[k].Values)
		into[k] = i % n
		i /= n
	}
	return into
}

// String returns the calls, separated by semicolons.
func (s *Sequence) String() string {
	var texts []string
	for _, c := range s.Calls {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "; ")
}

// argument is the argument of a call for a parameter: a value, a scalar, or the name of an axis or of another parameter
// with the same value.
type argument struct {
	param   *routine.Param
	value   int64
	scalar  complex128
	real    float64
	follows string
}

// value reads the argument for a parameter.
func value(r *routine.Routine, p *routine.Param, text string) (argument, error) {
	a := argument{param: p}
	var err error
	switch {
	case p.Kind == routine.Scalar:
		if a.scalar, err = strconv.ParseComplex(text, 128); err != nil {
			return a, fmt.Errorf("%q is not a number", text)
		}
	case p.Kind == routine.Real:
		if a.real, err = strconv.ParseFloat(text, 64); err != nil {
			return a, fmt.Errorf("%q is not a number", text)
		}
	case p.Kind.IsPointer():
		return a, fmt.Errorf("a pointer, on which no size depends; leave it out")
	case isName(text) && !p.Kind.IsEnum():
		a.follows = text
	default:
		a.value, err = number(r, p, text)
	}
	return a, err
}

func isName(text string) bool {
	first := text[0] | 0x20
	return first >= 'a' && first <= 'z' || text[0] == '_'
}

// number reads a constant's name or an integer.
func number(r *routine.Routine, p *routine.Param, text string) (int64, error) {
	if p.Kind.IsEnum() {
		if v, ok := routine.ConstantNamed(p.Kind, text); ok {
			return v, nil
		}
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if errors.Is(err, strconv.ErrSyntax) && !p.Kind.IsEnum() {
		n, err = units.ParseInt(text)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is beyond 64 bits", text)
	case err != nil && p.Kind.IsEnum():
		names := shortNames(p)
		return 0, fmt.Errorf("%q is not one of %s%s", text, strings.Join(names, ", "), nearest.DidYouMean(text, names))
	case err != nil:
		return 0, fmt.Errorf("%q is not an integer; a suffix K, M, G or T multiplies by powers of 1024", text)
	}
	return n, r.CheckRange(p, n)
}

// shortNames returns the names of the values that a parameter accepts.
func shortNames(p *routine.Param) (list []string) {
	for _, c := range routine.ConstantsOf(p.Kind) {
		if p.Values == nil || slices.Contains(p.Values, c.Value) {
			list = append(list, c.Short())
		}
	}
	return list
}
