package lapack

import (
	"testing"

	"roclua/hip/cpu/blas"
)

// TestBlockTridiagonal solves a system of three blocks whose solution is known.
func TestBlockTridiagonal(t *testing.T) {
	m := BlockTridiagonal[float64]{
		NB: 1, Blocks: 3,
		Below:    blas.Matrix[float64]{Data: []float64{1, 2}, LD: 1},
		Diagonal: blas.Matrix[float64]{Data: []float64{2, 3, 5}, LD: 1},
		Above:    blas.Matrix[float64]{Data: []float64{4, 3}, LD: 1},
	}
	if info := GeblttrfNpvt(m); info != 0 {
		t.Errorf("info %d", info)
	}
	x := blas.Matrix[float64]{Data: []float64{10, 16, 19}, LD: 1}
	GeblttrsNpvt(m, 1, x)
	want := blas.Matrix[float64]{Data: []float64{1, 2, 3}, LD: 1}
	wantSame(t, "X", 1, 3, x, want, 10)
}

// TestSingularBlocks expects the row of the first zero pivot, counted over all blocks.
func TestSingularBlocks(t *testing.T) {
	m := BlockTridiagonal[float64]{
		NB: 2, Blocks: 2,
		Below:    blas.Matrix[float64]{Data: make([]float64, 4), LD: 2},
		Diagonal: blas.Matrix[float64]{Data: []float64{1, 0, 0, 1, 1, 0, 0, 0}, LD: 2},
		Above:    blas.Matrix[float64]{Data: make([]float64, 4), LD: 2},
	}
	if info := GeblttrfNpvt(m); info != 4 {
		t.Errorf("info %d, want 4", info)
	}
	m.Diagonal.Data[0] = 0
	if info := GeblttrfNpvt(m); info != 1 {
		t.Errorf("info %d, want 1", info)
	}
}
