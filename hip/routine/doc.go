// Package routine is the table of the routines of rocBLAS and rocSOLVER: their names, types and variants, their
// parameters in C order and what each parameter means. Everything that must know a routine reads it here: the binding
// that takes its arguments from Lua, the model that checks and sizes it, the devices that compute it, the calls into C
// libraries, and generated documentation. The package imports nothing of the module.
package routine
