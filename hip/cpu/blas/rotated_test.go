package blas

import (
	"math"
	"testing"

	"roclua/internal/randomtest"
)

// TestRotated compares more rotations than wait with the products of their columns.
func TestRotated(t *testing.T) {
	r := randomtest.New(t)
	for _, n := range []int{1, 2, 15, 16, 17, 100} {
		v, want := NewRotated(n), Matrix[float64]{Data: make([]float64, n*n), LD: n}
		for i := range n {
			want.Set(i, i, 1)
		}
		for total := 0; total < 20000 && n > 1; {
			first := r.IntN(n - 1)
			count := 1 + r.IntN(n-1-first)
			forward := r.IntN(2) == 0
			rotations := v.Sweep(forward, first, count)
			for i := range rotations {
				s, c := math.Sincos(r.Float64() * 10)
				rotations[i] = Rotation{C: c, S: s}
				changed, next := first+count-i, first+count-i-1
				if forward {
					changed, next = first+i, first+i+1
				}
				for row := range n {
					y, x := want.At(row, changed), want.At(row, next)
					want.Set(row, changed, s*x+c*y)
					want.Set(row, next, c*x-s*y)
				}
			}
			total += count
		}
		have := Matrix[float64]{Data: make([]float64, n*(n+2)), LD: n + 2}
		v.CopyTo(have.Data, have.LD)
		for j := range n {
			for i := range n {
				if math.Abs(have.At(i, j)-want.At(i, j)) > 1e-11 {
					t.Fatalf("order %d: element (%d, %d) is %v, want %v", n, i, j, have.At(i, j), want.At(i, j))
				}
			}
		}
	}
}
