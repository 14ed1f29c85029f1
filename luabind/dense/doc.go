// Package dense computes with matrices in double precision, real or complex: products, transposes, random matrices, and
// the residuals by which the results of BLAS and LAPACK are checked.
//
// Matrices are stored by columns. Products use the kernels of the CPU platform, with vector instructions. The tests
// compare them with sums of 200 bits, since a check with a wrong product could accept a wrong result.
//
// Functions that take a [Meter] report their temporary memory and their progress to it, so that a host can end a
// computation that takes too much of either.
//
// Shapes are the caller's responsibility. Functions panic if the operands do not fit.
package dense

// Meter counts the resources of a computation. Its methods may panic to end the computation.
type Meter interface {
	// Reserve is called before memory is allocated.
	Reserve(bytes uint64)
	// Step is called before each part of a computation, with its number of operations.
	Step(operations int)
}

// Unmetered is a Meter without limits.
type Unmetered struct{}

// Reserve implements Meter.
func (Unmetered) Reserve(uint64) {}

// Step implements Meter.
func (Unmetered) Step(int) {}
