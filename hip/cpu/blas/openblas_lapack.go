package blas

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"roclua/hip/dl"
)

// OpenBLAS contains LAPACK. Its functions have the calling convention of Fortran: every argument is a pointer.

// lapackFunction is one of the functions that this package calls.
type lapackFunction int

const (
	getrf lapackFunction = iota
	getrs
	getri
	potrf
	geqrf
	heevd // syevd of real types
	gesdd
	lapackFunctions // the number of them
)

// lapackTable has the addresses of functions for the types s, d, c and z.
type lapackTable [4][lapackFunctions]uintptr

func (t *lapackTable) bind(lib *dl.Library) (err error) {
	for kind, prefix := range "sdcz" {
		for f, name := range [lapackFunctions]string{"getrf", "getrs", "getri", "potrf", "geqrf",
			[]string{"syevd", "heevd"}[kind/2], "gesdd"} {
			if t[kind][f], err = lib.Symbol(fmt.Sprintf("%c%s_", prefix, name)); err != nil {
				return err
			}
		}
		maximum, err := lib.Symbol(fmt.Sprintf("i%camax_", prefix))
		if err != nil {
			return err
		}
		if !findsNaN(maximum) {
			t[kind][getrf] = 0
		}
	}
	return nil
}

// findsNaN reports whether i?amax finds a maximum in vectors of NaN. Where it returns 0, getrf would exchange a row in
// front of the matrix.
func findsNaN(maximum uintptr) bool {
	const most = 80 // more than one step of every vector loop
	bits := make([]uint64, 2*most)
	for i := range bits {
		bits[i] = math.MaxUint64 // NaN in each type
	}
	for n, inc := int32(1), int32(1); n <= most; n++ {
		at := int32(dl.Call(maximum, uintptr(unsafe.Pointer(&n)), uintptr(unsafe.Pointer(&bits[0])),
			uintptr(unsafe.Pointer(&inc))))
		if at < 1 || at > n {
			return false
		}
	}
	return true
}

// mostElements is the size of the largest matrix for heevd and gesdd. Their workspaces have up to five times as many
// elements, and OpenBLAS counts them with 32 bits.
const mostElements = 1 << 28

// lapackOf returns the address of a function for a type, or 0 if Go computes a problem of this size.
func lapackOf[T Number](o *OpenBLAS, f lapackFunction, m, n, k int) uintptr {
	if !o.pays(m, n, k) || (f == heevd || f == gesdd) && m*n > mostElements {
		return 0
	}
	return o.lapack[kind[T]()][f]
}

// lapackArguments is the memory for arguments of one call.
type lapackArguments struct {
	letter         byte
	m, n, lda, ldb int32
	lwork, info    int32
}

// Pivots are addresses for OpenBLAS, which does not check them: a wrong one makes it write outside of the matrix, into
// the memory of Go. Its functions therefore work with copies, which a kernel of another stream cannot change.

// checkedPivots returns a copy of the first n pivots, or nil if one of them is not a row of a matrix with n rows.
func checkedPivots(pivots []int32, n int) []int32 {
	if slices.ContainsFunc(pivots[:n], func(p int32) bool { return p < 1 || int(p) > n }) {
		return nil
	}
	return slices.Clone(pivots[:n])
}

// LU factorizes A, m x n, into P L U by OpenBLAS, as getrf of LAPACK. It reports false, and does nothing, if Go must
// compute it.
func LU[T Number](o *OpenBLAS, m, n int, a Matrix[T], pivots []int32) (info int, ok bool) {
	f := lapackOf[T](o, getrf, m, n, min(m, n))
	if f == 0 {
		return 0, false
	}
	rows := make([]int32, min(m, n))
	c := &lapackArguments{m: int32(m), n: int32(n), lda: int32(a.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&rows[0])), uintptr(unsafe.Pointer(&c.info)))
	copy(pivots, rows)
	return int(c.info), true
}

