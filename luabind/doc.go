// Package luabind runs scenarios: Lua files that use the modules hip, rocblas, rocsolver and array. It runs the
// functions of a scenario for one case and records what they measured and checked. The caller decides which cases run,
// and what a failure means for the program.
//
// The packages below it, from the bottom up: vm is the Lua machine, engine calls Go functions from Lua, array has the
// module array, device the module hip, and library the modules rocblas and rocsolver. Package workspace has the
// behavior of handles.
package luabind
