package array

import (
	"iter"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/engine"
)

func arrayZeros(c *engine.Call, kind ElementKind, rows, cols int64) error {
	return outArray(c, shapedArray(c, kind, rows, cols))
}

// arrayRandom makes numbers, or parts of complex numbers, in [-1, 1); integers in [0, 2^31), for i8 in [0, 128).
func arrayRandom(c *engine.Call, kind ElementKind, rows, cols int64, seed engine.Option[int64]) error {
	a := shapedArray(c, kind, rows, cols)
	randomize(c, a, generator(c, seed))
	return outArray(c, a)
}

// generator returns a random generator with a seed, or the generator of the case.
func generator(c *engine.Call, seed engine.Option[int64]) *rand.Rand {
	if !seed.Given {
		return c.Lib.Random()
	}
	return rand.New(rand.NewPCG(uint64(seed.Value), 1))
}

func randomize(c *engine.Call, a *Array, r *rand.Rand) {
	_, high, integers := a.integers()
	for i := range each(c, a.len(), 1) {
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

func arrayIdentity(c *engine.Call, kind ElementKind, rows int64, cols engine.Option[int64]) error {
	a := shapedArray(c, kind, rows, cols.Or(rows))
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, 1)
	}
	return outArray(c, a)
}

// arrayHilbert makes elements 1/(i+j-1), an ill-conditioned matrix.
func arrayHilbert(c *engine.Call, kind ElementKind, rows int64, cols engine.Option[int64]) error {
	a := shapedArray(c, kind, rows, cols.Or(rows))
	for j := range each(c, a.cols, a.rows) {
		for i := range a.rows {
			a.put(j*a.rows+i, complex(1/float64(i+j+1), 0))
		}
	}
	return outArray(c, a)
}

// arrayDominant makes random numbers and adds twice the number of rows to the diagonal.
func arrayDominant(c *engine.Call, kind ElementKind, rows int64, cols, seed engine.Option[int64]) error {
	a := shapedArray(c, kind, rows, cols.Or(rows))
	randomize(c, a, generator(c, seed))
	for i := range min(a.rows, a.cols) {
		a.put(i*a.rows+i, a.at(i*a.rows+i)+complex(float64(2*a.rows), 0))
	}
	return outArray(c, a)
}

func arrayOfValues(c *engine.Call, kind ElementKind, values *lua.LTable, rows engine.Option[int64]) error {
	n := values.Len()
	column := n
	if rows.Given {
		c.Within("rows", rows.Value, 1, int64(max(n, 1)))
		if column = int(rows.Value); n%column != 0 {
			c.Bad("rows", "%d values do not fill columns of %d", n, column)
		}
	}
	if n == 0 {
		return outArray(c, newArray(kind.Name, 0, 1))
	}
	a := reservedArray(c, kind.Name, column, n/column)
	for i := range n {
		putElement(c, a, i, values.RawGetInt(i+1))
	}
	return outArray(c, a)
}

func arrayPointers(c *engine.Call, base driver.Ptr, count int64, stride uint64) error {
	a := reservedArray(c, "ptr", int(count), 1)
	for i := range view[uint64](a) {
		view[uint64](a)[i] = uint64(base) + uint64(i)*stride
	}
	return outArray(c, a)
}

// arrayView makes an array of managed memory, which is not copied.
func arrayView(c *engine.Call, kind ElementKind, p driver.Ptr, rows, cols int64) error {
	checkSize(c, kind, rows, cols)
	a := &Array{Kind: kind.Name, rows: int(rows), cols: int(cols), e: c.Engine}
	c.During(func() {
		var err error
		a.managed, a.Raw, err = c.Device().ViewOnHost(p, uint64(a.len()*kind.bytes), driver.ElementNamed(kind.Name))
		if err != nil {
			c.Bad("ptr", "%s", err)
		}
	})
	return outArray(c, a)
}

// maxHostBytes is the largest size of a host array.
const maxHostBytes = 4 << 30

// shapedArray makes an array of zeros. It raises an error if the array would be too large.
func shapedArray(c *engine.Call, kind ElementKind, rows, cols int64) *Array {
	checkSize(c, kind, rows, cols)
	return reservedArray(c, kind.Name, int(rows), int(cols))
}

func checkSize(c *engine.Call, kind ElementKind, rows, cols int64) {
	// A dimension counts even if the other one is zero, so that no loop over it takes long.
	if bytes := float64(max(rows, 1)) * float64(max(cols, 1)) * float64(kind.bytes); bytes > maxHostBytes {
		c.Bad("rows", "%d x %d elements are more than the 4 GiB that a host array may have", rows, cols)
	}
}

// reservedArray makes an array of zeros and counts its memory for the limit of the heap.
func reservedArray(c *engine.Call, kind string, rows, cols int) *Array {
	c.VM.Meter().Reserve(c.L, uint64(rows*cols*elementOf[kind].bytes))
	return newArray(kind, rows, cols)
}

// each counts from 0 to n-1 for a loop over an array. It ends the call if the case has ended. elements is the number of
// elements in each step.
func each(c *engine.Call, n, elements int) iter.Seq[int] {
	step := everyStep(c, elements)
	return func(yield func(int) bool) {
		for i := range n {
			if step(); !yield(i) {
				return
			}
		}
	}
}

// everyStep returns the function that such a loop calls in each step.
func everyStep(c *engine.Call, elements int) func() {
	return c.VM.Meter().Every(c.L, max(1, arraySteps/max(elements, 1)))
}

// arraySteps is the number of elements after which each checks again whether the case has ended.
const arraySteps = 1 << 18

// outArray returns an array.
func outArray(c *engine.Call, a *Array) error { return c.Return(nil, c.VM.Object(TypeName, a)) }
