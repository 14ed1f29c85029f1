//go:build linux || darwin || freebsd

package dl

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/ebitengine/purego"
)

// Call calls a C function whose arguments are integers and pointers, and returns the low word of its result. A pointer
// to Go memory is converted in the call itself, uintptr(unsafe.Pointer(&x)): the memory then stays where it is until
// the call returns.
//
//go:uintptrescapes
func Call(function uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, args...)
	return result
}

// CallArgs calls a C function that may have arguments of type float and double, and returns the low word of its result.
// It panics when there are more than MaxArgs arguments. Go memory whose address is among them must be on the heap, and
// the caller keeps a reference to it until the call returns.
//
// A call without floating-point arguments costs what Call costs. For any other the conversion is prepared once for each
// function and kept for the life of the process.
func CallArgs(function uintptr, args []Arg) uintptr {
	if len(args) > MaxArgs {
		panic(fmt.Sprintf("dl: %d arguments, at most %d can be passed", len(args), MaxArgs))
	}
	if slices.ContainsFunc(args, Arg.isFloat) {
		s := signature{function: function, count: len(args)}
		for i, a := range args {
			s.classes[i] = a.class
		}
		return prepared(s)(args)
	}
	var words [MaxArgs]uintptr
	for i, a := range args {
		words[i] = uintptr(a.bits)
	}
	return Call(function, words[:len(args)]...)
}

// signature is a function and the classes of its arguments.
type signature struct {
	function uintptr
	count    int
	classes  [MaxArgs]class
}

// functions keeps what prepared made, by signature.
var functions sync.Map

// prepared returns a Go function that passes arguments of a signature to its function. SyscallN has no way to put
// different values into general and vector registers; purego does that for Go functions of a known type, so the type is
// made from the signature.
func prepared(s signature) func([]Arg) uintptr {
	if f, ok := functions.Load(s); ok {
		return f.(func([]Arg) uintptr)
	}
	word := reflect.TypeFor[uintptr]()
	types := map[class]reflect.Type{integer: word, single: reflect.TypeFor[float32](),
		double: reflect.TypeFor[float64]()}
	in := make([]reflect.Type, s.count)
	for i := range in {
		in[i] = types[s.classes[i]]
	}
	pointer := reflect.New(reflect.FuncOf(in, []reflect.Type{word}, false))
	purego.RegisterFunc(pointer.Interface(), s.function)
	call := pointer.Elem()
	f, _ := functions.LoadOrStore(s, func(args []Arg) uintptr {
		values := make([]reflect.Value, len(args))
		for i, a := range args {
			values[i] = a.value()
		}
		return uintptr(call.Call(values)[0].Uint())
	})
	return f.(func([]Arg) uintptr)
}

// value returns the argument as a Go value of the type that its class has in C.
func (a Arg) value() reflect.Value {
	switch a.class {
	case single:
		return reflect.ValueOf(math.Float32frombits(uint32(a.bits)))
	case double:
		return reflect.ValueOf(math.Float64frombits(a.bits))
	}
	return reflect.ValueOf(uintptr(a.bits))
}
