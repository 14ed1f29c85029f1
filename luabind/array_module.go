package luabind

import (
	"math/rand/v2"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/vm"
)

// maxHostBytes bounds one host array, so that a wrong size is an error and not the end of the program.
const maxHostBytes = 4 << 30

// array returns the module array: typed host arrays filled in Go, and the norms and residuals that tell whether a
// result is right.
func (s *State) array() *lua.LTable {
	functions := map[string]func(*State, *lua.LState) int{
		"new": arrayZeros, "zeros": arrayZeros, "random": arrayRandom, "identity": arrayIdentity, "hilbert": arrayHilbert,
		"diagonally_dominant": arrayDominant, "of": arrayOfValues, "pointers": arrayPointers,
		"norm": arrayNorm, "residual": arrayResidual, "lu_residual": arrayLUResidual, "max_difference": arrayDifference,
	}
	t, meta := s.vm.State().NewTable(), s.vm.State().NewTable()
	var names []string
	for name, fn := range functions {
		names = append(names, name)
		t.RawSetString(name, s.vm.Function("array."+name, func(l *lua.LState) int { return fn(s, l) }))
	}
	meta.RawSetString("__index", s.vm.Function("array", func(l *lua.LState) int {
		s.vm.Raisef(l, "array has no function %q%s", l.Get(2).String(), nearest.DidYouMean(l.Get(2).String(), names))
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString("array"))
	t.Metatable = meta
	return t
}

var arrayMethods = map[string]func(*State, *lua.LState) int{
	"get": arrayGet, "set": arraySet, "copy": arrayCopy, "fill": arrayFill, "totable": arrayToTable, "norm": arrayNorm,
}

func (c *call) arrayArg(param string) *Array {
	v := c.take()
	if ud, ok := v.(*lua.LUserData); ok {
		if a, ok := ud.Value.(*Array); ok {
			return a
		}
	}
	c.bad(param, "got %s, want an array", vm.Describe(v))
	return nil
}

// shape reads type, rows and columns; without columns it is a vector, or square when asked for.
func (c *call) shape(square bool) *Array {
	kind := c.take().String()
	if !contains(arrayKinds, kind) {
		c.bad("type", "got %q, want one of %s", kind, strings.Join(arrayKinds, " "))
	}
	rows := c.integer("rows", 0, 1<<40)
	cols := int64(1)
	if square {
		cols = rows
	}
	if c.l.Get(c.next).Type() == lua.LTNumber {
		cols = c.integer("columns", 0, 1<<40)
	}
	if bytes := float64(rows) * float64(cols) * float64(elementOf[kind].bytes); bytes > maxHostBytes {
		c.bad("rows", "%d x %d elements are more than the 4 GiB a host array may have", rows, cols)
	}
	return c.newArray(kind, int(rows), int(cols))
}

// newArray makes an array that counts against the limit of the heap.
func (c *call) newArray(kind string, rows, cols int) *Array {
	c.s.vm.Meter().Reserve(c.l, uint64(rows*cols*elementOf[kind].bytes))
	return newArray(kind, rows, cols)
}

// working returns a function to be called for each of many elements or columns, of so many steps each.
func (c *call) working(steps int) func() {
	return c.s.vm.Meter().Every(c.l, max(1, arraySteps/max(steps, 1)))
}

// arraySteps is how many elements are worked on between two looks at the case.
const arraySteps = 1 << 18

func (s *State) pushArray(l *lua.LState, a *Array) int {
	l.Push(s.vm.Object(arrayTypeName, a))
	return 1
}

// array.zeros(type, rows [, columns])
func arrayZeros(s *State, l *lua.LState) int {
	return s.pushArray(l, s.arrayCall(l, "zeros", 1).shape(false))
}

// array.random(type, rows [, columns [, seed]]): numbers in [-1, 1), parts of complex ones each; integers in [0, 2^31), i8 in [0, 128).
func arrayRandom(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "random", 1)
	a := c.shape(false)
	c.randomize(a, c.source())
	return s.pushArray(l, a)
}

// source reads an optional seed; without one the case's own generator goes on.
func (c *call) source() *rand.Rand {
	if c.l.Get(c.next).Type() == lua.LTNil {
		return c.s.vm.Random()
	}
	return rand.New(rand.NewPCG(uint64(c.integer("seed", 0, vm.MaxExact)), 1))
}

func (c *call) randomize(a *Array, r *rand.Rand) {
	_, high, integers := a.integers()
	tick := c.working(1)
	for i := range a.len() {
		tick()
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

// array.identity(type, n [, columns])
func arrayIdentity(s *State, l *lua.LState) int {
	a := s.arrayCall(l, "identity", 1).shape(true)
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, 1)
	}
	return s.pushArray(l, a)
}

// array.hilbert(type, n): 1/(i+j-1), the ill-conditioned classic.
func arrayHilbert(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "hilbert", 1)
	a := c.shape(true)
	tick := c.working(a.rows)
	for j := range a.cols {
		tick()
		for i := range a.rows {
			a.put(j*a.rows+i, complex(1/float64(i+j+1), 0))
		}
	}
	return s.pushArray(l, a)
}

