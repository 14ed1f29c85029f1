package engine

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// The functions Takes0 to Takes6 make a Body of a Go function that has as many parameters after the call. The receiver
// of a method counts.

func Takes0(run func(c *Call) error) Body {
	return func(*Parameters) func(*Call) error { return run }
}

func Takes1[A any](run func(*Call, A) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a := Argument[A](ps)
		return func(c *Call) error { return run(c, a(c)) }
	}
}

func Takes2[A, B any](run func(*Call, A, B) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a, b := Argument[A](ps), Argument[B](ps)
		return func(c *Call) error { return run(c, a(c), b(c)) }
	}
}

func Takes3[A, B, C any](run func(*Call, A, B, C) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a, b, d := Argument[A](ps), Argument[B](ps), Argument[C](ps)
		return func(c *Call) error { return run(c, a(c), b(c), d(c)) }
	}
}

func Takes4[A, B, C, D any](run func(*Call, A, B, C, D) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a, b, d, e := Argument[A](ps), Argument[B](ps), Argument[C](ps), Argument[D](ps)
		return func(c *Call) error { return run(c, a(c), b(c), d(c), e(c)) }
	}
}

func Takes5[A, B, C, D, E any](run func(*Call, A, B, C, D, E) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a, b, d, e, f := Argument[A](ps), Argument[B](ps), Argument[C](ps), Argument[D](ps), Argument[E](ps)
		return func(c *Call) error { return run(c, a(c), b(c), d(c), e(c), f(c)) }
	}
}

func Takes6[A, B, C, D, E, F any](run func(*Call, A, B, C, D, E, F) error) Body {
	return func(ps *Parameters) func(*Call) error {
		a, b, d, e, f := Argument[A](ps), Argument[B](ps), Argument[C](ps), Argument[D](ps), Argument[E](ps)
		g := Argument[F](ps)
		return func(c *Call) error { return run(c, a(c), b(c), d(c), e(c), f(c), g(c)) }
	}
}

// The functions Does1 to Does3 make a Body of a Go function or method that needs no call and returns only an error.

func Does1[A any](do func(A) error) Body {
	return Takes1(func(_ *Call, a A) error { return do(a) })
}

func Does2[A, B any](do func(A, B) error) Body {
	return Takes2(func(_ *Call, a A, b B) error { return do(a, b) })
}

func Does3[A, B, C any](do func(A, B, C) error) Body {
	return Takes3(func(_ *Call, a A, b B, c C) error { return do(a, b, c) })
}

// Option is an argument that may be left out and has no default.
type Option[T any] struct {
	Value T
	Given bool
}

// Or returns the argument, or another value if it was left out.
func (o Option[T]) Or(otherwise T) T {
	if o.Given {
		return o.Value
	}
	return otherwise
}

func (Option[T]) isOption() {}

// Argument returns the function that reads the next parameter as a T. It panics if the kind of the parameter cannot be
// read as a T.
func Argument[T any](ps *Parameters) func(c *Call) T {
	p, position := ps.take()
	if p.Variadic {
		read := find[T, variadicReader[T]](ps, p)
		return func(c *Call) T { return read(c, p, position) }
	}
	read := find[T, reader[T]](ps, p)
	fallback, optional := fallbackOf[T](ps.f, p)
	return func(c *Call) T {
		v := c.L.Get(position)
		switch {
		case optional && v == lua.LNil:
			return fallback
		case p.Kind == api.Any && !p.Optional && position > c.L.GetTop(): // nil is a value, but there is none
			c.Bad(p.Name, "is missing")
		}
		if text, ok := v.(lua.LString); ok && len(text) > vm.MaxText && p.Kind != api.Any {
			c.Bad(p.Name, "got a string of %d bytes, want at most %d", len(text), vm.MaxText)
		}
		return read(c, p, v)
	}
}

// find returns the reader of a kind whose result is a T.
func find[T, R any](ps *Parameters, p *api.Param) R {
	for _, r := range ps.readers[p.Kind] {
		if read, ok := r.(R); ok {
			return read
		}
	}
	var none T
	panic(fmt.Sprintf("%s: %s, %s, cannot be read as a %T", ps.f.Title(), p.Name, p.Want(), none))
}

// fallbackOf returns the value of a parameter that is left out or nil: its default, or an empty option.
func fallbackOf[T any](f *api.Function, p *api.Param) (value T, optional bool) {
	otherwise := p.Default
	if p.Kind == api.Options {
		otherwise = defaultsOf(p)
	}
	if otherwise != nil {
		value, ok := otherwise.(T)
		if !ok {
			panic(fmt.Sprintf("%s: the default of %s is a %T, not a %T", f.Title(), p.Name, otherwise, value))
		}
		return value, true
	}
	_, isOption := any(value).(interface{ isOption() })
	if isOption && !p.Optional && p.Nil == "" || !isOption && p.Optional && p.Nil == "" {
		panic(fmt.Sprintf("%s: optional is %t for %s, its Go parameter is a %T", f.Title(), p.Optional, p.Name, value))
	}
	return value, isOption
}
