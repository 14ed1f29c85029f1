package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Potrf factorizes a Hermitian positive definite matrix into U^H U or L L^H in its triangle uplo. It returns the
// order of the first leading minor that is not positive, or 0, and stops there.
func Potrf[T blas.Number](o *blas.OpenBLAS, uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	for j := 0; j < n; j += panelWidth {
		width := min(panelWidth, n-j)
		if at := potf2(uplo, width, a.From(j, j)); at != 0 {
			return at + j
		}
		rest := n - j - width
		if rest == 0 {
			break
		}
		if uplo == blas.Lower {
			panel := a.From(j+width, j)
			blas.Trsm(o, blas.Right, blas.Lower, blas.ConjTrans, blas.NonUnit, rest, width, 1, a.From(j, j), panel)
			blas.RankK(blas.Lower, blas.None, true, rest, width, -1, panel, panel, 1, a.From(j+width, j+width))
		} else {
			panel := a.From(j, j+width)
			blas.Trsm(o, blas.Left, blas.Upper, blas.ConjTrans, blas.NonUnit, width, rest, 1, a.From(j, j), panel)
			blas.RankK(blas.Upper, blas.ConjTrans, true, rest, width, -1, panel, panel, 1, a.From(j+width, j+width))
		}
	}
	return 0
}

// potf2 is Potrf column by column.
func potf2[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	// at reads and set writes L(i, j) in the triangle that is stored.
	at := func(i, j int) T {
		if uplo == blas.Lower {
			return a.At(i, j)
		}
		return blas.Conj(a.At(j, i))
	}
	set := func(i, j int, x T) {
		if uplo == blas.Lower {
			a.Set(i, j, x)
		} else {
			a.Set(j, i, blas.Conj(x))
		}
	}
	for j := range n {
		diagonal := blas.Real(at(j, j))
		for k := range j {
			v := at(j, k)
			diagonal -= blas.Real(v * blas.Conj(v))
		}
		if diagonal <= 0 || math.IsNaN(diagonal) {
			set(j, j, blas.FromReal[T](diagonal))
			return j + 1
		}
		diagonal = math.Sqrt(diagonal)
		set(j, j, blas.FromReal[T](diagonal))
		for i := j + 1; i < n; i++ {
			sum := at(i, j)
			for k := range j {
				sum -= at(i, k) * blas.Conj(at(j, k))
			}
			set(i, j, sum/blas.FromReal[T](diagonal))
		}
	}
	return 0
}

// Potrs solves A X = B from the factor of Potrf; X replaces B.
func Potrs[T blas.Number](o *blas.OpenBLAS, uplo blas.Uplo, n, nrhs int, a, b blas.Matrix[T]) {
	first, second := blas.None, blas.ConjTrans
	if uplo == blas.Upper {
		first, second = second, first
	}
	blas.Trsm(o, blas.Left, uplo, first, blas.NonUnit, n, nrhs, 1, a, b)
	blas.Trsm(o, blas.Left, uplo, second, blas.NonUnit, n, nrhs, 1, a, b)
}
