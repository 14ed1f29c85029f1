//go:build !(linux || darwin || freebsd)

package dl

// MaxArgs is the most arguments that Call passes.
const MaxArgs = 32

// Call cannot be reached: no library opens here.
func Call(uintptr, ...uintptr) uintptr { panic("dl: no library can be open on this system") }
