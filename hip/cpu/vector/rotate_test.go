package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRotate compares rotated rows with the products of their columns, one rotation after the other.
func TestRotate(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for count := range 20 {
			rotations := make([]Rotation, count)
			for i := range rotations {
				s, c := math.Sincos(r.Float64() * 10)
				rotations[i] = Rotation{c, s}
			}
			rows := doubles.draw(r, (count+1)*RotatedRows)
			want := slices.Clone(rows)
			for i, by := range rotations {
				at := (count - 1 - i) * RotatedRows
				for row := at; row < at+RotatedRows; row++ {
					x, y := want[row], want[row+RotatedRows]
					want[row], want[row+RotatedRows] = by.C*x-by.S*y, by.S*x+by.C*y
				}
			}
			Rotate(rotations, rows)
			for i, v := range rows {
				wantNear(t, v, want[i], 1e-13)
			}
		}
	})
}
