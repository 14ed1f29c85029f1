// Package amd is the platform "amd" for AMD's GPUs. It opens libamdhip64 for memory, streams and events, and librocblas
// and librocsolver for handles and routines, at run time. Handles belong to the library, so the memory model is not
// used. Routines are called through the table, with the arguments of the C declaration.
package amd
