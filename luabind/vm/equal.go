package vm

import (
	lua "github.com/yuin/gopher-lua"
)

// maxComparedDepth is the maximum depth of nested tables that Equal compares.
const maxComparedDepth = 10_000

// Comparable is an object that Equal compares by its elements.
type Comparable interface {
	// Difference describes the first element that differs from another object, if both have the same form. It calls
	// step for each element.
	Difference(other any, step func()) (have, want string, differ bool)
}

// Equal compares two values: tables item by item, comparable objects by their elements, all others as Lua's ==. If an
// element of an object differs, have and want describe it. It raises an error if tables are nested too deep. A host
// function calls it.
func (m *Machine) Equal(a, b lua.LValue) (equal bool, have, want string) {
	c := &comparison{m: m, step: m.meter.Every(m.current, 1<<10), assumed: map[[2]*lua.LTable]bool{}}
	return c.equal(a, b, 0), c.have, c.want
}

// comparison is one call of Equal.
type comparison struct {
	m       *Machine
	step    func()
	assumed map[[2]*lua.LTable]bool // pairs that were met before; they are equal unless another part differs

	have, want string // the first element of an object that differs
}

func (c *comparison) equal(a, b lua.LValue, depth int) bool {
	c.step()
	ta, ok1 := a.(*lua.LTable)
	tb, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 {
		x, ok1 := a.(*lua.LUserData)
		y, ok2 := b.(*lua.LUserData)
		if !ok1 || !ok2 {
			return c.m.current.Equal(a, b)
		}
		object, ok := x.Value.(Comparable)
		if !ok {
			return c.m.current.Equal(a, b)
		}
		var differ bool
		c.have, c.want, differ = object.Difference(y.Value, c.step)
		return !differ
	}
	pair := [2]*lua.LTable{ta, tb}
	if c.assumed[pair] {
		return true
	}
	if depth > maxComparedDepth {
		c.m.Raisef(c.m.current, "the compared tables are nested more than %d deep", maxComparedDepth)
	}
	c.assumed[pair] = true
	equal := true
	ta.ForEach(func(k, v lua.LValue) { equal = equal && c.equal(v, tb.RawGet(k), depth+1) })
	tb.ForEach(func(k, _ lua.LValue) { equal = equal && ta.RawGet(k).Type() != lua.LTNil })
	return equal
}
