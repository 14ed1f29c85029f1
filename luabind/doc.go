// Package luabind runs scenarios: Lua files that use the modules hip, rocblas, rocsolver and array. It runs the
// functions of a scenario for one case and records what they measured and checked. Which cases run, and what a
// failure means for the program, is decided by the caller. Package vm provides the Lua machine, package workspace the
// behavior of handles.
//
// # Functions of scripts
//
// Package luabind/api declares every function, method, constant and object of scripts. This package has a Go function
// for each declared function, in one table for each module and class (hipFunctions, rocblasFunctions and so on). To
// add a function, declare it in luabind/api and add its Go function to the table. The Go function has a parameter for
// each declared parameter, of a type that fits its kind:
//
//	{Name: "malloc_async", Params: []Param{bytes("size", "size in bytes"), stream()}, ...}
//
//	"malloc_async": takes2(hipMallocAsync),
//
//	func hipMallocAsync(c *call, size uint64, stream *hip.Stream) error
//
// The tables are checked at program start: a declared function without a Go function, or with one whose parameters do
// not fit, is a panic. Arguments are read, counted and checked by the declaration, so that all messages have the same
// form:
//
//	hip.malloc: size: got the string "x", want a number of bytes
//
// The Go function returns an error. A status is raised in the script, or returned by the try form, in one place for
// all functions.
//
// Routines are not in these tables. Their declarations come from package hip/routine, and one function reads the
// arguments of all of them, in C order or by name.
package luabind
