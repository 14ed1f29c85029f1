package randomcall

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/sequence"
)

// drawing is a call that is being drawn.
type drawing struct {
	*Call
	alternate bool // elements of all problems alternate, if the routine has increments of matrices
	freely    bool // sizes can be 0
	most      int  // the largest size
}

// Largest is the largest size that is drawn.
const Largest = 109

// attempts is how many calls New draws until one passes the argument checks and has something to compute.
const attempts = 1000

// draw draws calls until one passes the argument checks. If freely is true, some have sizes of 0 or scalars in device
// memory.
func draw(
	t testing.TB, rt *routine.Routine, r *rand.Rand, most int, degraded bool, buffers Buffers,
	values map[routine.Slot]int64, freely bool,
) *Call {
	t.Helper()
	reason := ""
	for range attempts {
		c := &drawing{freely: freely, most: most, Call: &Call{t: t, Rand: r, Memory: newMemory(), Args: rt.New(),
			Before: map[routine.Slot][]byte{}, Arrays: map[routine.Slot]*Block{}, inner: map[routine.Slot]int64{}}}
		c.drawValues(values)
		anywhere := freely || rt.Family.ID == routine.Rotm // which in batches has no scalars in host memory
		mode := behavior.Mode{DevicePointers: anywhere && r.IntN(3) == 0}
		decision := behavior.Decide(c.withPointers(), mode)
		if reason = decision.Reason(); reason != "" {
			continue
		}
		c.drawArrays()
		c.prepare()
		c.allocate(buffers(c.Args, degraded))
		if mode.DevicePointers {
			c.moveScalars()
		}
		return c.Call
	}
	t.Fatalf("%s: none of %d random calls passes the argument checks: %s", rt.CName(), attempts, reason)
	return nil
}

// withPointers returns the arguments with an address for every array.
func (c *drawing) withPointers() *routine.Args {
	a := *c.Args
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; p.Kind.IsPointer() && p.Kind != routine.Scalar {
			a.SetPtr(p.Slot, uint64(p.Slot+1)<<20)
		}
	}
	return &a
}

func (c *drawing) drawValues(values map[routine.Slot]int64) {
	a, r := c.Args, c.Rand
	for slot, datatype := range sequence.DrawDatatypes(r, a.Routine, false) {
		a.SetInt(slot, datatype)
	}
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		switch {
		case c.drawSpecial(p):
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, c.scalar(p))
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, r.NormFloat64())
		case p.Slot == routine.BatchCount:
			a.SetInt(p.Slot, 1+int64(r.IntN(3)))
		case p.Slot == routine.InvASize:
			a.SetInt(p.Slot, []int64{0, 16, 128 * 128}[r.IntN(3)])
		case p.Slot == routine.K1 || p.Slot == routine.NBlocks:
			a.SetInt(p.Slot, 1+int64(r.IntN(4)))
		case p.Slot == routine.IncX && p.Role == routine.NoRole: // of pivots
			a.SetInt(p.Slot, []int64{1, 1, 2, -1, -2}[r.IntN(5)])
		case p.Kind == routine.Datatype || p.Role != routine.NoRole:
		case p.Kind.IsEnum():
			c.drawEnum(p)
		case p.Kind.IsInteger():
			c.drawSize(p)
		}
	}
	if c.Param(routine.MatT) != nil { // larft and larfb do not check k
		a.SetInt(routine.K, min(a.Int(routine.K), a.Int(routine.N)))
		if c.Param(routine.M) != nil {
			a.SetInt(routine.K, min(a.Int(routine.K), a.Int(routine.M)))
		}
	}
	for s, v := range values {
		a.SetInt(s, v)
	}
	c.alternate = r.IntN(2) == 0
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if _, given := values[p.Slot]; p.Role != routine.NoRole && !given {
			c.drawDistance(p)
		}
	}
}

// chosen are the kinds of enumerations that decide the result although they have a default.
var chosen = []routine.Kind{routine.Operation, routine.Diagonal, routine.Direction, routine.Storage}

// drawEnum draws a legal value. An enumeration with a default keeps it, unless it is in chosen: it selects between
// equal results.
func (c *drawing) drawEnum(p *routine.Param) {
	if d, ok := c.Args.Routine.Default(p); ok && !slices.Contains(chosen, p.Kind) {
		d.Set(c.Args)
		return
	}
	legal := p.Legal()
	c.Args.SetInt(p.Slot, legal[c.Rand.IntN(len(legal))])
}

