//go:build linux || darwin || freebsd

package dl

import "github.com/ebitengine/purego"

// MaxArgs is the most arguments that Call passes.
const MaxArgs = 32

// Call calls a C function whose arguments are integers and pointers, and returns the low word of its result. A pointer to
// Go memory is converted in the call itself, uintptr(unsafe.Pointer(&x)): the memory then stays where it is until the call
// returns.
//
//go:uintptrescapes
func Call(function uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, args...)
	return result
}
