// Package luabind turns Lua values into Go values and back. It gives scripts the modules hip, rocblas, rocsolver and
// array, runs a scenario's functions and records what they measured and checked. It decides nothing: which cases run,
// on what, and what a failure means for the program is the host's affair; how memory behaves is package workspace's.
//
// Routines are bound from the table of package routine: reading arguments, naming them, filling in defaults and handing
// back results is one piece of code for all of them.
//
// What gopher-lua would get wrong for this program is put right here: errors keep their Go cause through pcall, a Go
// panic or an abort of the library cannot be caught by a script, math.random follows the case's seed.
package luabind