// drawSize draws a dimension. An integer that has a default is an option and keeps it.
func (c *drawing) drawSize(p *routine.Param) {
	if d, ok := c.Args.Routine.Default(p); ok {
		d.Set(c.Args)
		return
	}
	switch kind := c.Rand.IntN(8); {
	case kind == 0 && c.freely:
		c.Args.SetInt(p.Slot, 0)
	case kind < 3:
		c.Args.SetInt(p.Slot, int64(min(c.most, 30+c.Rand.IntN(80))))
	default:
		c.Args.SetInt(p.Slot, int64(min(c.most, 1+c.Rand.IntN(12))))
	}
}

// drawDistance draws a leading dimension, an increment or a stride.
func (c *drawing) drawDistance(p *routine.Param) {
	v := routine.Smallest(c.Args, p) + []int64{0, 0, 3}[c.Rand.IntN(3)]
	if p.Role == routine.Increment && c.Rand.IntN(2) == 0 {
		v = []int64{1, 2, 3, -1, -2}[c.Rand.IntN(5)]
	}
	_, spread := c.Args.Routine.Companion(p.Of, routine.Increment)
	if spread && c.alternate && c.Param(p.Of).Layout == routine.Dense {
		switch p.Role {
		case routine.Increment:
			v = c.Args.Batch()
		case routine.Stride:
			v = 1
		}
	}
	c.Args.SetInt(p.Slot, v)
}

// drawSpecial draws arguments whose values depend on others. It reports whether it has drawn one.
func (c *drawing) drawSpecial(p *routine.Param) bool {
	a, n := c.Args, c.Args.Int(routine.N)
	if c.Param(routine.M) != nil {
		n = min(n, a.Int(routine.M))
	}
	center := 0.0
	if c.Param(routine.A) != nil {
		center = float64(4 + 2*n) // the diagonal of A
	}
	switch p.Slot {
	case routine.Abstol:
		a.SetReal(p.Slot, 0)
	case routine.LowerBound: // next to the eigenvalues
		a.SetReal(p.Slot, math.Max(0, center+c.Rand.NormFloat64()*math.Sqrt(float64(n))))
	case routine.UpperBound:
		a.SetReal(p.Slot, a.Real(routine.LowerBound)+c.Rand.Float64()*math.Sqrt(float64(n)))
	case routine.LowerIndex:
		a.SetInt(p.Slot, 1+c.Rand.Int64N(max(n, 1)))
	case routine.UpperIndex:
		a.SetInt(p.Slot, a.Int(routine.LowerIndex)+c.Rand.Int64N(max(1, n+1-a.Int(routine.LowerIndex))))
	default:
		return false
	}
	return true
}

func (c *drawing) scalar(p *routine.Param) complex128 {
	values := []complex128{0, 1, complex(c.Rand.NormFloat64(), c.Rand.NormFloat64())}
	v := values[c.Rand.IntN(len(values))]
	raw := make([]byte, 16) // a scalar has the precision of its type
	number.Store(c.Args.Datatype(p), raw, v)
	return number.Load(c.Args.Datatype(p), raw)
}

func (c *drawing) drawArrays() {
	a := c.Args
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if p.Kind != routine.Array && p.Kind != routine.ArrayOfArrays {
			continue
		}
		elem := a.ElementBytes(p)
		n := c.elements(p)
		c.inner[p.Slot] = n
		batch := a.Batch()
		if p.Kind == routine.ArrayOfArrays {
			data := c.Memory.alloc(p.Name, batch*n*elem)
			pointers := c.Memory.alloc("pointers to "+p.Name, 8*batch)
			list := view[uint64](pointers.Data())
			for j := range list {
				list[j] = data.At + uint64(int64(j)*n*elem)
			}
			pointers.Pointers = slices.Clone(list)
			a.SetPtr(p.Slot, pointers.At)
			c.Arrays[p.Slot] = data
		} else {
			data := c.Memory.alloc(p.Name, ((batch-1)*c.stride(p)+n)*elem)
			a.SetPtr(p.Slot, data.At)
			c.Arrays[p.Slot] = data
		}
		if p.Access != routine.Out {
			c.fill(p)
		}
		c.Before[p.Slot] = bytes.Clone(c.Arrays[p.Slot].Data())
	}
}

