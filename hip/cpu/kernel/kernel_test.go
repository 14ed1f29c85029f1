package kernel_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
)

// device is memory for one call: blocks with poison around them, at addresses that no host has.
type device struct {
	blocks []*block
	next   uint64
}

type block struct {
	name string
	at   uint64
	raw  []byte // guard, data, guard
	size int64
}

const (
	guardBytes = 64
	poison     = 0xff // a NaN in every floating-point type
)

func newDevice() *device { return &device{next: 1 << 46} }

// alloc makes a block filled with poison.
func (d *device) alloc(name string, size int64) *block {
	words := make([]uint64, (size+2*guardBytes+7)/8)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size+2*guardBytes)
	for i := range raw {
		raw[i] = poison
	}
	b := &block{name, d.next, raw, size}
	d.next += uint64(size+4095) &^ 4095
	d.next += 4096
	d.blocks = append(d.blocks, b)
	return b
}

func (b *block) data() []byte { return b.raw[guardBytes : guardBytes+b.size] }

// Bytes hands out exactly what is asked for, inside one block.
func (d *device) Bytes(p uint64, n int64) ([]byte, error) {
	for _, b := range d.blocks {
		if p >= b.at && int64(p-b.at)+n <= b.size {
			return b.data()[p-b.at:][:n:n], nil
		}
	}
	return nil, fmt.Errorf("no block holds %d bytes at %#x", n, p)
}

// checkGuards fails when a kernel wrote past a block.
func (d *device) checkGuards(t *testing.T) {
	t.Helper()
	want := bytes.Repeat([]byte{poison}, guardBytes)
	for _, b := range d.blocks {
		if !bytes.Equal(b.raw[:guardBytes], want) || !bytes.Equal(b.raw[guardBytes+b.size:], want) {
			t.Errorf("the kernel wrote outside %s", b.name)
		}
	}
}

// trial is one random call of a routine.
type trial struct {
	t      *testing.T
	r      *rand.Rand
	dev    *device
	args   *routine.Args
	launch *driver.Launch
	before map[routine.Slot][]byte // arrays as they were
	arrays map[routine.Slot]*block
	inner  map[routine.Slot]int64 // elements of one problem's array
}

// newTrial draws sizes, increments and scalars, and fills every array.
func newTrial(t *testing.T, rt *routine.Routine, r *rand.Rand, degraded bool) *trial {
	tr := &trial{t: t, r: r, dev: newDevice(), args: rt.New(), before: map[routine.Slot][]byte{}, arrays: map[routine.Slot]*block{}, inner: map[routine.Slot]int64{}}
	tr.drawIntegers()
	tr.drawArrays()
	tr.lend(degraded)
	return tr
}

func (tr *trial) drawIntegers() {
	a, r := tr.args, tr.r
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
func (tr *trial) drawDatatypes() {
	arguments, combinations := argcheck.Datatypes(tr.args.Routine)
	if len(combinations) == 0 {
		return
	}
	for i, datatype := range combinations[tr.r.IntN(len(combinations))] {
		tr.args.SetInt(arguments[i], datatype)
	}
}

// operation draws one that the routine takes: rank-k updates take the transpose, or the adjoint when Hermitian.
func (tr *trial) operation() int64 {
	list := []int64{routine.OperationNone, routine.OperationTranspose, routine.OperationConjugateTranspose}
	switch tr.args.Routine.Family.Name {
	case "syrk", "syr2k", "syrkx":
		list = list[:2]
	case "herk", "her2k", "herkx":
		list = []int64{list[0], list[2]}
	}
	return list[tr.r.IntN(len(list))]
}

func (tr *trial) scalar(p *routine.Param) complex128 {
	values := []complex128{0, 1, complex(tr.r.NormFloat64(), tr.r.NormFloat64())}
	v := values[tr.r.IntN(len(values))]
	raw := make([]byte, 16) // a scalar has the precision of its type
	number.Store(tr.args.Datatype(p), raw, v)
	return number.Load(tr.args.Datatype(p), raw)
}

func (tr *trial) drawArrays() {
	a := tr.args
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
			data := tr.dev.alloc(p.Name, batch*n*elem)
			pointers := tr.dev.alloc("pointers to "+p.Name, 8*batch)
			list := view[uint64](pointers.data())
			for j := range list {
				list[j] = data.at + uint64(int64(j)*n*elem)
			}
			a.SetPtr(p.Slot, pointers.at)
			tr.arrays[p.Slot] = data
		} else {
			data := tr.dev.alloc(p.Name, ((batch-1)*tr.stride(p)+n)*elem)
			a.SetPtr(p.Slot, data.at)
			tr.arrays[p.Slot] = data
		}
		if p.Access != routine.Out {
			tr.fill(p)
		}
		tr.before[p.Slot] = bytes.Clone(tr.arrays[p.Slot].data())
	}
}

