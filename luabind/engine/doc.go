// Package engine calls Go functions from Lua by their declarations in luabind/api.
//
// An [Extension] has a Go function for each declared function of a module or method of a class. To add a function,
// declare it in luabind/api and add its Go function to the table of its module. The Go function has a parameter for
// each declared parameter, of a type that fits its kind:
//
//	{Name: "malloc_async", Params: []Param{bytes("size", "size in bytes"), stream()}, ...}
//
//	"malloc_async": engine.Takes2(hipMallocAsync),
//
//	func hipMallocAsync(c *engine.Call, size uint64, stream *hip.Stream) error
//
// [NewFunctionSet] checks the tables: a declared function without a Go function, or with one whose parameters do not
// fit, is a panic. Arguments are read, counted and checked by the declaration, so that all messages have the same form:
//
//	hip.malloc: size: got the string "x", want a number of bytes
//
// The Go function returns an error. A status is raised in the script, or returned by the try form, in one place for
// all functions.
//
// Routines are not in these tables. Their declarations come from package hip/routine, and package library reads the
// arguments of all of them with one function, in C order or by name.
package engine