// fill draws numbers. A gets a large diagonal, so that systems can be solved and factors exist. If its diagonal is 1,
// its other numbers are small instead: solutions of 80 equations would grow beyond f32 otherwise.
func (c *drawing) fill(p *routine.Param) {
	a := c.Args
	if p.Elem == routine.OfInt {
		c.fillPivots(p)
		return
	}
	diagonal, scale := 4+2*float64(p.Rows.Of(a)), 1.0
	if routine.RealOf(a.Datatype(p)) == routine.DatatypeF16 {
		diagonal = min(diagonal, 64) // its square times a scalar is less than the largest number, 65504
	}
	if p.Slot == routine.A && c.Param(routine.Diag) != nil && a.Int(routine.Diag) == routine.DiagonalUnit {
		scale = 1 / diagonal
	}
	for b := range a.Batch() {
		n := c.inner[p.Slot]
		for i := range n {
			c.Put(p, b, i, complex(scale*c.Rand.NormFloat64(), scale*c.Rand.NormFloat64()))
		}
		if p.Slot == routine.RotationParam {
			c.Put(p, b, 0, complex(float64(c.Rand.IntN(4)-2), 0)) // the form of the rotation
		}
		if p.Layout == routine.Vector || p.Slot != routine.A {
			continue
		}
		for j := range min(c.rows(p), p.Cols.Of(a)) {
			if i, stored := c.place(p, j, j); stored {
				c.Put(p, b, i, complex(diagonal, 0))
			}
		}
	}
}

// rows returns the number of rows of a matrix, which may be stored in fewer.
func (c *drawing) rows(p *routine.Param) int64 {
	switch {
	case p.Layout != routine.Band:
		return p.Rows.Of(c.Args)
	case c.Param(routine.M) != nil:
		return c.Args.Int(routine.M)
	}
	return p.Cols.Of(c.Args)
}

func (c *drawing) fillPivots(p *routine.Param) {
	bytes := c.Args.ElementBytes(p)
	for b := range c.Args.Batch() {
		n := c.inner[p.Slot]
		for i := range n {
			pivot, at := i+1+c.Rand.Int64N(n-i), c.Arrays[p.Slot].Data()[(b*c.stride(p)+i)*bytes:]
			if bytes == 8 {
				binary.NativeEndian.PutUint64(at, uint64(pivot))
			} else {
				binary.NativeEndian.PutUint32(at, uint32(pivot))
			}
		}
	}
}

// allocate makes exactly the buffers that the call needs.
func (c *drawing) allocate(list []driver.Buffer, degraded bool) {
	c.Launch = &driver.Launch{Args: c.Args, Degraded: degraded}
	for _, b := range list {
		work := driver.Work{ID: b.ID, Span: driver.Span{Bytes: b.Bytes}}
		if b.Bytes > 0 {
			work.Ptr = driver.Ptr(c.Memory.alloc("workspace buffer "+b.ID.Purpose(), int64(b.Bytes)).At)
		}
		c.Launch.Work = append(c.Launch.Work, work)
	}
	if p, ok := c.Args.Routine.ParamAt(routine.Result); ok {
		size := c.Args.ElementBytes(p) * c.Args.Batch()
		if c.Rand.IntN(2) == 0 {
			result := c.Memory.alloc("results", size)
			c.Launch.OnDevice = true
			c.Args.SetPtr(routine.Result, result.At)
		} else {
			c.Args.SetInt(routine.Result, routine.Host)
			c.Launch.Result = c.Launch.Work[0].Ptr + driver.Ptr(int64(c.Launch.Work[0].Bytes)-size)
		}
	}
}

// moveScalars puts the scalars in device memory.
func (c *drawing) moveScalars() {
	if _, ok := c.Args.Routine.ParamAt(routine.Result); ok {
		return // allocate has drawn where it is
	}
	c.Launch.OnDevice = true
	for i := range c.Args.Routine.Params {
		if p := &c.Args.Routine.Params[i]; p.Kind == routine.Scalar {
			block := c.Memory.alloc(p.Name, c.Args.ElementBytes(p))
			number.Store(c.Args.Datatype(p), block.Data(), c.Args.Scalar(p.Slot))
			c.Args.SetPtr(p.Slot, block.At)
		}
	}
}
