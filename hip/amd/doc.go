// Package amd is the platform of AMD's GPUs: libamdhip64 for memory, streams and events, and librocblas and librocsolver
// themselves, opened at run time. Handles are the libraries' own: nothing of the memory model is modelled here. Routines are
// called through the table, with the arguments of the C declaration.
package amd
