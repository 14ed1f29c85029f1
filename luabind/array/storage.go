package array

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
)

// The storage of BLAS and LAPACK for matrices with zeros, symmetry, or rows that routines leave alone.

// arrayPacked returns a triangle column by column, without the other triangle.
func arrayPacked(c *engine.Call, a *Array, uplo int64) error {
	upper := isUpper(c, uplo)
	if a.rows != a.cols {
		c.Bad("array", "%dx%d is not a square matrix", a.rows, a.cols)
	}
	n, size, step := a.rows, elementOf[a.Kind].bytes, everyElement(c, a.rows)
	b := reservedArray(c, a.Kind, n*(n+1)/2, 1)
	to := b.Raw
	for j := range n {
		step()
		low, high := j, n
		if upper {
			low, high = 0, j+1
		}
		to = to[copy(to, a.Raw[(j*n+low)*size:(j*n+high)*size]):]
	}
	return outArray(c, b)
}

// arrayBand returns the diagonals of a band, each in a row.
func arrayBand(c *engine.Call, a *Array, kl, ku int64) error {
	b := shapedArray(c, elementOf[a.Kind], kl+ku+1, int64(a.cols))
	size, step := elementOf[a.Kind].bytes, everyElement(c, b.rows)
	for j := range a.cols {
		step()
		low, high := max(0, j-int(ku)), min(a.rows, j+int(kl)+1)
		if low < high {
			copy(b.Raw[(j*b.rows+int(ku)+low-j)*size:], a.Raw[(j*a.rows+low)*size:(j*a.rows+high)*size])
		}
	}
	return outArray(c, b)
}

// arrayPadded returns a matrix with more rows than it needs: each column ends with elements of one value.
func arrayPadded(c *engine.Call, a *Array, padding int64, value engine.Option[lua.LValue]) error {
	b := shapedArray(c, elementOf[a.Kind], int64(a.rows)+padding, int64(a.cols))
	size, step, marks := elementOf[a.Kind].bytes, everyElement(c, b.rows), value.Or(lua.LNumber(math.NaN()))
	for j := range a.cols {
		step()
		copy(b.Raw[j*b.rows*size:], a.Raw[j*a.rows*size:(j+1)*a.rows*size])
		for i := a.rows; i < b.rows; i++ {
			putElement(c, b, j*b.rows+i, marks)
		}
	}
	return outArray(c, b)
}
