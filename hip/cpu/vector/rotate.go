package vector

import "unsafe"

// Rotation is a plane rotation by the angle with cosine C and sine S.
type Rotation struct{ C, S float64 }

// RotatedRows is the number of rows that Rotate changes.
const RotatedRows = 16

// rotateFunction rotates rows. It has at least one rotation. column points to the elements of the rows in the column
// that only the first rotation changes; the elements in the next columns are step bytes apart.
type rotateFunction func(count int, rotations *Rotation, column *float64, step int)

// Rotate multiplies RotatedRows rows from the right with rotations. rows has their elements by columns, without gaps,
// of one column more than there are rotations. The rotations act on neighboring columns, one after the other, from
// right to left, or if forward is true from left to right. A rotation turns y, the column that the rotation before it
// has changed, and x, the next one, into S x + C y and C x - S y.
func Rotate(forward bool, rotations []Rotation, rows []float64) {
	if len(rotations) == 0 {
		return
	}
	const step = 8 * RotatedRows
	last := rows[len(rotations)*RotatedRows:][:RotatedRows]
	if forward {
		current.rotate(len(rotations), &rotations[0], &rows[0], step)
	} else {
		current.rotate(len(rotations), &rotations[0], &last[0], -step)
	}
}

// rotatePortable is Rotate for all processors.
func rotatePortable(count int, rotations *Rotation, column *float64, step int) {
	for _, by := range unsafe.Slice(rotations, count) {
		changed := (*[RotatedRows]float64)(unsafe.Pointer(column))
		column = (*float64)(unsafe.Add(unsafe.Pointer(column), step))
		next := (*[RotatedRows]float64)(unsafe.Pointer(column))
		for i, x := range next {
			y := changed[i]
			changed[i], next[i] = by.S*x+by.C*y, by.C*x-by.S*y
		}
	}
}
