package luabind

import (
	"maps"
	"math/rand/v2"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/vm/memory"
)

// maxHostBytes is the largest size of a host array.
const maxHostBytes = 4 << 30

// arrayFunctions are the functions of the module array.
var arrayFunctions = bodies{
	"new":                 takes3(arrayZeros),
	"zeros":               takes3(arrayZeros),
	"random":              takes4(arrayRandom),
	"identity":            takes3(arrayIdentity),
	"hilbert":             takes3(arrayHilbert),
	"diagonally_dominant": takes4(arrayDominant),
	"of":                  takes3(arrayOfValues),
	"pointers":            takes3(arrayPointers),
	"positive_definite":   takes3(arrayPositiveDefinite),
	"orthogonal":          takes4(arrayOrthogonal),

	"multiply":            takes4(arrayMultiply),
	"add":                 takes4(arrayAdd),
	"subtract":            takes2(arraySubtract),
	"scale":               takes2(arrayScale),
	"transpose":           takes1(arrayTranspose),
	"conjugate_transpose": takes1(arrayConjugateTranspose),
	"orthogonal_factor":   takes2(arrayOrthogonalFactor),

	"norm":                takes2(arrayNorm),
	"max_difference":      takes2(arrayDifference),
	"relative_difference": takes2(arrayRelativeDifference),
	"residual":            takes4(arrayResidual),
	"lu_residual":         takes4(arrayLUResidual),
	"cholesky_residual":   takes4(arrayCholeskyResidual),
	"qr_residual":         takes4(arrayQRResidual),
	"orthogonality":       takes2(arrayOrthogonality),
	"inverse_residual":    takes3(arrayInverseResidual),
	"eigen_residual":      takes4(arrayEigenResidual),
	"svd_residual":        takes5(arraySVDResidual),
	"product_residual":    takes4(arrayProductResidual),
	"is_sorted":           takes2(arrayIsSorted),
}

// arrayMethods are the methods of arrays that are not functions of the module.
var arrayMethods = bodies{
	"get":      takes3(arrayGet),
	"set":      takes4(arraySet),
	"copy":     takes1(arrayCopy),
	"fill":     takes2(arrayFill),
	"row":      takes2(arrayRow),
	"column":   takes2(arrayColumn),
	"block":    takes5(arrayBlock),
	"paste":    takes4(arrayPaste),
	"problem":  takes3(arrayProblem),
	"reshape":  takes3(arrayReshape),
	"diagonal": takes1(arrayDiagonal),
	"triangle": takes2(arrayTriangle),
	"convert":  takes2(arrayConvert),
	"totable":  takes1(arrayToTable),
}

// array returns the module array, a table of functions.
func (ms *modules) array() *lua.LTable {
	l := ms.s.vm.State()
	t, meta := l.CreateTable(0, len(arrayFunctions)), l.CreateTable(0, 2)
	ms.fill(t, "array")
	meta.RawSetString("__index", ms.s.vm.Function("array", func(l *lua.LState) int {
		name := l.Get(2).String()
		names := slices.Collect(maps.Keys(arrayFunctions))
		ms.s.vm.Raisef(l, "array has no function %q%s", name, nearest.DidYouMean(name, names))
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString("array"))
	t.Metatable = meta
	return t
}

// shapedArray makes an array of zeros, which must not be larger than an array may be.
func shapedArray(c *call, kind elementKind, rows, cols int64) *Array {
	// A dimension counts when the other one is zero, too: no loop over it takes long then.
	if bytes := float64(max(rows, 1)) * float64(max(cols, 1)) * float64(kind.bytes); bytes > maxHostBytes {
		c.bad("rows", "%d x %d elements are more than the 4 GiB that a host array may have", rows, cols)
	}
	return reservedArray(c, kind.name, int(rows), int(cols))
}

// reservedArray makes an array of zeros, whose memory counts for the limit of the heap.
func reservedArray(c *call, kind string, rows, cols int) *Array {
	c.s.vm.Meter().Reserve(c.l, uint64(rows*cols*elementOf[kind].bytes))
	return newArray(kind, rows, cols)
}

// everyElement returns a function to be called for each of many elements or columns, which ends the call if the case
// has ended. elements is the number of elements in each step.
func everyElement(c *call, elements int) func() {
	return c.s.vm.Meter().Every(c.l, max(1, arraySteps/max(elements, 1)))
}

// arraySteps is the number of elements between two checks whether the case has ended.
const arraySteps = 1 << 18

// outArray returns an array.
func outArray(c *call, a *Array) error {
	c.out(c.s.vm.Object(arrayTypeName, a))
	return nil
}

func arrayZeros(c *call, kind elementKind, rows, cols int64) error {
	return outArray(c, shapedArray(c, kind, rows, cols))
}

// arrayRandom makes numbers in [-1, 1), parts of complex ones each; integers in [0, 2^31), i8 in [0, 128).
func arrayRandom(c *call, kind elementKind, rows, cols int64, seed option[int64]) error {
	a := shapedArray(c, kind, rows, cols)
	randomize(c, a, generator(c, seed))
	return outArray(c, a)
}

// generator returns a random generator with a seed, or that of the case.
func generator(c *call, seed option[int64]) *rand.Rand {
	if !seed.given {
		return c.s.lib.Random()
	}
	return rand.New(rand.NewPCG(uint64(seed.value), 1))
}

func randomize(c *call, a *Array, r *rand.Rand) {
	_, high, integers := a.integers()
	step := everyElement(c, 1)
	for i := range a.len() {
		step()
		switch {
		case a.isComplex():
			a.put(i, complex(2*r.Float64()-1, 2*r.Float64()-1))
		case integers:
			a.put(i, complex(float64(int64(r.Int32())&high), 0))
		case a.isNumber():
			a.put(i, complex(2*r.Float64()-1, 0))
		}
	}
}

func arrayIdentity(c *call, kind elementKind, rows int64, cols option[int64]) error {
	a := shapedArray(c, kind, rows, cols.or(rows))
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, 1)
	}
	return outArray(c, a)
}

