package array

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/engine"
)

// The storage of BLAS and LAPACK for matrices with zeros, symmetry, or rows that routines leave alone.

// arrayPacked returns a triangle column by column, without the other triangle.
func arrayPacked(c *engine.Call, a *Array, uplo int64) error {
	upper := isUpper(c, uplo)
	if a.rows != a.cols {
		c.Bad("array", "%dx%d is not a square matrix", a.rows, a.cols)
	}
	b, next := reservedArray(c, a.Kind, a.rows*(a.rows+1)/2, 1), 0
	copyRuns(c, b, a, a.cols, func(j int) (target, source, n int) {
		low, high := a.inTriangle(upper, j)
		target, next = next, next+high-low
		return target, j*a.rows + low, high - low
	})
	return outArray(c, b)
}

// arrayBand returns the diagonals of a band, each in a row.
func arrayBand(c *engine.Call, a *Array, kl, ku int64) error {
	b := shapedArray(c, elementOf[a.Kind], kl+ku+1, int64(a.cols))
	copyRuns(c, b, a, a.cols, func(j int) (target, source, n int) {
		low, high := max(0, j-int(ku)), min(a.rows, j+int(kl)+1)
		return j*b.rows + int(ku) + low - j, j*a.rows + low, high - low
	})
	return outArray(c, b)
}

// arrayPadded returns a matrix with more rows than it needs: each column ends with elements of one value.
func arrayPadded(c *engine.Call, a *Array, padding int64, value engine.Option[lua.LValue]) error {
	b := shapedArray(c, elementOf[a.Kind], int64(a.rows)+padding, int64(a.cols))
	marks := value.Or(lua.LNumber(math.NaN()))
	copyRuns(c, b, a, a.cols, func(j int) (target, source, n int) { return j * b.rows, j * a.rows, a.rows })
	for j := range each(c, a.cols, int(padding)) {
		for i := a.rows; i < b.rows; i++ {
			putElement(c, b, j*b.rows+i, marks)
		}
	}
	return outArray(c, b)
}

// ElementKind is the type of the elements of an array.
type ElementKind struct {
	Name     string
	datatype int64 // of the library; 0 for 64-bit integers and addresses, which it does not have
	bytes    int
	epsilon  float64 // the distance from 1 to the next number; 0 for types without rounding
}

// elementKinds lists the element types in the order of api.ElementTypes.
var elementKinds = []ElementKind{
	{"s", routine.DatatypeF32, 4, 0x1p-23}, {"d", routine.DatatypeF64, 8, 0x1p-52},
	{"c", routine.DatatypeF32C, 8, 0x1p-23}, {"z", routine.DatatypeF64C, 16, 0x1p-52},
	{"f16", routine.DatatypeF16, 2, 0x1p-10}, {"bf16", routine.DatatypeBF16, 2, 0x1p-7},
	{"i8", routine.DatatypeI8, 1, 0}, {"i32", routine.DatatypeI32, 4, 0}, {"i64", 0, 8, 0}, {"ptr", 0, 8, 0},
}

// elementOf has the element types by name.
var elementOf = func() map[string]ElementKind {
	byName := map[string]ElementKind{}
	for _, k := range elementKinds {
		byName[k.Name] = k
	}
	return byName
}()

// Epsilon returns the distance from 1 to the next number of an element type; 0 for types without rounding.
func Epsilon(kind string) float64 { return elementOf[kind].epsilon }

// KindOfDatatype returns the kind of array that holds elements of a datatype.
func KindOfDatatype(datatype int64) string {
	for _, k := range elementKinds {
		if k.datatype == datatype {
			return k.Name
		}
	}
	return ""
}
