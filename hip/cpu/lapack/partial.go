package lapack

import (
	"cmp"
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// Eigenvalue is one of the eigenvalues of a tridiagonal matrix, and the block to which it belongs, from 0.
type Eigenvalue struct {
	Value float64
	Block int
}

// Stebz returns the eigenvalues of a real tridiagonal matrix with the diagonal d and the other diagonal e, ascending,
// with their blocks. The blocks are those of numbers of T. It changes d and e.
func Stebz[T blas.Number](d, e []float64) (values []Eigenvalue, blocks []Block, unconverged int) {
	blocks = blocksOf(d, e, epsilonOf[T](), smallestSquareRoot[T]())
	for i, b := range blocks {
		unconverged += Steqr(b.To-b.From, d[b.From:b.To], e[b.From:max(b.From, b.To-1)], nil)
		for _, v := range d[b.From:b.To] {
			values = append(values, Eigenvalue{v, i})
		}
	}
	slices.SortStableFunc(values, func(x, y Eigenvalue) int { return cmp.Compare(x.Value, y.Value) })
	return values, blocks, unconverged
}

// smallestSquareRoot returns the root of the smallest normal number of T.
func smallestSquareRoot[T blas.Number]() float64 {
	if blas.IsSingle[T]() {
		return 0x1p-63
	}
	return 0x1p-511
}

// Stein stores in the columns of Z, n x len(values), the eigenvectors of a real tridiagonal matrix that belong to
// eigenvalues of its blocks. The eigenvalues of one block need not be exact, but different: each belongs to the nearest
// exact one that is not yet used. It returns the number of elements of e that did not converge.
func Stein[T blas.Number](
	n int, d, e []float64, values []Eigenvalue, blocks []Block, z blas.Matrix[T],
) (unconverged int) {
	for j := range values {
		clear(z.Data[j*z.LD:][:n])
	}
	for k, b := range blocks {
		if !slices.ContainsFunc(values, func(v Eigenvalue) bool { return v.Block == k }) {
			continue
		}
		size := b.To - b.From
		exact, rest := slices.Clone(d[b.From:b.To]), slices.Clone(e[b.From:b.To-1])
		vectors := make([]float64, size*size)
		unconverged += Steqr(size, exact, rest, vectors)
		used := make([]bool, size)
		for j, v := range values {
			if v.Block != k {
				continue
			}
			at := nearestUnused(exact, used, v.Value)
			for i, x := range vectors[at*size:][:size] {
				z.Set(b.From+i, j, blas.FromReal[T](x))
			}
		}
	}
	return unconverged
}

// nearestUnused returns the place of the value that is nearest to x and not used, and marks it; 0 if all are used.
func nearestUnused(values []float64, used []bool, x float64) (place int) {
	place = -1
	for i, v := range values {
		if !used[i] && (place < 0 || math.Abs(v-x) < math.Abs(values[place]-x)) {
			place = i
		}
	}
	place = max(place, 0)
	used[place] = true
	return place
}

// Planes are those of the rotations of Lasr.
type Planes int

const (
	Variable Planes = iota // neighbors
	Top                    // the first one and each other
	Bottom                 // each other and the last one
)

// Lasr multiplies A, m x n, from a side by rotations with the cosines c and the sines s. On the left they act on rows,
// on the right on columns. They are applied from the first to the last one, or backward.
func Lasr[T blas.Number](side blas.Side, planes Planes, backward bool, m, n int, c, s []float64, a blas.Matrix[T]) {
	order, count, next, across := m, n, a.LD, 1
	if side == blas.Right {
		order, count, next, across = n, m, 1, a.LD
	}
	for step := range order - 1 {
		j := step
		if backward {
			j = order - 2 - step
		}
		x, y := j, j+1
		switch planes {
		case Top:
			x = 0
		case Bottom:
			y = order - 1
		}
		cosine, sine := blas.FromReal[T](c[j]), blas.FromReal[T](s[j])
		for i := range count {
			p, q := &a.Data[x*across+i*next], &a.Data[y*across+i*next]
			*p, *q = cosine**p+sine**q, cosine**q-sine**p
		}
	}
}
