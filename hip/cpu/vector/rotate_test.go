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
		for test := range 40 {
			count, forward := test/2, test%2 == 1
			rotations := make([]Rotation, count)
			for i := range rotations {
				s, c := math.Sincos(r.Float64() * 10)
				rotations[i] = Rotation{c, s}
			}
			rows := doubles.draw(r, (count+1)*RotatedRows)
			want := slices.Clone(rows)
			for i, by := range rotations {
				changed, next := count-i, count-i-1
				if forward {
					changed, next = i, i+1
				}
				for row := range RotatedRows {
					y, x := &want[changed*RotatedRows+row], &want[next*RotatedRows+row]
					*y, *x = by.S**x+by.C**y, by.C**x-by.S**y
				}
			}
			Rotate(forward, rotations, rows)
			for i, v := range rows {
				wantNear(t, v, want[i], 1e-13)
			}
		}
	})
}
