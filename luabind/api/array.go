package api

import (
	"slices"

	"roclua/hip/routine"
)

var newArray = Result{"array", "roclua.array", "the new array"}

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

func array() *Module {
	return &Module{
		Name:  "array",
		About: "typed arrays in host memory, filled and compared without loops in Lua",
		Functions: slices.Concat(arrayCreation(), arrayArithmetic(), arrayReferences(), arrayNorms(),
			arrayChecks()),
	}
}

func arrayCreation() []*Function {
	return []*Function{
		declare("new", "creates an array of zeros; the same as array.zeros", elementType, rows("number of rows"),
			withDefault(cols(), int64(1))).results(newArray),
		declare("zeros", "creates an array of zeros", elementType, rows("number of rows"),
			withDefault(cols(), int64(1))).results(newArray),
		declare("random", "creates an array of random numbers: in [-1, 1), each part of a complex number; not "+
			"negative in an array of integers",
			elementType, rows("number of rows"), withDefault(cols(), int64(1)), seed()).results(newArray),
		declare("identity", "creates an identity matrix", elementType, rows("number of rows"),
			optional(cols(), "rows")).results(newArray),
		declare("hilbert", "creates a Hilbert matrix: element (i, j) is 1/(i+j-1)", elementType, rows("number of rows"),
			optional(cols(), "rows")).results(newArray),
		declare("diagonally_dominant", "creates a random matrix with a dominant diagonal, whose LU factorization "+
			"needs no pivoting",
			elementType, rows("number of rows"), optional(cols(), "rows"), seed()).results(newArray),
		declare("positive_definite", "creates a random symmetric positive definite matrix, Hermitian if it is "+
			"complex: G G^H / n + I, with the G of array.random",
			elementType, integer("n", 0, maxRows, "order of the matrix"), seed()).results(newArray),
		declare("orthogonal", "creates a random matrix with orthonormal columns, or rows if it has more columns than "+
			"rows; a square one is orthogonal, or unitary if it is complex",
			elementType, rows("number of rows"), optional(cols(), "rows"), seed()).results(newArray),
		declare("of", "creates an array of the listed values, column by column", elementType,
			Param{Name: "values", Kind: List, About: "numbers, {re, im} or device pointers"},
			optional(integer("rows", 1, maxRows, "number of rows, which must divide the number of "+
				"values"), "one column")).results(newArray),
		declare("load", "reads a matrix from a file of NumPy (.npy, one or two dimensions) or of Matrix Market (.mtx, "+
			"whose elements become d or z, all of them); in the sandbox the file is below the folder of the script or "+
			"a folder of the key library",
			text("file", "path of the file, whose name ends with .npy or .mtx")).results(newArray),
		declare("pointers", "creates an array of equally spaced device addresses, for a batched routine",
			pointer("base", "the first address"), integer("count", 0, maxCount, "number of addresses"),
			bytes("stride", "distance between addresses in bytes")).results(newArray),
		declare("view", "returns an array of managed memory, without a copy: host and device use the same "+
			"memory. As in C, the host waits first for work that uses the memory; the simulated device reports "+
			"a use without a wait",
			elementType, pointer("ptr", "address in memory of hip.malloc_managed"), rows("number of rows"),
			withDefault(cols(), int64(1))).results(newArray),
	}
}

func arrayNorms() []*Function {
	return []*Function{
		declare("norm", "returns a norm of an array", numbers("array", "the array"), normKind()).method().
			returns("norm", "number", "the norm; NaN when an element is NaN"),
		declare("max_difference", "returns the largest absolute difference of two arrays",
			numbers("a", "the first array"), numbers("b", "the second array, with as many elements")).
			returns("difference", "number", "the largest difference; NaN when an element is NaN"),
		declare("relative_difference", "returns ||a - b|| / ||b|| in Frobenius norms: the error of a, relative to b",
			numbers("a", "the first array"), numbers("b", "the second array, with as many elements")).
			returns("difference", "number", "the difference; NaN when an element is NaN"),
	}
}