// array.diagonally_dominant(type, n [, columns [, seed]]): random, with n added to the diagonal.
func arrayDominant(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "diagonally_dominant", 1)
	a := c.shape(true)
	c.randomize(a, c.source())
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, a.at(i*a.rows+i)+complex(float64(2*a.rows), 0))
	}
	return s.pushArray(l, a)
}

// array.of(type, {v1, v2, ...} [, rows]): the listed values, column by column.
func arrayOfValues(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "of", 1)
	kind := c.take().String()
	values, ok := c.take().(*lua.LTable)
	if !contains(arrayKinds, kind) || !ok {
		c.bad("type", "want a type (%s) and a list of values", strings.Join(arrayKinds, " "))
	}
	n := values.Len()
	rows := n
	if l.Get(3).Type() == lua.LTNumber {
		if rows = int(c.integer("rows", 1, int64(max(n, 1)))); n%rows != 0 {
			c.bad("rows", "%d values do not fill columns of %d", n, rows)
		}
	}
	a := c.newArray(kind, rows, max(n/max(rows, 1), 1))
	if n == 0 {
		a = newArray(kind, 0, 1)
	}
	for i := range n {
		c.putElement(a, i, values.RawGetInt(i+1))
	}
	return s.pushArray(l, a)
}

// array.pointers(base, count, stride_in_bytes): device addresses for a _batched routine; copy them to the device.
func arrayPointers(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "pointers", 1)
	base := c.pointer("base")
	count := int(c.integer("count", 0, 1<<28))
	stride := c.size("stride in bytes")
	a := c.newArray("ptr", count, 1)
	for i := range view[uint64](a) {
		view[uint64](a)[i] = uint64(base) + uint64(i)*stride
	}
	return s.pushArray(l, a)
}

func (s *State) pointerValue(p uint64) lua.LValue { return s.pointer(driver.Ptr(p)) }

// a:get(i, j) and a:set(i, j, value), 1-based.
func arrayGet(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "get", 1)
	a := c.arrayArg("array")
	l.Push(s.element(a, c.place(a)))
	return 1
}

func arraySet(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "set", 1)
	a := c.arrayArg("array")
	i := c.place(a)
	c.putElement(a, i, c.take())
	return 0
}

func (c *call) place(a *Array) int {
	i := c.integer("row", 1, int64(a.rows)) - 1
	j := c.integer("column", 1, int64(a.cols)) - 1
	return int(j)*a.rows + int(i)
}

func arrayCopy(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "copy", 1)
	a := c.arrayArg("array")
	b := c.newArray(a.kind, a.rows, a.cols)
	copy(b.raw, a.raw)
	return s.pushArray(l, b)
}

func arrayFill(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "fill", 1)
	a := c.arrayArg("array")
	tick := c.working(1)
	for i := range a.len() {
		tick()
		c.putElement(a, i, l.Get(2))
	}
	return 0
}

func arrayToTable(s *State, l *lua.LState) int {
	c := s.arrayCall(l, "totable", 1)
	a := c.arrayArg("array")
	s.vm.Meter().Reserve(l, vm.ListBytes(a.len()))
	t, tick := l.NewTable(), c.working(1)
	for i := range a.len() {
		tick()
		t.Append(s.element(a, i))
	}
	l.Push(t)
	return 1
}
