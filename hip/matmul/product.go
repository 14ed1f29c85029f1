// Package matmul describes products of matrices as hipBLASLt takes them: their types, layouts and epilogues. It reads
// them from options of hipblaslt-bench and from the lines of hipBLASLt's log, and says what the name of a kernel means.
package matmul

import (
	"fmt"
	"strings"
)

// The matrices of a product, as indices: D = A*B + C.
const (
	A = iota
	B
	C
	D
)

// Product is a product of matrices. Equal products compare equal.
type Product struct {
	TransA, TransB byte // 'N', 'T' or 'C'
	M, N, K, Batch int64
	Lead           [4]int64  // leading dimensions
	Stride         [4]int64  // in elements between the matrices of a batch; 0 for one matrix
	Types          [4]string // names such as "bf16_r"
	Compute, Scale string    // types of the sum over k and of alpha and beta
	Epilogue       string    // a name of Epilogues
	Bias, Aux      string    // types of the bias and of the array that an epilogue reads or writes; "" for D's
	ScaleA, ScaleB Scale
	ScaleC, ScaleD bool // these have a scalar factor
	ScaleAlpha     bool // alpha is a vector
	MaxD           bool // the largest absolute value of D is stored
}

// Scale is how a matrix of 8-bit numbers is multiplied by factors.
type Scale int

// The kinds of factors.
const (
	NoScale Scale = iota
	Scalar
	Vector
)

// Size returns the rows and columns of a matrix as it is stored.
func (p *Product) Size(matrix int) (rows, columns int64) {
	switch {
	case matrix == A && p.TransA == 'N':
		return p.M, p.K
	case matrix == A:
		return p.K, p.M
	case matrix == B && p.TransB == 'N':
		return p.K, p.N
	case matrix == B:
		return p.N, p.K
	}
	return p.M, p.N
}

// HasBias reports whether the epilogue reads a bias or writes its gradient.
func (p *Product) HasBias() bool { return p.EpilogueNumber()&(bitBias|bitGradient|bitsBiasOf) != 0 }

// HasAux reports whether the epilogue reads or writes another matrix.
func (p *Product) HasAux() bool { return p.EpilogueNumber()&bitAux != 0 }

// EpilogueNumber returns the number of the epilogue in C.
func (p *Product) EpilogueNumber() int { return number(epilogues, p.Epilogue) }

// ComputeNumber returns the number of the type of the sum in C.
func (p *Product) ComputeNumber() int { return number(computes, p.Compute) }

// TypeNumber returns the number of a data type in C.
func TypeNumber(name string) int { return number(types, name) }

// String returns a short form, such as "TN:128x128x65536 bf16_r, bias".
func (p Product) String() string {
	text := fmt.Sprintf("%c%c:%dx%dx%d", p.TransA, p.TransB, p.M, p.N, p.K)
	if p.Batch > 1 {
		text += fmt.Sprintf("x%d", p.Batch)
	}
	text += " " + p.Types[A]
	if p.Types[B] != p.Types[A] {
		text += "*" + p.Types[B]
	}
	if p.Types[D] != p.Types[A] {
		text += " to " + p.Types[D]
	}
	if p.Epilogue != "none" {
		text += ", " + strings.ReplaceAll(p.Epilogue, "_", " ")
	}
	return text
}

// WithEpilogue returns the product with another epilogue, whose bias has the type of D.
func (p Product) WithEpilogue(name string) Product {
	p.Epilogue, p.Bias, p.Aux = name, "", ""
	return p
}
