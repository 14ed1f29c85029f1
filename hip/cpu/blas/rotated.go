package blas

import (
	"slices"

	"roclua/hip/cpu/vector"
)

// Rotation is a plane rotation of two columns.
type Rotation = vector.Rotation

// Rotated is a matrix on which rotations of columns act. They wait until there are many, and then act on one group of
// rows after the other, whose elements are adjacent and stay in the cache. A nil Rotated has no rows.
type Rotated struct {
	order     int
	groups    []float64 // of vector.RotatedRows rows, each by columns
	rotations []Rotation
	sweeps    []sweep
}

// sweep are rotations that wait. They act on the columns from first to first+count, one after the other: from the last
// column to the first, or if forward is true from the first to the last.
type sweep struct {
	forward      bool
	first, count int
}

// NewRotated returns the identity matrix of order n.
func NewRotated(n int) *Rotated {
	groups := (n + vector.RotatedRows - 1) / vector.RotatedRows
	v := &Rotated{order: n, groups: make([]float64, groups*n*vector.RotatedRows)}
	for i := range n {
		v.group(i / vector.RotatedRows)[i*vector.RotatedRows+i%vector.RotatedRows] = 1
	}
	return v
}

func (v *Rotated) group(number int) []float64 {
	elements := v.order * vector.RotatedRows
	return v.groups[number*elements:][:elements]
}

// Sweep adds count rotations of neighboring columns, as vector.Rotate makes them, and returns them for the caller to
// set, before the next call of a method: the first one is of the columns first+count and first+count-1, the last one of
// first+1 and first. If forward is true, the first one is of first and first+1, the last one of first+count-1 and
// first+count. A nil Rotated returns nil.
func (v *Rotated) Sweep(forward bool, first, count int) []Rotation {
	if v == nil {
		return nil
	}
	const most = 1 << 13
	before := len(v.rotations)
	if before+count > most {
		v.apply()
		before = 0
	}
	v.sweeps = append(v.sweeps, sweep{forward, first, count})
	v.rotations = slices.Grow(v.rotations, count)[:before+count]
	return v.rotations[before:]
}

// apply makes the rotations that wait.
func (v *Rotated) apply() {
	Parallel(Threads(), len(v.groups)/(v.order*vector.RotatedRows), func(number int) {
		rows, rotations := v.group(number), v.rotations
		for _, s := range v.sweeps {
			columns := rows[s.first*vector.RotatedRows:][:(s.count+1)*vector.RotatedRows]
			vector.Rotate(s.forward, rotations[:s.count], columns)
			rotations = rotations[s.count:]
		}
	})
	v.rotations, v.sweeps = v.rotations[:0], v.sweeps[:0]
}

// CopyTo copies the matrix to one with columns of ld elements.
func (v *Rotated) CopyTo(to []float64, ld int) {
	if v == nil {
		return
	}
	v.apply()
	for from := 0; from < v.order; from += vector.RotatedRows {
		count := min(vector.RotatedRows, v.order-from)
		group := v.group(from / vector.RotatedRows)
		for j := range v.order {
			copy(to[j*ld+from:][:count], group[j*vector.RotatedRows:])
		}
	}
}
