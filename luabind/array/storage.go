package array

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/api"
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

// ElementKind is the type of the elements of an array.
type ElementKind struct {
	Name     string
	datatype int64 // of the library; 0 for 64-bit integers and addresses, which it does not have
	bytes    int
}

// elementKinds lists the element types in the order of api.ElementTypes.
var elementKinds = []ElementKind{
	{"s", routine.DatatypeF32, 4}, {"d", routine.DatatypeF64, 8},
	{"c", routine.DatatypeF32C, 8}, {"z", routine.DatatypeF64C, 16},
	{"f16", routine.DatatypeF16, 2}, {"bf16", routine.DatatypeBF16, 2},
	{"i8", routine.DatatypeI8, 1}, {"i32", routine.DatatypeI32, 4}, {"i64", 0, 8}, {"ptr", 0, 8},
}

// elementOf has the element types by name. Its initialization panics if a declared type has no size.
var elementOf = func() map[string]ElementKind {
	byName := map[string]ElementKind{}
	for _, k := range elementKinds {
		byName[k.Name] = k
	}
	for _, name := range api.ElementTypes {
		if byName[name].bytes == 0 {
			panic("the element type " + name + " is declared and has no size")
		}
	}
	return byName
}()

// Epsilon returns the distance from 1 to the next number of an element type; 0 for types without rounding.
func Epsilon(kind string) float64 {
	switch kind {
	case "s", "c":
		return 0x1p-23
	case "d", "z":
		return 0x1p-52
	case "f16":
		return 0x1p-10
	case "bf16":
		return 0x1p-7
	}
	return 0
}

// KindOfDatatype returns the kind of array that holds elements of a datatype.
func KindOfDatatype(datatype int64) string {
	for _, k := range elementKinds {
		if k.datatype == datatype {
			return k.Name
		}
	}
	return ""
}
