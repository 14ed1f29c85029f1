package array

import (
	"roclua/hip/routine"
	"roclua/luabind/engine"
)

// Slices of an array are copies, without gaps in memory, as transfers to the device require.

// copyRuns copies runs of elements from one array to another. run returns where the run of a step begins in each array,
// from 0, and its length.
func copyRuns(c *engine.Call, to, from *Array, steps int, run func(i int) (target, source, n int)) {
	if to.len() == 0 || from.len() == 0 {
		return
	}
	size, step := elementOf[to.Kind].bytes, everyStep(c, to.len()/max(steps, 1))
	for i := range steps {
		step()
		if target, source, n := run(i); n > 0 {
			copy(to.Raw[target*size:(target+n)*size], from.Raw[source*size:])
		}
	}
}

// blockOf returns a copy of a part of an array. Its first element is at (row, column), from 0.
func blockOf(c *engine.Call, a *Array, row, column, rows, cols int) *Array {
	b := reservedArray(c, a.Kind, rows, cols)
	copyRuns(c, b, a, cols, func(j int) (target, source, n int) {
		return j * rows, (column+j)*a.rows + row, rows
	})
	return b
}

func arrayRow(c *engine.Call, a *Array, row int64) error {
	c.Within("row", row, 1, int64(a.rows))
	return outArray(c, blockOf(c, a, int(row-1), 0, 1, a.cols))
}

func arrayColumn(c *engine.Call, a *Array, column int64) error {
	c.Within("column", column, 1, int64(a.cols))
	return outArray(c, blockOf(c, a, 0, int(column-1), a.rows, 1))
}

func arrayBlock(c *engine.Call, a *Array, row, column, rows, cols int64) error {
	checkBlock(c, a, row, column, rows, cols)
	return outArray(c, blockOf(c, a, int(row-1), int(column-1), int(rows), int(cols)))
}

// checkBlock raises an error if a block exceeds an array.
func checkBlock(c *engine.Call, a *Array, row, column, rows, cols int64) {
	if row-1+rows > int64(a.rows) || column-1+cols > int64(a.cols) {
		c.Bad("block", "%dx%d from row %d and column %d exceeds the array, %dx%d", rows, cols, row, column, a.rows,
			a.cols)
	}
}

func arrayPaste(c *engine.Call, a InPart, row, column int64, block *Array) error {
	a.checkOwner(c, "array")
	checkBlock(c, a.Array, row, column, int64(block.rows), int64(block.cols))
	if block.Kind != a.Kind {
		c.Bad("block", "got elements of type %s, want %s, the type of the array; block:convert converts them",
			block.Kind, a.Kind)
	}
	copyRuns(c, a.Array, block, block.cols, func(j int) (target, source, n int) {
		target = (int(column-1)+j)*a.rows + int(row-1)
		a.before(c.Fn.Title(), target, block.rows, routine.Out)
		return target, j * block.rows, block.rows
	})
	return nil
}

func arrayProblem(c *engine.Call, a *Array, index, count int64) error {
	c.Within("index", index, 1, count)
	cols := columnsPerProblem(c, "array", a, int(count))
	return outArray(c, blockOf(c, a, 0, int(index-1)*cols, a.rows, cols))
}

// columnsPerProblem returns the columns of each problem of a batch.
func columnsPerProblem(c *engine.Call, param string, a *Array, batch int) int {
	if a.cols%batch != 0 {
		c.Bad(param, "%dx%d does not hold %d problems: its columns are not a multiple", a.rows, a.cols, batch)
	}
	return a.cols / batch
}

func arrayReshape(c *engine.Call, a *Array, rows, cols int64) error {
	if float64(rows)*float64(cols) != float64(a.len()) {
		c.Bad("rows", "%dx%d does not have the %d elements of the array, %dx%d", rows, cols, a.len(), a.rows, a.cols)
	}
	b := reservedArray(c, a.Kind, int(rows), int(cols))
	copy(b.Raw, a.Raw)
	return outArray(c, b)
}

func arrayDiagonal(c *engine.Call, a *Array) error {
	b := reservedArray(c, a.Kind, min(a.rows, a.cols), 1)
	copyRuns(c, b, a, b.rows, func(i int) (target, source, n int) { return i, i*a.rows + i, 1 })
	return outArray(c, b)
}

func arrayTriangle(c *engine.Call, a *Array, uplo int64) error {
	upper, b := isUpper(c, uplo), reservedArray(c, a.Kind, a.rows, a.cols)
	copyRuns(c, b, a, a.cols, func(j int) (target, source, n int) {
		low, high := a.inTriangle(upper, j)
		return j*a.rows + low, j*a.rows + low, high - low
	})
	return outArray(c, b)
}

// inTriangle returns the rows from low to high-1 of a column that belong to a triangle.
func (a *Array) inTriangle(upper bool, column int) (low, high int) {
	if upper {
		return 0, min(column+1, a.rows)
	}
	return min(column, a.rows), a.rows
}

func arrayConvert(c *engine.Call, a *Array, kind ElementKind) error {
	b := shapedArray(c, kind, int64(a.rows), int64(a.cols))
	if !a.isNumber() || !b.isNumber() {
		c.Bad("type", "device addresses are not converted")
	}
	low, high, integers := b.integers()
	for i := range each(c, a.len(), 1) {
		v := a.at(i)
		if integers && !(real(v) > float64(low)-1 && real(v) < float64(high)+1) {
			c.Bad("type", "element %d is %v, which does not fit %s: it holds %d to %d", i+1, real(v), kind.Name, low,
				high)
		}
		if integers {
			v = complex(float64(int64(real(v))), 0)
		}
		b.put(i, v)
	}
	return outArray(c, b)
}
