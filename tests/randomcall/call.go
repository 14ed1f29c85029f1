// Package randomcall draws random calls of the routines of the table and compares their results with the definition of
// each family, computed in double precision. The tests of every platform use it.
//
// A family that a platform computes needs a row in the table of definitions; Verify reports a family without one.
package randomcall

import (
	"math/rand/v2"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// Call is one random routine call.
type Call struct {
	t      testing.TB
	Rand   *rand.Rand
	Memory *Memory
	Args   *routine.Args
	Launch *driver.Launch
	Before map[routine.Slot][]byte // arrays before the call
	Arrays map[routine.Slot]*Block
	inner  map[routine.Slot]int64 // elements of one problem's array
}

// Buffers returns the workspace of a call, or the smaller workspace that it also accepts; isDegraded is false if there
// is none.
type Buffers func(a *routine.Args, degraded bool) (list []driver.Buffer, isDegraded bool)

// New draws sizes, increments and scalars, fills every array, and allocates exactly the buffers that the call needs.
// Sizes are at most most; some are 0, and some calls have their scalars in device memory.
func New(t testing.TB, rt *routine.Routine, r *rand.Rand, most int, degraded bool, buffers Buffers) *Call {
	t.Helper()
	return draw(t, rt, r, most, degraded, buffers, nil, true)
}

// NewOf is New with the values of some integers and enumerations, such as sizes at the bounds of a kernel's blocks.
// Other sizes are not 0, and scalars are in host memory.
func NewOf(
	t testing.TB, rt *routine.Routine, r *rand.Rand, degraded bool, buffers Buffers, values map[routine.Slot]int64,
) *Call {
	t.Helper()
	return draw(t, rt, r, Largest, degraded, buffers, values, false)
}

// elements counts the elements of one problem's array, gaps included.
func (c *Call) elements(p *routine.Param) int64 {
	a := c.Args
	rows, cols := p.Rows.Of(a), p.Cols.Of(a)
	if rows <= 0 || cols <= 0 && p.Layout != routine.Vector && p.Layout != routine.Contiguous {
		return 0
	}
	switch p.Layout {
	case routine.Vector:
		inc := c.companion(p.Slot, routine.Increment)
		return (rows-1)*max(inc, -inc) + 1
	case routine.Packed:
		return rows * (rows + 1) / 2
	case routine.Contiguous:
		return rows
	}
	if rows <= 0 || cols <= 0 {
		return 0
	}
	inc := max(1, c.companion(p.Slot, routine.Increment)) // of interleaved arrays
	return (cols-1)*c.companion(p.Slot, routine.LeadingDimension) + (rows-1)*inc + 1
}

// companion returns the leading dimension or increment of an array.
func (c *Call) companion(array routine.Slot, role routine.Role) int64 {
	p, ok := c.Args.Routine.Companion(array, role)
	if !ok {
		return 0
	}
	return c.Args.Int(p.Slot)
}

// stride returns the elements between two problems. The strides that are drawn leave room for a problem.
func (c *Call) stride(p *routine.Param) int64 {
	if q, ok := c.Args.Routine.Companion(p.Slot, routine.Stride); ok {
		return c.Args.Int(q.Slot)
	}
	return max(0, p.Rows.Of(c.Args))
}

// BySizeRules returns the buffers that a release of the library needs.
func BySizeRules(on *release.Release) Buffers {
	return func(a *routine.Args, degraded bool) ([]driver.Buffer, bool) {
		d := behavior.Of(&behavior.Target{Release: on, Arch: arch.Default()}, a)
		buffers := &d.Optimal
		degraded = degraded && d.CanDegrade
		if degraded {
			fewer := d.Degraded()
			buffers = &fewer
		}
		var list []driver.Buffer
		for i := range buffers.Len() {
			list = append(list, driver.Buffer(buffers.At(i)))
		}
		return list, degraded
	}
}

// Put writes one element of one problem's array.
func (c *Call) Put(p *routine.Param, b, i int64, x complex128) {
	at := (b*c.problemStride(p) + i) * c.Args.ElementBytes(p)
	number.Store(c.Args.Datatype(p), c.Arrays[p.Slot].Data()[at:], x)
}

func (c *Call) problemStride(p *routine.Param) int64 {
	if p.Kind == routine.ArrayOfArrays {
		return c.inner[p.Slot]
	}
	return c.stride(p)
}

// Replace makes an operand the place of the result, with its leading dimension and stride.
func (c *Call) Replace(operand, result routine.Slot) {
	for _, role := range []routine.Role{routine.LeadingDimension, routine.Stride} {
		if p, ok := c.Args.Routine.Companion(result, role); ok {
			c.Args.SetInt(p.Slot, c.companion(operand, role))
		}
	}
	c.Args.SetPtr(result, c.Args.Ptr(operand))
	c.Arrays[result], c.Before[result], c.inner[result] = c.Arrays[operand], c.Before[operand], c.inner[operand]
}

// Param returns the parameter of a slot, nil if the routine has none.
func (c *Call) Param(s routine.Slot) *routine.Param {
	p, _ := c.Args.Routine.ParamAt(s)
	return p
}

// Result reads the result of a reduction.
func (c *Call) Result(b int64) complex128 {
	p := c.Param(routine.Result)
	at := uint64(c.Launch.Result)
	if c.Launch.OnDevice {
		at = c.Args.Ptr(routine.Result)
	}
	size := c.Args.ElementBytes(p)
	raw, err := c.Memory.Bytes(at+uint64(b*size), size)
	if err != nil {
		c.t.Fatal(err)
	}
	return number.Load(c.Args.Datatype(p), raw)
}

// place returns the index of element (i, j) of the matrix A, and whether it is stored, which elements outside of a band
// or in the other triangle of a symmetric matrix are not.
func (c *Call) place(p *routine.Param, i, j int64) (at int64, stored bool) {
	a := c.Args
	n, ld := p.Cols.Of(a), c.companion(p.Slot, routine.LeadingDimension)
	below, above := p.Rows.Of(a), n
	if p.Layout == routine.Band {
		below, above = a.Int(routine.K)+a.Int(routine.KL), a.Int(routine.K)+a.Int(routine.KU) // one is 0 in each sum
	}
	upper := a.Int(routine.Uplo) == routine.FillUpper
	if c.Param(routine.Uplo) != nil {
		if upper {
			below = 0
		} else {
			above = 0
		}
	}
	stored = i-j <= below && j-i <= above
	switch {
	case p.Layout == routine.Band:
		return above + i - j + j*ld, stored
	case p.Layout == routine.Packed && upper:
		return i + j*(j+1)/2, stored
	case p.Layout == routine.Packed:
		return i - j + j*(2*n-j+1)/2, stored
	}
	return i + j*ld, stored
}
