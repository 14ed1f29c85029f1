package array

import (
	"roclua/hip/routine"
	"roclua/luabind/api"
)

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
