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

// CallWords calls a C function with a list of integers and pointers, and returns the low word of its result. Unlike
// Call it allocates no memory. It panics when there are more than MaxArgs arguments. Go memory whose address is among
// them must be on the heap, and the caller keeps a reference to it until the call returns.
func CallWords(function uintptr, args []uintptr) uintptr {
	words := takeWords(len(args))
	defer wordLists.Put(words)
	return CallKept(function, words[:copy(words[:], args)])
}

// CallKept is CallWords for a list on the heap, which it does not copy.
func CallKept(function uintptr, words []uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, words...)
	return result
}

// wordLists has lists of words, of type *[MaxArgs]uintptr. The arguments of SyscallN are on the heap.
var wordLists = sync.Pool{New: func() any { return new([MaxArgs]uintptr) }}

// takeWords returns a list for n words. The caller returns it to wordLists.
func takeWords(n int) *[MaxArgs]uintptr {
	if n > MaxArgs {
		panic(fmt.Sprintf("dl: %d arguments, at most %d can be passed", n, MaxArgs))
	}
	return wordLists.Get().(*[MaxArgs]uintptr)
}

// CallArgs is CallWords for a C function that may have arguments of type float and double. For a function that has
// some, the conversion is prepared once and kept for the life of the process.
func CallArgs(function uintptr, args []Arg) uintptr {
	words := takeWords(len(args))
	defer wordLists.Put(words)
	if slices.ContainsFunc(args, Arg.isFloat) {
		s := signature{function: function, count: len(args)}
		for i, a := range args {
			s.classes[i] = a.class
		}
		return prepared(s)(args)
	}
	for i, a := range args {
		words[i] = uintptr(a.bits)
	}
	return CallKept(function, words[:len(args)])
}

// signature is a function and the classes of its arguments.
type signature struct {
	function uintptr
	count    int
	classes  [MaxArgs]class
}

// functions caches the results of prepared by signature.
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

// NewCallback returns a C function of one argument, an integer or a pointer, that calls a Go function, on whatever
// thread C calls it. It stays valid for the life of the process, which can have about 2000 of them.
func NewCallback(function func(uintptr)) uintptr { return purego.NewCallback(function) }

func open(name string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL) })
}

func lookup(handle uintptr, name string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return purego.Dlsym(handle, name) })
}

func register(function any, symbol uintptr) { purego.RegisterFunc(function, symbol) }
