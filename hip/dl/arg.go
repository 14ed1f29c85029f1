package dl

import "math"

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
