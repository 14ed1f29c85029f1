// Package trial draws random calls of the routines of the table and holds what they leave behind against the definition of
// each family, computed in higher precision. Every platform's routines are checked with it.
package trial

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
)

// Trial is one random call of a routine.
type Trial struct {
	t      testing.TB
	Rand   *rand.Rand
	Memory *Memory
	Args   *routine.Args
	Launch *driver.Launch
	Before map[routine.Slot][]byte // arrays as they were
	Arrays map[routine.Slot]*Block
	inner  map[routine.Slot]int64 // elements of one problem's array
}

// Buffers tells the workspace of a call, or the smaller workspace that it can do with; degraded comes back false when there
// is none.
type Buffers func(a *routine.Args, degraded bool) (list []driver.Buffer, isDegraded bool)

// New draws sizes, increments and scalars, fills every array, and lends exactly the buffers that the call asks for.
func New(t testing.TB, rt *routine.Routine, r *rand.Rand, degraded bool, buffers Buffers) *Trial {
	tr := &Trial{t: t, Rand: r, Memory: newMemory(), Args: rt.New(), Before: map[routine.Slot][]byte{}, Arrays: map[routine.Slot]*Block{}, inner: map[routine.Slot]int64{}}
	tr.drawIntegers()
	tr.drawArrays()
	tr.lend(buffers(tr.Args, degraded))
	return tr
}

func (tr *Trial) drawIntegers() {
	a, r := tr.Args, tr.Rand
	tr.drawDatatypes()
	choice := func(list ...int64) int64 { return list[r.IntN(len(list))] }
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		switch p.Kind {
		case routine.Operation:
			a.SetInt(p.Slot, tr.operation())
		case routine.Fill:
			a.SetInt(p.Slot, choice(routine.FillUpper, routine.FillLower))
		case routine.Diagonal:
			a.SetInt(p.Slot, choice(routine.DiagonalNonUnit, routine.DiagonalUnit))
		case routine.SideKind:
			a.SetInt(p.Slot, choice(routine.SideLeft, routine.SideRight))
		case routine.Scalar:
			a.SetScalar(p.Slot, tr.scalar(p))
		}
	}
	if a.Scalar(routine.Alpha) == 0 && a.Scalar(routine.Beta) == 1 {
		a.SetScalar(routine.Beta, 0) // such a call has nothing to do, and ends before it reaches a platform
	}
	for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.NRHS} {
		a.SetInt(s, 1+int64(r.IntN(12)))
		if r.IntN(4) == 0 {
			a.SetInt(s, 30+int64(r.IntN(80)))
		}
	}
	a.SetInt(routine.BatchCount, 1+int64(r.IntN(3)))
	a.SetInt(routine.InvASize, choice(0, 16, 128*128))
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if p.Of == 0 {
			continue
		}
		v := routine.Smallest(a, p) + choice(0, 0, 3)
		if (p.Slot == routine.IncX || p.Slot == routine.IncY) && choice(0, 1) == 1 {
			v = choice(1, 2, 3, -1, -2)
			if p.Slot == routine.IncX && a.Routine.Family.Level == 1 && a.Routine.Family.Name[:3] != "dot" {
				v = max(v, 1) // a reduction of a vector with a negative increment has nothing to compute
			}
		}
		a.SetInt(p.Slot, v)
	}
}

// drawDatatypes draws one of the combinations that an _ex routine has.
func (tr *Trial) drawDatatypes() {
	arguments, combinations := argcheck.Datatypes(tr.Args.Routine)
	if len(combinations) == 0 {
		return
	}
	for i, datatype := range combinations[tr.Rand.IntN(len(combinations))] {
		tr.Args.SetInt(arguments[i], datatype)
	}
}

// operation draws one that the routine takes: rank-k updates take the transpose, or the adjoint when Hermitian.
func (tr *Trial) operation() int64 {
	list := []int64{routine.OperationNone, routine.OperationTranspose, routine.OperationConjugateTranspose}
	switch tr.Args.Routine.Family.Name {
	case "syrk", "syr2k", "syrkx":
		list = list[:2]
	case "herk", "her2k", "herkx":
		list = []int64{list[0], list[2]}
	}
	return list[tr.Rand.IntN(len(list))]
}

func (tr *Trial) scalar(p *routine.Param) complex128 {
	values := []complex128{0, 1, complex(tr.Rand.NormFloat64(), tr.Rand.NormFloat64())}
	v := values[tr.Rand.IntN(len(values))]
	raw := make([]byte, 16) // a scalar has the precision of its type
	number.Store(tr.Args.Datatype(p), raw, v)
	return number.Load(tr.Args.Datatype(p), raw)
}

func (tr *Trial) drawArrays() {
	a := tr.Args
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if p.Kind != routine.Array && p.Kind != routine.ArrayOfArrays {
			continue
		}
		elem := a.ElementBytes(p)
		n := tr.elements(p)
		tr.inner[p.Slot] = n
		batch := a.Batch()
		if p.Kind == routine.ArrayOfArrays {
			data := tr.Memory.alloc(p.Name, batch*n*elem)
			pointers := tr.Memory.alloc("pointers to "+p.Name, 8*batch)
			list := view[uint64](pointers.Data())
			for j := range list {
				list[j] = data.At + uint64(int64(j)*n*elem)
			}
			pointers.Pointers = slices.Clone(list)
			a.SetPtr(p.Slot, pointers.At)
			tr.Arrays[p.Slot] = data
		} else {
			data := tr.Memory.alloc(p.Name, ((batch-1)*tr.stride(p)+n)*elem)
			a.SetPtr(p.Slot, data.At)
			tr.Arrays[p.Slot] = data
		}
		if p.Access != routine.Out {
			tr.fill(p)
		}
		tr.Before[p.Slot] = bytes.Clone(tr.Arrays[p.Slot].Data())
	}
}