// LUSolve solves op(A) X = B from the factors of LU by OpenBLAS, as getrs of LAPACK. It reports false, and does
// nothing, if Go must compute it, for example because a pivot is not a row of A.
func LUSolve[T Number](o *OpenBLAS, op Op, n, nrhs int, a Matrix[T], pivots []int32, b Matrix[T]) bool {
	f := lapackOf[T](o, getrs, n, n, nrhs)
	if f == 0 {
		return false
	}
	rows := checkedPivots(pivots, n)
	if rows == nil {
		return false
	}
	c := &lapackArguments{letter: "NTC"[op], m: int32(nrhs), n: int32(n), lda: int32(a.LD), ldb: int32(b.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.letter)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&c.m)),
		uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&rows[0])),
		uintptr(unsafe.Pointer(&b.Data[0])), uintptr(unsafe.Pointer(&c.ldb)), uintptr(unsafe.Pointer(&c.info)))
	return true
}

// LUInverse replaces the factors of LU by the inverse by OpenBLAS, as getri of LAPACK. work has at least n elements;
// more, up to 64 n, make it faster. It reports false, and does nothing, if Go must compute it, for example because a
// pivot is not a column of A.
func LUInverse[T Number](o *OpenBLAS, n int, a Matrix[T], pivots []int32, work []T) (info int, ok bool) {
	f := lapackOf[T](o, getri, n, n, n)
	if f == 0 {
		return 0, false
	}
	rows := checkedPivots(pivots, n)
	if rows == nil {
		return 0, false
	}
	c := &lapackArguments{n: int32(n), lda: int32(a.LD), lwork: int32(min(len(work), 64*n))}
	dl.Call(f, uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.lda)),
		uintptr(unsafe.Pointer(&rows[0])), uintptr(unsafe.Pointer(&work[0])), uintptr(unsafe.Pointer(&c.lwork)),
		uintptr(unsafe.Pointer(&c.info)))
	return int(c.info), true
}

// Cholesky factorizes a Hermitian positive definite matrix by OpenBLAS, as potrf of LAPACK. It reports false, and does
// nothing, if Go must compute it.
func Cholesky[T Number](o *OpenBLAS, uplo Uplo, n int, a Matrix[T]) (info int, ok bool) {
	f := lapackOf[T](o, potrf, n, n, n)
	if f == 0 {
		return 0, false
	}
	c := &lapackArguments{letter: "UL"[uplo], n: int32(n), lda: int32(a.LD)}
	dl.Call(f, uintptr(unsafe.Pointer(&c.letter)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
		uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&c.info)))
	return int(c.info), true
}

// QR factorizes A, m x n, into Q R by OpenBLAS, as geqrf of LAPACK. It reports false, and does nothing, if Go must
// compute it.
func QR[T Number](o *OpenBLAS, m, n int, a Matrix[T], tau []T) bool {
	f := lapackOf[T](o, geqrf, m, n, min(m, n))
	if f == 0 {
		return false
	}
	WithScratch(workOfQR(n), func(work []T) {
		c := &lapackArguments{m: int32(m), n: int32(n), lda: int32(a.LD), lwork: int32(len(work))}
		dl.Call(f, uintptr(unsafe.Pointer(&c.m)), uintptr(unsafe.Pointer(&c.n)), uintptr(unsafe.Pointer(&a.Data[0])),
			uintptr(unsafe.Pointer(&c.lda)), uintptr(unsafe.Pointer(&tau[0])), uintptr(unsafe.Pointer(&work[0])),
			uintptr(unsafe.Pointer(&c.lwork)), uintptr(unsafe.Pointer(&c.info)))
	})
	return true
}

// workOfQR returns the number of elements of the workspace for n columns. At least n are necessary; more, up to 64 n,
// make the factorization faster. The number has 32 bits.
func workOfQR(n int) int { return min(64*n, max(n, 1<<26)) }
