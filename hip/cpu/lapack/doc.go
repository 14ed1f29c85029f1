// Package lapack is the part of LAPACK that the routines of the table need, on Go slices in column-major storage, for
// the four element types. Factorizations halve their matrices, so that almost all of the work are the products of
// matrices of package blas. gonum's LAPACK, which supports only float64 in row-major storage, computes eigenvalues of
// real tridiagonal matrices without vectors, and the numbers of single rotations.
//
// Arguments have LAPACK's meaning and are not checked; slices must have at least the elements that the arguments
// describe. Indices in pivots and info are 1-based, as in LAPACK.
package lapack
