// Package lapack is the part of LAPACK that the routines of the table need, on Go slices in column-major storage, for the
// four element types. It stands on package blas and is generic where gonum's is float64 alone and row-major.
//
// Arguments are those of LAPACK and are not checked; slices hold at least what the arguments name. Indices in pivots and
// info are 1-based, as LAPACK's.
package lapack
