package lapack

import (
	"fmt"
	"math"
	"testing"

	"roclua/hip/cpu/blas"
)

// TestStebzAndStein computes the eigenvalues of three blocks, and the vectors of some of them.
func TestStebzAndStein(t *testing.T) {
	d, e := []float64{2, 2, 7, 5, 5}, []float64{1, 1e-20, 0, 3}
	values, blocks, info := Stebz[float64](append([]float64(nil), d...), append([]float64(nil), e...))
	have := ""
	for _, v := range values {
		have += fmt.Sprintf("%.3f in %d, ", v.Value, v.Block)
	}
	if have != "1.000 in 0, 2.000 in 2, 3.000 in 0, 7.000 in 1, 8.000 in 2, " || info != 0 ||
		fmt.Sprint(blocks) != "[{0 2} {2 3} {3 5}]" {
		t.Errorf("stebz: %s blocks %v, info %d", have, blocks, info)
	}
	_, blocks, _ = Stebz[float32]([]float64{1, 1, 1}, []float64{1e-7, 1e-9})
	if fmt.Sprint(blocks) != "[{0 2} {2 3}]" {
		t.Errorf("blocks of numbers in single precision: %v", blocks)
	}
	z := blas.NewMatrix[complex128](5, 2)
	if info := Stein(5, d, e, []Eigenvalue{{2.99, 0}, {8, 2}}, []Block{{0, 2}, {2, 3}, {3, 5}}, z); info != 0 {
		t.Errorf("stein: info %d", info)
	}
	root := math.Sqrt(0.5)
	for i, want := range []float64{root, root, 0, 0, 0, 0, 0, 0, root, root} {
		if have := blas.Abs1(z.Data[i]); math.Abs(have-want) > 1e-15 {
			t.Fatalf("eigenvectors %v", z.Data)
		}
	}
	// Two equal eigenvalues of a block have different vectors, and one that is not a number has any.
	z = blas.NewMatrix[complex128](2, 2)
	Stein(2, []float64{3, 3}, []float64{1e-18}, []Eigenvalue{{3, 0}, {math.NaN(), 0}}, []Block{{0, 2}}, z)
	wantVectors(t, "equal eigenvalues", 2, 2, z)
}

// TestLasr rotates by a right angle in each of the planes.
func TestLasr(t *testing.T) {
	c, s := []float64{0, 0}, []float64{1, 1}
	for _, test := range []struct {
		planes   Planes
		backward bool
		want     []float32
	}{
		{Variable, false, []float32{2, 3, 1}}, {Variable, true, []float32{3, -1, -2}},
		{Top, false, []float32{3, -1, -2}}, {Bottom, false, []float32{3, -1, -2}}, {Bottom, true, []float32{-2, 3, -1}},
	} {
		for _, side := range []blas.Side{blas.Left, blas.Right} {
			a := blas.Matrix[float32]{Data: []float32{1, 2, 3}, LD: 3}
			m, n := 3, 1
			if side == blas.Right {
				a.LD, m, n = 1, 1, 3
			}
			Lasr(side, test.planes, test.backward, m, n, c, s, a)
			if fmt.Sprint(a.Data) != fmt.Sprint(test.want) {
				t.Errorf("planes %d, backward %t, side %d: %v, want %v", test.planes, test.backward, side, a.Data,
					test.want)
			}
		}
	}
}
