package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
)

// The functions takes0 to takes8 make bodies of Go functions with so many parameters after the call. The receiver of a
// method counts.

func takes0(run func(c *call) error) body {
	return func(*parameters) func(*call) error { return run }
}

func takes1[A any](run func(*call, A) error) body {
	return func(ps *parameters) func(*call) error {
		a := argument[A](ps)
		return func(c *call) error { return run(c, a(c)) }
	}
}

func takes2[A, B any](run func(*call, A, B) error) body {
	return func(ps *parameters) func(*call) error {
		a, b := argument[A](ps), argument[B](ps)
		return func(c *call) error { return run(c, a(c), b(c)) }
	}
}

func takes3[A, B, C any](run func(*call, A, B, C) error) body {
	return func(ps *parameters) func(*call) error {
		a, b, d := argument[A](ps), argument[B](ps), argument[C](ps)
		return func(c *call) error { return run(c, a(c), b(c), d(c)) }
	}
}

func takes4[A, B, C, D any](run func(*call, A, B, C, D) error) body {
	return func(ps *parameters) func(*call) error {
		a, b, d, e := argument[A](ps), argument[B](ps), argument[C](ps), argument[D](ps)
		return func(c *call) error { return run(c, a(c), b(c), d(c), e(c)) }
	}
}

func takes5[A, B, C, D, E any](run func(*call, A, B, C, D, E) error) body {
	return func(ps *parameters) func(*call) error {
		a, b, d, e, f := argument[A](ps), argument[B](ps), argument[C](ps), argument[D](ps), argument[E](ps)
		return func(c *call) error { return run(c, a(c), b(c), d(c), e(c), f(c)) }
	}
}

func takes7[A, B, C, D, E, F, G any](run func(*call, A, B, C, D, E, F, G) error) body {
	return func(ps *parameters) func(*call) error {
		a, b, d, e, f := argument[A](ps), argument[B](ps), argument[C](ps), argument[D](ps), argument[E](ps)
		g, h := argument[F](ps), argument[G](ps)
		return func(c *call) error { return run(c, a(c), b(c), d(c), e(c), f(c), g(c), h(c)) }
	}
}

func takes8[A, B, C, D, E, F, G, H any](run func(*call, A, B, C, D, E, F, G, H) error) body {
	return func(ps *parameters) func(*call) error {
		a, b, d, e, f := argument[A](ps), argument[B](ps), argument[C](ps), argument[D](ps), argument[E](ps)
		g, h, i := argument[F](ps), argument[G](ps), argument[H](ps)
		return func(c *call) error { return run(c, a(c), b(c), d(c), e(c), f(c), g(c), h(c), i(c)) }
	}
}

// option is an argument that may be left out and has no default.
type option[T any] struct {
	value T
	given bool
}

// or returns the argument, or another value if it was left out.
func (o option[T]) or(otherwise T) T {
	if o.given {
		return o.value
	}
	return otherwise
}

func (option[T]) isOption() {}

// argument returns the function that reads the next parameter as a T. It panics if the kind of the parameter cannot be
// read as a T.
func argument[T any](ps *parameters) func(c *call) T {
	p, position := ps.take()
	if p.Variadic {
		read := find[T](ps.f, p, variadicReaders, func(r any) (variadicReader[T], bool) {
			fn, ok := r.(variadicReader[T])
			return fn, ok
		})
		return func(c *call) T { return read(c, p, position) }
	}
	read := find[T](ps.f, p, readers, func(r any) (reader[T], bool) {
		fn, ok := r.(reader[T])
		return fn, ok
	})
	fallback, optional := fallbackOf[T](ps.f, p)
	return func(c *call) T {
		v := c.l.Get(position)
		if optional && v == lua.LNil {
			return fallback
		}
		return read(c, p, v)
	}
}

// find returns the reader of a kind whose result is a T.
func find[T, R any](f *api.Function, p *api.Param, table map[api.Kind][]any, match func(any) (R, bool)) R {
	for _, r := range table[p.Kind] {
		if fn, ok := match(r); ok {
			return fn
		}
	}
	var none T
	panic(fmt.Sprintf("%s: %s, %s, cannot be read as a %T", f.Title(), p.Name, p.Want(), none))
}

// fallbackOf returns the value of a parameter that is left out or nil: its default, or an option that is not given.
func fallbackOf[T any](f *api.Function, p *api.Param) (value T, optional bool) {
	if p.Default != nil {
		value, ok := p.Default.(T)
		if !ok {
			panic(fmt.Sprintf("%s: the default of %s is a %T, not a %T", f.Title(), p.Name, p.Default, value))
		}
		return value, true
	}
	_, isOption := any(value).(interface{ isOption() })
	if isOption && !p.Optional && p.Nil == "" || !isOption && p.Optional && p.Nil == "" {
		panic(fmt.Sprintf("%s: optional is %t for %s, its Go parameter is a %T", f.Title(), p.Optional, p.Name, value))
	}
	return value, isOption
}