// The bounds of an index are the array's own.
func index(name, about string) Param { return integer(name, 1, maxRows, about) }

const elementAbout = "a number, {re, im} or a device pointer"

var elementValue = Param{Name: "value", Kind: Element, About: elementAbout,
	Nil: "the null pointer, in an array of device addresses"}

func arrayClass() *Class {
	return &Class{
		Name: "array", Receiver: "array", kind: Array,
		About: "a typed array in host memory, stored by columns; array[i] reads and writes element i, from 1; " +
			"#array is the number of elements",
		Fields: []Field{
			{"rows", "integer", "number of rows"},
			{"cols", "integer", "number of columns"},
			{"type", "roclua.element", "element type"},
			{"bytes", "integer", "size in bytes"},
		},
		Methods: []*Function{
			declare("get", "returns an element", index("row", "row, from 1"), index("column", "column, from 1")).
				returns("value", "number|number[]|roclua.pointer|nil", elementAbout),
			declare("set", "sets an element", index("row", "row, from 1"), index("column", "column, from 1"),
				elementValue),
			declare("copy", "returns a copy of the array").results(newArray),
			declare("fill", "sets every element to a value", elementValue),
			declare("row", "returns a copy of a row, as a matrix of one row", index("row", "row, from 1")).
				results(newArray),
			declare("column", "returns a copy of a column", index("column", "column, from 1")).results(newArray),
			declare("block", "returns a copy of a part of the matrix", index("row", "first row, from 1"),
				index("column", "first column, from 1"), rows("number of rows"), cols()).results(newArray),
			declare("paste", "copies another array of the same type into the matrix",
				index("row", "row of its first element, from 1"),
				index("column", "column of its first element, from 1"),
				Param{Name: "block", Kind: Array, About: "the array"}),
			declare("problem", "returns a copy of one problem of a batch; the problems have equal numbers of "+
				"columns, in sequence",
				index("index", "number of the problem, from 1"), integer("count", 1, maxCount, "number of problems")).
				results(newArray),
			declare("reshape", "returns a copy with other numbers of rows and columns; the elements keep their order "+
				"in memory",
				rows("number of rows"), cols()).results(newArray),
			declare("diagonal", "returns a copy of the diagonal, as a column").results(newArray),
			declare("triangle", "returns a copy of a triangle with the diagonal, and zeros elsewhere",
				enum("uplo", routine.Fill, "triangle: rocblas.fill_upper or rocblas.fill_lower")).results(newArray),
			declare("convert", "returns a copy with elements of another type; a real array gets the real parts, an "+
				"integer array numbers without their fractions",
				elementType).results(newArray),
			declare("packed", "returns a triangle in packed storage, column by column, as a vector",
				enum("uplo", routine.Fill, "triangle: rocblas.fill_upper or rocblas.fill_lower")).results(newArray),
			declare("band", "returns the diagonals of a band in band storage: element (i, j) is in row ku + 1 + i - j "+
				"of column j; a triangle of a symmetric matrix has kl or ku 0",
				integer("kl", 0, maxRows, "number of diagonals below the main one"),
				integer("ku", 0, maxRows, "number of diagonals above the main one")).results(newArray),
			declare("padded", "returns a copy with a larger leading dimension: each column ends with elements of one "+
				"value, which routines neither read nor write",
				integer("padding", 0, 1<<20, "number of elements after each column"),
				optional(Param{Name: "value", Kind: Element, About: "value of the elements below the rows"}, "NaN")).
				results(newArray),
			declare("save", "writes the matrix to a file of NumPy (.npy) or of Matrix Market (.mtx, elements of "+
				"type d and z); only in the sandbox full",
				text("file", "path of the file, whose name ends with .npy or .mtx")),
			declare("totable", "returns the elements as a list, column by column").
				returns("values", "table", "the elements"),
		},
	}
}