// elements counts one problem's array, from its first element to its last.
func (tr *trial) elements(p *routine.Param) int64 {
	a := tr.args
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
func (tr *trial) stride(p *routine.Param) int64 {
	a := tr.args
	for i := range a.Routine.Params {
		q := &a.Routine.Params[i]
		if q.Of == p.Slot && q.Kind == routine.Int64 {
			return a.Int(q.Slot)
		}
	}
	return p.Rows.Of(a)
}

// fill draws numbers. Square matrices get a heavy diagonal, so that systems can be solved and factors exist.
func (tr *trial) fill(p *routine.Param) {
	a := tr.args
	if p.Elem == routine.OfInt {
		tr.fillPivots(p)
		return
	}
	for b := range a.Batch() {
		n := tr.inner[p.Slot]
		for i := range n {
			tr.put(p, b, i, complex(tr.r.NormFloat64(), tr.r.NormFloat64()))
		}
		if p.Layout == routine.Vector || p.Slot != routine.A {
			continue
		}
		for j := range min(p.Rows.Of(a), p.Cols.Of(a)) {
			if i, ok := tr.diagonal(p, j); ok {
				tr.put(p, b, i, complex(4+2*float64(p.Rows.Of(a)), 0))
			}
		}
	}
}

// diagonal returns where element (j, j) of a matrix lies.
func (tr *trial) diagonal(p *routine.Param, j int64) (int64, bool) {
	upper := tr.args.Int(routine.Uplo) == routine.FillUpper
	n := p.Rows.Of(tr.args)
	switch {
	case p.Layout == routine.Band && upper:
		return j*tr.args.Int(routine.LDA) + tr.args.Int(routine.K), true
	case p.Layout == routine.Band:
		return j * tr.args.Int(routine.LDA), true
	case p.Layout == routine.Packed && upper:
		return j + j*(j+1)/2, true
	case p.Layout == routine.Packed:
		return j * (2*n - j + 1) / 2, true
	}
	return j*tr.args.Int(ldOf[p.Slot]) + j, true
}

func (tr *trial) fillPivots(p *routine.Param) {
	for b := range tr.args.Batch() {
		n := tr.inner[p.Slot]
		cells := view[int32](tr.arrays[p.Slot].data())[b*tr.stride(p):]
		for i := range n {
			cells[i] = int32(i + 1 + tr.r.Int64N(n-i))
		}
	}
}

// lend makes exactly the buffers of the size rule.
func (tr *trial) lend(degraded bool) {
	target := &sizing.Target{Release: sizing.ROCm64, Arch: "gfx90a"}
	if tr.r.IntN(2) == 0 {
		target.Release = sizing.ROCm72
	}
	d := sizing.Of(target, tr.args)
	buffers := &d.Optimal
	if degraded && d.CanDegrade {
		buffers = &d.Degraded
	} else {
		degraded = false
	}
	tr.launch = &driver.Launch{Args: tr.args, Degraded: degraded}
	for i := range buffers.Len() {
		bytes := buffers.At(i).Bytes
		span := driver.Span{Bytes: bytes}
		if bytes > 0 {
			span.Ptr = driver.Ptr(tr.dev.alloc("workspace buffer "+buffers.At(i).Purpose, int64(bytes)).at)
		}
		tr.launch.Work = append(tr.launch.Work, span)
	}
	if p, ok := tr.args.Routine.ParamAt(routine.Result); ok {
		size := tr.args.ElementBytes(p) * tr.args.Batch()
		if tr.r.IntN(2) == 0 {
			result := tr.dev.alloc("results", size)
			tr.launch.OnDevice = true
			tr.args.SetPtr(routine.Result, result.at)
		} else {
			tr.args.SetInt(routine.Result, routine.Host)
			tr.launch.Result = tr.launch.Work[0].Ptr + driver.Ptr(int64(tr.launch.Work[0].Bytes)-size)
		}
	}
}

func view[E any](raw []byte) []E {
	var e E
	if len(raw) == 0 {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(&raw[0])), len(raw)/int(unsafe.Sizeof(e)))
}

