package vector

import "unsafe"

// Rotation is a plane rotation by the angle with cosine C and sine S.
type Rotation struct{ C, S float64 }

// RotatedRows is the number of rows that Rotate changes.
const RotatedRows = 16

// rotateFunction rotates the rows whose elements in the last column are at column. It has at least one rotation.
type rotateFunction func(count int, rotations *Rotation, column *float64)

// Rotate multiplies RotatedRows rows from the right with rotations. rows has their elements by columns, without gaps,
// of one column more than there are rotations. The rotations act on neighboring columns, from right to left: the first
// one on the last two columns, the last one on the first two. A rotation turns (x, y) into (C x - S y, S x + C y).
func Rotate(rotations []Rotation, rows []float64) {
	if len(rotations) == 0 {
		return
	}
	column := rows[len(rotations)*RotatedRows:][:RotatedRows]
	current.rotate(len(rotations), &rotations[0], &column[0])
}

// rotatePortable is Rotate for all processors.
func rotatePortable(count int, rotations *Rotation, column *float64) {
	for _, by := range unsafe.Slice(rotations, count) {
		right := (*[RotatedRows]float64)(unsafe.Pointer(column))
		column = (*float64)(unsafe.Add(unsafe.Pointer(column), -8*RotatedRows))
		left := (*[RotatedRows]float64)(unsafe.Pointer(column))
		for i, x := range left {
			y := right[i]
			left[i], right[i] = by.C*x-by.S*y, by.S*x+by.C*y
		}
	}
}
