package api

import (
	"slices"

	"roclua/hip/routine"
)

var newArray = []Result{{"array", "roclua.array", "the new array"}}

var elementType = Param{Name: "type", Kind: ElementType, About: "element type: s d c z f16 bf16 i8 i32 i64 or ptr"}

const (
	maxRows  = 1 << 40
	maxCount = 1 << 28
)

func rows(about string) Param { return integer("rows", 0, maxRows, about) }
func cols() Param             { return integer("cols", 0, maxRows, "number of columns") }

func seed() Param {
	return optional(integer("seed", 0, MaxInteger, "seed of the random numbers"), "the random numbers of the case")
}

func normKind() Param {
	return withDefault(Param{Name: "kind", Kind: Choice, Choices: []string{"frobenius", "max", "one"},
		About: "frobenius; max: the largest absolute value; one: the largest sum of a column"}, "frobenius")
}

var array = Module{
	Name:  "array",
	About: "typed arrays in host memory, filled and compared without loops in Lua",
}

// arrayFunctions lists the functions of the module.
func arrayFunctions() []*Function {
	return slices.Concat(arrayCreation, arrayArithmetic, arrayNorms, arrayChecks)
}

var arrayCreation = []*Function{{
	Name:    "new",
	About:   "creates an array of zeros; the same as array.zeros",
	Params:  []Param{elementType, rows("number of rows"), withDefault(cols(), int64(1))},
	Results: newArray,
}, {
	Name:    "zeros",
	About:   "creates an array of zeros",
	Params:  []Param{elementType, rows("number of rows"), withDefault(cols(), int64(1))},
	Results: newArray,
}, {
	Name: "random",
	About: "creates an array of random numbers: in [-1, 1), each part of a complex number; not negative in an " +
		"array of integers",
	Params:  []Param{elementType, rows("number of rows"), withDefault(cols(), int64(1)), seed()},
	Results: newArray,
}, {
	Name:    "identity",
	About:   "creates an identity matrix",
	Params:  []Param{elementType, rows("number of rows"), optional(cols(), "rows")},
	Results: newArray,
}, {
	Name:    "hilbert",
	About:   "creates a Hilbert matrix: element (i, j) is 1/(i+j-1)",
	Params:  []Param{elementType, rows("number of rows"), optional(cols(), "rows")},
	Results: newArray,
}, {
	Name:    "diagonally_dominant",
	About:   "creates a random matrix with a dominant diagonal, whose LU factorization needs no pivoting",
	Params:  []Param{elementType, rows("number of rows"), optional(cols(), "rows"), seed()},
	Results: newArray,
}, {
	Name: "positive_definite",
	About: "creates a random symmetric positive definite matrix, Hermitian if it is complex: G G^H / n + I, with " +
		"the G of array.random",
	Params:  []Param{elementType, integer("n", 0, maxRows, "order of the matrix"), seed()},
	Results: newArray,
}, {
	Name: "orthogonal",
	About: "creates a random matrix with orthonormal columns, or rows if it has more columns than rows; a square " +
		"one is orthogonal, or unitary if it is complex",
	Params:  []Param{elementType, rows("number of rows"), optional(cols(), "rows"), seed()},
	Results: newArray,
}, {
	Name:  "of",
	About: "creates an array of the listed values, column by column",
	Params: []Param{elementType, {Name: "values", Kind: List, About: "numbers, {re, im} or device pointers"},
		optional(integer("rows", 1, maxRows, "number of rows, which must divide the number of values"), "one column")},
	Results: newArray,
}, {
	Name:  "pointers",
	About: "creates an array of equally spaced device addresses, for a batched routine",
	Params: []Param{pointer("base", "the first address"), integer("count", 0, maxCount, "number of addresses"),
		bytes("stride", "distance between addresses in bytes")},
	Results: newArray,
}}

