// Package routine is the table of the routines of rocBLAS and rocSOLVER: their names, types and variants, their
// parameters in C order and what each parameter means.
//
// Everything that needs to know a routine reads it here: the binding that takes its arguments from Lua, the model that
// checks and sizes it, the devices that compute it, the calls into C libraries, and the generated documentation.
//
// A family is a routine without its type and variant. Its declaration (families_*.go) is a list of parts. Each part
// expands to the C parameters of one mathematical argument. Args holds the arguments of a call by Slot. Other packages
// index their tables of size rules, argument checks and kernels by FamilyID.
package routine