// arrayHilbert makes elements 1/(i+j-1), an ill-conditioned matrix.
func arrayHilbert(c *call, kind elementKind, rows int64, cols option[int64]) error {
	a := shapedArray(c, kind, rows, cols.or(rows))
	step := everyElement(c, a.rows)
	for j := range a.cols {
		step()
		for i := range a.rows {
			a.put(j*a.rows+i, complex(1/float64(i+j+1), 0))
		}
	}
	return outArray(c, a)
}

// arrayDominant makes random numbers and adds twice the number of rows to the diagonal.
func arrayDominant(c *call, kind elementKind, rows int64, cols, seed option[int64]) error {
	a := shapedArray(c, kind, rows, cols.or(rows))
	randomize(c, a, generator(c, seed))
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, a.at(i*a.rows+i)+complex(float64(2*a.rows), 0))
	}
	return outArray(c, a)
}

func arrayOfValues(c *call, kind elementKind, values *lua.LTable, rows option[int64]) error {
	n := values.Len()
	column := n
	if rows.given {
		c.within("rows", rows.value, 1, int64(max(n, 1)))
		if column = int(rows.value); n%column != 0 {
			c.bad("rows", "%d values do not fill columns of %d", n, column)
		}
	}
	if n == 0 {
		return outArray(c, newArray(kind.name, 0, 1))
	}
	a := reservedArray(c, kind.name, column, n/column)
	for i := range n {
		putElement(c, a, i, values.RawGetInt(i+1))
	}
	return outArray(c, a)
}

func arrayPointers(c *call, base driver.Ptr, count int64, stride uint64) error {
	a := reservedArray(c, "ptr", int(count), 1)
	for i := range view[uint64](a) {
		view[uint64](a)[i] = uint64(base) + uint64(i)*stride
	}
	return outArray(c, a)
}

func arrayGet(c *call, a *Array, row, column int64) error {
	c.out(c.s.arrays.element(a, elementAt(c, a, row, column)))
	return nil
}

func arraySet(c *call, a *Array, row, column int64, value lua.LValue) error {
	putElement(c, a, elementAt(c, a, row, column), value)
	return nil
}

// elementAt returns the index of an element, from 0.
func elementAt(c *call, a *Array, row, column int64) int {
	c.within("row", row, 1, int64(a.rows))
	c.within("column", column, 1, int64(a.cols))
	return int(column-1)*a.rows + int(row-1)
}

func arrayCopy(c *call, a *Array) error {
	b := reservedArray(c, a.kind, a.rows, a.cols)
	copy(b.raw, a.raw)
	return outArray(c, b)
}

func arrayFill(c *call, a *Array, value lua.LValue) error {
	step := everyElement(c, 1)
	for i := range a.len() {
		step()
		putElement(c, a, i, value)
	}
	return nil
}

func arrayToTable(c *call, a *Array) error {
	bytes := memory.ListBytes(a.len())
	if a.isComplex() {
		bytes += uint64(a.len()) * memory.PairBytes
	}
	c.s.vm.Meter().Reserve(c.l, bytes)
	t, step := c.l.CreateTable(0, 0), everyElement(c, 1)
	for i := range a.len() {
		step()
		t.Append(c.s.arrays.element(a, i))
	}
	c.out(t)
	return nil
}
