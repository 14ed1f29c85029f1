// Package api declares everything that a script can use: modules with their functions and constants, and classes of
// objects with their fields and methods.
//
// Each function is declared once: its name, the C function that it calls, its parameters with their kinds, units
// and defaults, its results, the status that it returns, and its documentation. Package luabind reads the arguments
// of a call through the declaration and takes its messages about wrong arguments from it. Package luabind/manual
// writes the documentation, the reference page and the annotations for editors from it. The routines of rocBLAS and
// rocSOLVER come from the table of package hip/routine, in the same form: see Of.
//
//	f, ok := api.Find("hip.malloc")
//	f.Signature()     // "hip.malloc(size) -> ptr"
//	f.Params[0].Kind  // api.Bytes
//
// The package does not depend on Lua.
package api
