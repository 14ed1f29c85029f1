package cpu

import (
	"encoding/binary"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// TestEveryKernelStaysInItsArguments runs every routine of the table that has a kernel with each array in a block of
// exactly the size that the table gives, so that a kernel and the table cannot disagree about the memory that a routine
// uses.
func TestEveryKernelStaysInItsArguments(t *testing.T) {
	sizes := map[routine.Slot]int64{routine.M: 7, routine.N: 5, routine.K: 3, routine.NRHS: 2, routine.BatchCount: 3,
		routine.TransA: routine.OperationTranspose, routine.TransB: routine.OperationNone,
		routine.Uplo: routine.FillLower,
		routine.Diag: routine.DiagonalNonUnit, routine.Side: routine.SideRight, routine.K1: 2, routine.K2: 4,
		routine.NB: 3, routine.NBlocks: 3, routine.Direct: routine.DirectBackward, routine.Storev: routine.StorevRows}
	for _, onDevice := range []bool{false, true} {
		b := open(t, driver.Config{})
		for _, r := range routine.All() {
			if _, reason := (Driver{}).Computes(r); reason != "" {
				continue
			}
			l := &driver.Launch{Args: r.New(), OnDevice: onDevice}
			for i := range r.Params {
				if p := &r.Params[i]; p.Of == 0 {
					l.Args.SetInt(p.Slot, sizes[p.Slot])
				}
				if r.Params[i].Kind == routine.Datatype {
					l.Args.SetInt(r.Params[i].Slot, routine.DatatypeF32)
				}
			}
			b.layOut(l)
			if err := b.dev.Execute(b.dev.null, l); err != nil {
				t.Errorf("%s: %v", r.CName(), err)
			}
			if err := b.dev.Synchronize(); err != nil {
				t.Errorf("%s: %v", r.CName(), err)
				b = open(t, driver.Config{}) // the device keeps returning its fault
			}
			b.freeAll()
		}
	}
}

// layOut gives a launch its memory: arrays with the smallest strides, each in a block of exactly its size, and more
// than enough workspace.
func (b *bench) layOut(l *driver.Launch) {
	b.Helper()
	r := l.Args.Routine
	for i := range r.Params {
		if p := &r.Params[i]; p.Of != 0 {
			l.Args.SetInt(p.Slot, routine.Smallest(l.Args, p)+2)
		}
	}
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case !p.Kind.IsPointer():
		case p.Kind == routine.Scalar && !l.OnDevice:
			l.Args.SetScalar(p.Slot, 2)
		case p.Kind == routine.Output && !l.OnDevice:
			l.Args.SetInt(p.Slot, routine.Host)
			l.Result = b.malloc(uint64(l.Args.Batch() * l.Args.ElementBytes(p)))
		default:
			l.Args.SetPtr(p.Slot, uint64(b.memoryFor(l.Args, p)))
		}
	}
	for _, id := range r.Family.Buffers {
		l.Work = append(l.Work, driver.Work{ID: id, Span: driver.Span{Ptr: b.malloc(64 << 10), Bytes: 64 << 10}})
	}
}

// memoryFor makes the blocks of one argument.
func (b *bench) memoryFor(a *routine.Args, p *routine.Param) driver.Ptr {
	b.Helper()
	a.SetPtr(p.Slot, 1<<20) // any address, to learn the size
	var size uint64
	for _, r := range region.Of(a) {
		if r.Param != p {
			continue
		}
		if r.Indirect {
			return b.pointersTo(r)
		}
		_, size = r.Bounds()
	}
	block := b.malloc(size)
	if p.Elem == routine.OfInt && p.Access != routine.Out {
		var ones []byte // pivots that exchange no rows; the first eigenvalue, which is in a block of one row
		for range size / uint64(a.ElementBytes(p)) {
			ones = binary.NativeEndian.AppendUint32(ones, 1)
			ones = append(ones, make([]byte, a.ElementBytes(p)-4)...)
		}
		b.write(block, ones)
	}
	return block
}

// pointersTo makes a block for each problem of an array of pointers.
func (b *bench) pointersTo(r region.Region) driver.Ptr {
	b.Helper()
	one := r
	one.Count = 1
	_, size := one.Bounds()
	var data []byte
	for range r.Count {
		data = binary.NativeEndian.AppendUint64(data, uint64(b.malloc(size)))
	}
	array := b.malloc(uint64(len(data)))
	b.write(array, data)
	return array
}

func (b *bench) freeAll() {
	b.Helper()
	for _, p := range b.blocks {
		b.ok(b.dev.Free(p))
	}
	b.blocks = nil
}