func TestRoutinesComputeWhatTheyAreDefinedToCompute(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, rt := range routine.All() {
		if rt.Wide {
			continue
		}
		t.Run(rt.CName(), func(t *testing.T) {
			for i := range 12 {
				var library *blas.OpenBLAS // large problems by Go and by OpenBLAS in turn
				if i%2 == 0 {
					library, _ = blas.Open("auto")
				}
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				tr := newTrial(t, rt, r, i%3 == 2)
				if err := kernel.Run(tr.launch, tr.dev, library); err != nil {
					t.Fatalf("seed %d, trial %d: %v", seed, i, err)
				}
				tr.dev.checkGuards(t)
				for b := range tr.args.Batch() {
					if err := tr.verify(b); err != nil {
						t.Fatalf("seed %d, trial %d, problem %d of %d: %v", seed, i, b+1, tr.args.Batch(), err)
					}
				}
			}
		})
	}
}

// TestNotANumberPropagates puts a NaN or an infinity into a factor: where the definition has none of them, and nowhere
// else, the result has a number. An operand that a zero scalar makes unread passes nothing on.
func TestNotANumberPropagates(t *testing.T) {
	seed := rand.Uint64()
	for _, rt := range routine.All() {
		solves := strings.HasPrefix(rt.Family.Name, "tr") && rt.Family.Name != "trmm" && rt.Family.Name != "trmv"
		if rt.Wide || rt.Family.Level == 4 || rt.Type == routine.Mixed || solves || strings.HasPrefix(rt.Family.Name, "iam") {
			continue
		}
		for i := range 6 {
			tr := newTrial(t, rt, rand.New(rand.NewPCG(seed, uint64(i))), false)
			slots := []routine.Slot{routine.A, routine.B, routine.C, routine.X, routine.Y}
			slots = slices.DeleteFunc(slots, func(s routine.Slot) bool { return tr.param(s) == nil || tr.param(s).Access == routine.Out })
			p := tr.param(slots[tr.r.IntN(len(slots))])
			bad := []complex128{complex(math.NaN(), 0), complex(math.Inf(1), 0)}[tr.r.IntN(2)]
			tr.put(p, 0, 0, bad)
			tr.before[p.Slot] = bytes.Clone(tr.arrays[p.Slot].data())
			if err := kernel.Run(tr.launch, tr.dev, nil); err != nil {
				t.Fatal(err)
			}
			if err := tr.verify(0); err != nil {
				t.Errorf("seed %d, trial %d of %s with %v in %s, alpha %v, beta %v: %v", seed, i, rt.CName(), bad, p.Name,
					tr.args.Scalar(routine.Alpha), tr.args.Scalar(routine.Beta), err)
			}
		}
	}
}