var arrayNorms = []*Function{{
	Name: "norm", Method: true,
	About:   "returns a norm of an array",
	Params:  []Param{numbers("array", "the array"), normKind()},
	Results: []Result{{"norm", "number", "the norm; NaN when an element is NaN"}},
}, {
	Name:    "max_difference",
	About:   "returns the largest absolute difference of two arrays",
	Params:  []Param{numbers("a", "the first array"), numbers("b", "the second array, with as many elements")},
	Results: []Result{{"difference", "number", "the largest difference; NaN when an element is NaN"}},
}, {
	Name:    "relative_difference",
	About:   "returns ||a - b|| / ||b|| in Frobenius norms: the error of a, relative to b",
	Params:  []Param{numbers("a", "the first array"), numbers("b", "the second array, with as many elements")},
	Results: []Result{{"difference", "number", "the difference; NaN when an element is NaN"}},
}}

// The bounds of an index are the array's own.
func index(name, about string) Param { return integer(name, 1, maxRows, about) }

const elementAbout = "a number, {re, im} or a device pointer"

var elementValue = Param{Name: "value", Kind: Element, About: elementAbout,
	Nil: "the null pointer, in an array of device addresses"}

var arrayClass = Class{
	Name: "array", Receiver: "array",
	About: "a typed array in host memory, stored by columns; array[i] reads and writes element i, from 1; " +
		"#array is the number of elements",
	Fields: []Field{
		{"rows", "integer", "number of rows"},
		{"cols", "integer", "number of columns"},
		{"type", "roclua.element", "element type"},
		{"bytes", "integer", "size in bytes"},
	},
	Methods: []*Function{{
		Name: "get", Receiver: Array,
		About:   "returns an element",
		Params:  []Param{index("row", "row, from 1"), index("column", "column, from 1")},
		Results: []Result{{"value", "number|number[]|roclua.pointer|nil", elementAbout}},
	}, {
		Name: "set", Receiver: Array,
		About:  "sets an element",
		Params: []Param{index("row", "row, from 1"), index("column", "column, from 1"), elementValue},
	}, {
		Name: "copy", Receiver: Array,
		About:   "returns a copy of the array",
		Results: newArray,
	}, {
		Name: "fill", Receiver: Array,
		About:  "sets every element to a value",
		Params: []Param{elementValue},
	}, {
		Name: "row", Receiver: Array,
		About:   "returns a copy of a row, as a matrix of one row",
		Params:  []Param{index("row", "row, from 1")},
		Results: newArray,
	}, {
		Name: "column", Receiver: Array,
		About:   "returns a copy of a column",
		Params:  []Param{index("column", "column, from 1")},
		Results: newArray,
	}, {
		Name: "block", Receiver: Array,
		About: "returns a copy of a part of the matrix",
		Params: []Param{index("row", "first row, from 1"), index("column", "first column, from 1"),
			rows("number of rows"), cols()},
		Results: newArray,
	}, {
		Name: "paste", Receiver: Array,
		About: "copies another array of the same type into the matrix",
		Params: []Param{index("row", "row of its first element, from 1"),
			index("column", "column of its first element, from 1"), {Name: "block", Kind: Array, About: "the array"}},
	}, {
		Name: "problem", Receiver: Array,
		About: "returns a copy of one problem of a batch; the problems have equal numbers of columns, in sequence",
		Params: []Param{index("index", "number of the problem, from 1"),
			integer("count", 1, maxCount, "number of problems")},
		Results: newArray,
	}, {
		Name: "reshape", Receiver: Array,
		About:   "returns a copy with other numbers of rows and columns; the elements keep their order in memory",
		Params:  []Param{rows("number of rows"), cols()},
		Results: newArray,
	}, {
		Name: "diagonal", Receiver: Array,
		About:   "returns a copy of the diagonal, as a column",
		Results: newArray,
	}, {
		Name: "triangle", Receiver: Array,
		About:   "returns a copy of a triangle with the diagonal, and zeros elsewhere",
		Params:  []Param{enum("uplo", routine.Fill, "triangle: rocblas.fill_upper or rocblas.fill_lower")},
		Results: newArray,
	}, {
		Name: "convert", Receiver: Array,
		About: "returns a copy with elements of another type; a real array gets the real parts, an integer array " +
			"numbers without their fractions",
		Params:  []Param{elementType},
		Results: newArray,
	}, {
		Name: "totable", Receiver: Array,
		About:   "returns the elements as a list, column by column",
		Results: []Result{{"values", "table", "the elements"}},
	}},
}
