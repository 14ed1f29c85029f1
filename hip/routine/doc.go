// Package routine is the table of the routines of rocBLAS and rocSOLVER: their names, types and variants, their
// parameters in C order and what each parameter means.
//
// Everything that needs to know a routine reads it here: the binding that takes its arguments from Lua, the model that
// checks and sizes it, the devices that compute it, the calls into C libraries, and the generated documentation.
//
// A family is a routine without its type and variant. Its declaration (families_*.go) is a list of parts, each of which
// expands to the C parameters of one mathematical argument. A call's arguments are in Args, by Slot; its FamilyID
// indexes the tables of size rules, argument checks and kernels in other packages.
package routine
