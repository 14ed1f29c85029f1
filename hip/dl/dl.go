// Package dl opens C libraries at run time, without cgo, and calls their functions. It does not depend on the
// functions. It is the only package that imports purego.
//
// Open opens a library by any of several names. Call and CallWords call a function with integers and pointers, CallArgs
// also with floating-point numbers, and Library.Bind makes a function available as a Go function.
package dl

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
)

// Library is an open C library. It stays open until the process ends, because its functions may still be running.
type Library struct {
	Path   string // the name under which it was found
	handle uintptr
}

// attempt is a name that Open tried, and why opening it failed.
type attempt struct{ path, reason string }

// notFound returns the error of Open. It lists the names that were tried: those without a file together, the others
// with the reason.
func notFound(tried []attempt) error {
	var absent, others, parts []string
	for _, a := range tried {
		if strings.Contains(a.reason, a.path+": cannot open shared object file") {
			absent = append(absent, a.path)
		} else {
			others = append(others, fmt.Sprintf("%s (%s)", a.path, a.reason))
		}
	}
	if others != nil {
		parts = append(parts, strings.Join(others, ", "))
	}
	if absent != nil {
		parts = append(parts, "not found: "+strings.Join(absent, ", "))
	}
	return errors.New(strings.Join(parts, "; "))
}

// Open opens the first of several names that the system's loader finds.
func Open(names ...string) (*Library, error) {
	var tried []attempt
	for _, name := range names {
		handle, err := open(name)
		if err == nil {
			return &Library{name, handle}, nil
		}
		tried = append(tried, attempt{name, err.Error()})
	}
	return nil, notFound(tried)
}

// Bind makes a Go function variable, given by its address, call a function of the library.
func (l *Library) Bind(function any, name string) error {
	symbol, err := lookup(l.handle, name)
	if err != nil {
		return fmt.Errorf("%s has no function %s: %w", l.Path, name, err)
	}
	register(function, symbol)
	return nil
}

// Symbol returns the address of a function of the library, for Call.
func (l *Library) Symbol(name string) (uintptr, error) {
	symbol, err := lookup(l.handle, name)
	if err != nil {
		return 0, fmt.Errorf("%s has no function %s", l.Path, name)
	}
	return symbol, nil
}

// pinned keeps the goroutine on its thread during a call, because the loader stores the text of an error per thread.
func pinned[T any](call func() (T, error)) (T, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return call()
}

// MaxArgs is the largest number of arguments of a call.
const MaxArgs = 32

// Arg is an argument of a C function. C's calling conventions pass integers and pointers in other registers than
// floating-point numbers, so an argument contains its class.
type Arg struct {
	class class
	bits  uint64
}

// class decides where the calling convention puts an argument.
type class uint8

const (
	integer class = iota // an integer or a pointer, in a general register
	single               // a float, in a vector register
	double               // a double, in a vector register
)

func (a Arg) isFloat() bool { return a.class != integer }

// Word is an argument of an integer or pointer type.
func Word(w uintptr) Arg { return Arg{integer, uint64(w)} }

// Float is an argument of type float.
func Float(f float32) Arg { return Arg{single, uint64(math.Float32bits(f))} }

// Double is an argument of type double.
func Double(f float64) Arg { return Arg{double, math.Float64bits(f)} }

// Real is an argument of the floating-point type of so many bytes: 4 for float, 8 for double.
func Real(bytes int64, v float64) Arg {
	if bytes == 4 {
		return Float(float32(v))
	}
	return Double(v)
}