// elements counts one problem's array, from its first element to its last.
func (tr *Trial) elements(p *routine.Param) int64 {
	a := tr.Args
	rows, cols := p.Rows.Of(a), p.Cols.Of(a)
	switch p.Layout {
	case routine.Vector:
		inc := a.Int(map[routine.Slot]routine.Slot{routine.X: routine.IncX, routine.Y: routine.IncY}[p.Slot])
		return (rows-1)*max(inc, -inc) + 1
	case routine.Packed:
		return rows * (rows + 1) / 2
	case routine.Contiguous:
		return rows
	}
	return (cols-1)*a.Int(ldOf[p.Slot]) + rows
}

var ldOf = map[routine.Slot]routine.Slot{routine.A: routine.LDA, routine.B: routine.LDB, routine.C: routine.LDC, routine.D: routine.LDD, routine.InvA: routine.LDInvA}

// stride returns the elements between two problems, which the smallest stride of trials always leaves room for.
func (tr *Trial) stride(p *routine.Param) int64 {
	a := tr.Args
	for i := range a.Routine.Params {
		q := &a.Routine.Params[i]
		if q.Of == p.Slot && q.Kind == routine.Int64 {
			return a.Int(q.Slot)
		}
	}
	return p.Rows.Of(a)
}

// fill draws numbers. Square matrices get a heavy diagonal, so that systems can be solved and factors exist.
func (tr *Trial) fill(p *routine.Param) {
	a := tr.Args
	if p.Elem == routine.OfInt {
		tr.fillPivots(p)
		return
	}
	for b := range a.Batch() {
		n := tr.inner[p.Slot]
		for i := range n {
			tr.Put(p, b, i, complex(tr.Rand.NormFloat64(), tr.Rand.NormFloat64()))
		}
		if p.Layout == routine.Vector || p.Slot != routine.A {
			continue
		}
		for j := range min(p.Rows.Of(a), p.Cols.Of(a)) {
			if i, ok := tr.diagonal(p, j); ok {
				tr.Put(p, b, i, complex(4+2*float64(p.Rows.Of(a)), 0))
			}
		}
	}
}

// diagonal returns where element (j, j) of a matrix lies.
func (tr *Trial) diagonal(p *routine.Param, j int64) (int64, bool) {
	upper := tr.Args.Int(routine.Uplo) == routine.FillUpper
	n := p.Rows.Of(tr.Args)
	switch {
	case p.Layout == routine.Band && upper:
		return j*tr.Args.Int(routine.LDA) + tr.Args.Int(routine.K), true
	case p.Layout == routine.Band:
		return j * tr.Args.Int(routine.LDA), true
	case p.Layout == routine.Packed && upper:
		return j + j*(j+1)/2, true
	case p.Layout == routine.Packed:
		return j * (2*n - j + 1) / 2, true
	}
	return j*tr.Args.Int(ldOf[p.Slot]) + j, true
}

func (tr *Trial) fillPivots(p *routine.Param) {
	for b := range tr.Args.Batch() {
		n := tr.inner[p.Slot]
		cells := view[int32](tr.Arrays[p.Slot].Data())[b*tr.stride(p):]
		for i := range n {
			cells[i] = int32(i + 1 + tr.Rand.Int64N(n-i))
		}
	}
}

// lend makes exactly the buffers that the call asks for.
func (tr *Trial) lend(list []driver.Buffer, degraded bool) {
	tr.Launch = &driver.Launch{Args: tr.Args, Degraded: degraded}
	for _, b := range list {
		span := driver.Span{Bytes: b.Bytes}
		if b.Bytes > 0 {
			span.Ptr = driver.Ptr(tr.Memory.alloc("workspace buffer "+b.Purpose, int64(b.Bytes)).At)
		}
		tr.Launch.Work = append(tr.Launch.Work, span)
	}
	if p, ok := tr.Args.Routine.ParamAt(routine.Result); ok {
		size := tr.Args.ElementBytes(p) * tr.Args.Batch()
		if tr.Rand.IntN(2) == 0 {
			result := tr.Memory.alloc("results", size)
			tr.Launch.OnDevice = true
			tr.Args.SetPtr(routine.Result, result.At)
		} else {
			tr.Args.SetInt(routine.Result, routine.Host)
			tr.Launch.Result = tr.Launch.Work[0].Ptr + driver.Ptr(int64(tr.Launch.Work[0].Bytes)-size)
		}
	}
}

// BySizeRules are the buffers that a release of the library asks for.
func BySizeRules(on *release.Release) Buffers {
	return func(a *routine.Args, degraded bool) ([]driver.Buffer, bool) {
		d := sizing.Of(&sizing.Target{Release: on, Arch: "gfx90a"}, a)
		buffers := &d.Optimal
		degraded = degraded && d.CanDegrade
		if degraded {
			buffers = &d.Degraded
		}
		var list []driver.Buffer
		for i := range buffers.Len() {
			list = append(list, driver.Buffer(buffers.At(i)))
		}
		return list, degraded
	}
}
