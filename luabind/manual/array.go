package manual

func arrayFunction(name, about string, args, returns []Value) Entry {
	return Entry{Owner: "array", Name: name, Args: args, Returns: returns, About: about}
}

const elementType = "type roclua.element: s d c z f16 bf16 i8 i32 i64 or ptr"

var anArray = values("array roclua.array: the new array")

var arrayFunctions = []Entry{
	arrayFunction("new", "makes an array of zeros", values(elementType, "rows integer: rows", "cols? integer: columns, 1 unless given"), anArray),
	arrayFunction("zeros", "makes an array of zeros", values(elementType, "rows integer: rows", "cols? integer: columns, 1 unless given"), anArray),
	arrayFunction("random", "makes an array of numbers in [-1, 1), or of integers from 0 on", values(elementType, "rows integer: rows", "cols? integer: columns, 1 unless given",
		"seed? integer: else the case's own generator goes on"), anArray),
	arrayFunction("identity", "makes an identity matrix", values(elementType, "rows integer: rows", "cols? integer: columns, as many as rows unless given"), anArray),
	arrayFunction("hilbert", "makes the Hilbert matrix, 1/(i+j-1)", values(elementType, "n integer: order"), anArray),
	arrayFunction("diagonally_dominant", "makes a random matrix that needs no pivoting", values(elementType, "rows integer: rows", "cols? integer: columns, as many as rows unless given",
		"seed? integer: else the case's own generator goes on"), anArray),
	arrayFunction("of", "makes an array of the listed values, column by column", values(elementType, "values table: numbers, {re, im} or pointers", "rows? integer: rows, else one column"), anArray),
	arrayFunction("pointers", "makes an array of device addresses at equal distances, for a batched routine", values("base roclua.pointer: the first", "count integer: addresses", "stride integer: bytes between two"), anArray),
	arrayFunction("norm", "tells a norm", values("a roclua.array: the array", `kind? "frobenius"|"max"|"one": frobenius unless given`), values("norm number: the norm")),
	arrayFunction("residual", "tells ||A x - b|| / (||A|| ||x||) in Frobenius norms", values("A roclua.array: the matrix", "x roclua.array: the solution", "b roclua.array: the right-hand sides"), values("residual number: the residual")),
	arrayFunction("lu_residual", "tells ||P A - L U|| / ||A|| in Frobenius norms", values("A roclua.array: the matrix", "LU roclua.array: the factors of getrf", "ipiv roclua.array: its pivots"), values("residual number: the residual")),
	arrayFunction("max_difference", "tells the largest |a - b|; a NaN anywhere gives NaN", values("a roclua.array: one array", "b roclua.array: the other"), values("difference number: the largest")),
}

func arrayMethod(name, about string, args, returns []Value) Entry {
	return Entry{Owner: "a", Name: name, Args: args, Returns: returns, About: about}
}

var arrayMethods = []Entry{
	arrayMethod("get", "reads an element, 1-based", values("row integer: row", "column integer: column"), values("value any: a number, {re, im} or a pointer")),
	arrayMethod("set", "writes an element, 1-based", values("row integer: row", "column integer: column", "value any: a number, {re, im} or a pointer"), nil),
	arrayMethod("copy", "makes a copy", nil, anArray),
	arrayMethod("fill", "writes one value everywhere", values("value any: a number, {re, im} or a pointer"), nil),
	arrayMethod("totable", "lists the elements column by column", nil, values("values table: the elements")),
	arrayMethod("norm", "tells a norm", values(`kind? "frobenius"|"max"|"one": frobenius unless given`), values("norm number: the norm")),
}
