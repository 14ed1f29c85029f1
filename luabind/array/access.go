package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
	"roclua/luabind/vm/memory"
)

func arrayGet(c *engine.Call, a *Array, row, column int64) error {
	c.Out(Element(c.Engine, a, elementAt(c, a, row, column)))
	return nil
}

func arraySet(c *engine.Call, a *Array, row, column int64, value lua.LValue) error {
	putElement(c, a, elementAt(c, a, row, column), value)
	return nil
}

// elementAt returns the index of an element, from 0.
func elementAt(c *engine.Call, a *Array, row, column int64) int {
	c.Within("row", row, 1, int64(a.rows))
	c.Within("column", column, 1, int64(a.cols))
	return int(column-1)*a.rows + int(row-1)
}

func arrayCopy(c *engine.Call, a *Array) error {
	b := reservedArray(c, a.Kind, a.rows, a.cols)
	copy(b.Raw, a.Raw)
	return outArray(c, b)
}

func arrayFill(c *engine.Call, a *Array, value lua.LValue) error {
	step := everyElement(c, 1)
	for i := range a.len() {
		step()
		putElement(c, a, i, value)
	}
	return nil
}

func arrayToTable(c *engine.Call, a *Array) error {
	bytes := memory.ListBytes(a.len())
	if a.isComplex() {
		bytes += uint64(a.len()) * memory.PairBytes
	}
	c.VM.Meter().Reserve(c.L, bytes)
	t, step := c.L.CreateTable(0, 0), everyElement(c, 1)
	for i := range a.len() {
		step()
		t.Append(Element(c.Engine, a, i))
	}
	c.Out(t)
	return nil
}
