// Package dl opens C libraries at run time, without cgo, and calls their functions. It does not depend on the
// functions. It is the only package that imports purego.
//
// Open opens a library by any of several names. Call and CallWords call a function with integers and pointers, CallArgs
// also with floating-point numbers, and Library.Bind makes a function available as a Go function.
package dl

import (
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

// NotFound is the error of Open: every name that was tried, and why opening it failed.
type NotFound struct {
	Tried []Attempt
}

// Attempt is one name that Open tried.
type Attempt struct{ Path, Reason string }

// Error lists the names that were tried. Those without a file are listed together; for the others the reason is
// included.
func (e *NotFound) Error() string {
	var absent, others []string
	for _, a := range e.Tried {
		if strings.Contains(a.Reason, a.Path+": cannot open shared object file") {
			absent = append(absent, a.Path)
		} else {
			others = append(others, fmt.Sprintf("%s (%s)", a.Path, a.Reason))
		}
	}
	text := strings.Join(others, ", ")
	if len(absent) > 0 {
		if text != "" {
			text += "; "
		}
		text += "not found: " + strings.Join(absent, ", ")
	}
	return text
}

// Open opens the first of several names that the system's loader finds.
func Open(names ...string) (*Library, error) {
	missing := &NotFound{}
	for _, name := range names {
		handle, err := open(name)
		if err == nil {
			return &Library{name, handle}, nil
		}
		missing.Tried = append(missing.Tried, Attempt{name, err.Error()})
	}
	return nil, missing
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
