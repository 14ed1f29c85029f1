package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"roclua/hip/cpu/inspect"
	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// columns returns a bench without kernels and a block for a vector of doubles every 16 bytes.
func columns(t *testing.T) (*bench, driver.Ptr) {
	t.Helper()
	b := open(t, driver.Config{})
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { return nil }
	return b, b.malloc(1 << 20)
}

// everySecond returns a launch of a routine whose vectors have every second element of the block.
func (b *bench) everySecond(cName string, x, y driver.Ptr, n int64) *driver.Launch {
	b.Helper()
	return b.launch(cName, map[routine.Slot]int64{routine.N: n, routine.IncX: 2, routine.X: int64(x), routine.IncY: 2,
		routine.Y: int64(y), routine.Result: routine.Host})
}

// unwritten lists the reads of unwritten memory since the last call.
func (b *bench) unwritten() []string {
	var list []string
	for _, u := range b.dev.UnwrittenReads() {
		list = append(list, fmt.Sprintf("%d of %d from %d", u.Bytes, u.Of, u.Offset))
	}
	return list
}

// TestOnlySomeColumnsAreInspected reads vectors with more elements that are apart than are looked at one by one.
func TestOnlySomeColumnsAreInspected(t *testing.T) {
	b, p := columns(t)
	b.ok(b.dev.Execute(b.dev.null, b.everySecond("rocblas_dasum", p, 0, inspect.ColumnLimit+5)))
	if have, want := b.unwritten(), []string{"32768 of 32768 from 0"}; !slices.Equal(have, want) {
		t.Errorf("reads %q, want %q", have, want)
	}
	for column, want := range map[int]uint64{inspect.ColumnLimit - 1: memory.Poison, inspect.ColumnLimit: 0} {
		if have := binary.NativeEndian.Uint64(b.read(p+driver.Ptr(16*column), 8)); have != want {
			t.Errorf("column %d holds %#x, want %#x", column, have, want)
		}
	}
	for column, want := range map[int]bool{0: true, inspect.ColumnLimit - 1: true, inspect.ColumnLimit: false} {
		b, p := columns(t)
		b.ok(b.dev.Fill(b.dev.null, p, 0, 1<<20))
		b.dev.SetElement(p+driver.Ptr(16*column), driver.Rows{Width: 8, Count: 1}, driver.ElementS)
		var mismatch *driver.MismatchError
		err := b.dev.Execute(b.dev.null, b.everySecond("rocblas_dasum", p, 0, inspect.ColumnLimit+5))
		if errors.As(err, &mismatch) != want {
			t.Errorf("floats in column %d: %v", column, err)
		}
	}
}

// TestGapsBetweenManyColumns writes a vector and reads it with the gaps between its elements, which count as written
// with it from a number of elements on. The result of a routine without a kernel has no values.
func TestGapsBetweenManyColumns(t *testing.T) {
	for _, test := range []struct {
		name     string
		n, batch int64
		computed bool
		want     []string
	}{
		{"as many as are looked at", inspect.ColumnLimit, 1, true, []string{"32760 of 65528 from 8"}},
		{"more", inspect.ColumnLimit + 1, 1, true, nil},
		{"in two problems", inspect.ColumnLimit / 2, 2, true, []string{"32768 of 65536 from 8"}},
		{"more in two problems", inspect.ColumnLimit/2 + 1, 2, true, nil},
		{"not computed", inspect.ColumnLimit, 1, false, []string{"32768 of 65528 from 0"}},
		{"more, not computed", inspect.ColumnLimit + 1, 1, false, []string{"65544 of 65544 from 0"}},
		{"in two problems, not computed", inspect.ColumnLimit / 2, 2, false, []string{"32768 of 65536 from 0"}},
		{"more in two problems, not computed", inspect.ColumnLimit/2 + 1, 2, false, []string{"65568 of 65568 from 0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, y := columns(t)
			x := b.malloc(1 << 20)
			b.ok(b.dev.Fill(b.dev.null, x, 0, 1<<20))
			l := b.writer(x, y, test.n, test.batch, test.computed)
			if !test.computed {
				b.ok(b.dev.Fill(b.dev.null, y, 0, 1<<20))
			}
			b.ok(b.dev.Execute(b.dev.null, l))
			data := b.read(y, extent(l, y))
			if have := b.unwritten(); !slices.Equal(have, test.want) {
				t.Errorf("reads %q, want %q", have, test.want)
			}
			last := binary.NativeEndian.Uint64(data[16*(test.n-1):])
			if !test.computed && last != memory.Poison {
				t.Errorf("the last element of the first problem is %#x", last)
			}
		})
	}
}

// extent returns the bytes from the first to the last element of the array at an address.
func extent(l *driver.Launch, p driver.Ptr) int {
	for _, r := range region.Of(l.Args) {
		if low, n := r.Bounds(); low == uint64(p) {
			return int(n)
		}
	}
	return 0
}

// writer returns a launch that writes y from x: with a kernel, or without.
func (b *bench) writer(x, y driver.Ptr, n, batch int64, computed bool) *driver.Launch {
	b.Helper()
	if !computed { // its result is a row
		const f64 = routine.DatatypeF64
		return b.launch("rocblas_gemm_strided_batched_ex3", map[routine.Slot]int64{
			routine.TransA: routine.OperationNone, routine.TransB: routine.OperationNone, routine.M: 1, routine.N: n,
			routine.A: int64(x), routine.LDA: 1, routine.B: int64(x), routine.LDB: 1, routine.C: int64(x),
			routine.LDC: 1, routine.D: int64(y), routine.LDD: 2, routine.StrideD: 2*n + 1, routine.BatchCount: batch,
			routine.AType: f64, routine.BType: f64, routine.CType: f64, routine.DType: f64})
	}
	l := b.everySecond("rocblas_dgemv_strided_batched", x, y, n)
	for s, v := range map[routine.Slot]int64{routine.BatchCount: batch, routine.StrideY: 2*n + 1,
		routine.TransA: routine.OperationNone, routine.M: n, routine.N: 1, routine.A: int64(x), routine.LDA: n} {
		l.Args.SetInt(s, v)
	}
	l.Args.SetScalar(routine.Beta, 0)
	return l
}

// TestTypeOfManyColumns reads a vector as floats that was written as many doubles: this is an error, unless the memory
// held elements of another type between them.
func TestTypeOfManyColumns(t *testing.T) {
	const n = inspect.ColumnLimit + 1
	for _, test := range []struct {
		name      string
		gap, last driver.Element // elements of the first gap, and of the first bytes after the vector
		mismatch  bool
	}{
		{"nothing else", driver.ElementD, driver.ElementD, true},
		{"floats in a gap", driver.ElementS, driver.ElementD, false},
		{"floats after the vector", driver.ElementD, driver.ElementS, true},
	} {
		b, y := columns(t)
		x := b.malloc(1 << 20)
		for _, p := range []driver.Ptr{x, y} {
			b.ok(b.dev.Fill(b.dev.null, p, 0, 1<<20))
			b.dev.SetElement(p, driver.Rows{Width: 1 << 20, Count: 1}, driver.ElementD)
		}
		b.dev.SetElement(y+8, driver.Rows{Width: 8, Count: 1}, test.gap)
		b.dev.SetElement(y+16*n-8, driver.Rows{Width: 8, Count: 1}, test.last)
		b.ok(b.dev.Execute(b.dev.null, b.writer(x, y, n, 1, true)))
		for _, at := range []driver.Ptr{0, 16 * (n - 1)} {
			err := b.dev.CheckElement(y+at, driver.Rows{Width: 8, Count: 1}, driver.ElementS)
			if (err != nil) != test.mismatch {
				t.Errorf("%s, at %d: %v", test.name, at, err)
			}
		}
	}
}

// TestDeclaredTypes declares types of rows of memory and checks them. Unwritten memory has no type.
func TestDeclaredTypes(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(1 << 20)
	rows := driver.Rows{Width: 8, Count: 3, DevicePitch: 24}
	one := driver.Rows{Width: 8, Count: 1}
	b.dev.SetElement(p, rows, driver.ElementS) // unwritten
	b.ok(b.dev.Fill(b.dev.null, p, 0, 1<<20))
	b.ok(b.dev.CheckElement(p, rows, driver.ElementD))
	b.dev.SetElement(p, rows, driver.ElementS)
	for at, want := range map[driver.Ptr]bool{0: true, 8: false, 16: false, 24: true, 48: true, 72: false} {
		if err := b.dev.CheckElement(p+at, one, driver.ElementD); (err != nil) != want {
			t.Errorf("at %d: %v", at, err)
		}
	}
	joined := driver.Rows{Width: 8, Count: 2, DevicePitch: 8} // without gaps
	b.dev.SetElement(p+512, joined, driver.ElementI32)
	for at, want := range map[driver.Ptr]bool{512: true, 520: true, 528: false} {
		if err := b.dev.CheckElement(p+at, one, driver.ElementD); (err != nil) != want {
			t.Errorf("at %d: %v", at, err)
		}
	}
	for count, want := range map[uint64]bool{inspect.ColumnLimit: true, inspect.ColumnLimit + 1: false} {
		q := b.malloc(1 << 20)
		b.ok(b.dev.Fill(b.dev.null, q, 0, 1<<20))
		b.dev.SetElement(q, driver.Rows{Width: 8, Count: count, DevicePitch: 16}, driver.ElementC)
		if err := b.dev.CheckElement(q, one, driver.ElementD); (err != nil) != want {
			t.Errorf("%d rows: %v", count, err)
		}
	}
	for _, r := range []driver.Rows{{Width: 0, Count: 1}, {Width: 8, Count: 0}, {Width: 1 << 21, Count: 1},
		{Width: 1 << 20, Count: 2, DevicePitch: 1 << 20}} {
		b.dev.SetElement(p, r, driver.ElementI8) // no bytes, or more than the block has
	}
	if err := b.dev.CheckElement(p, one, driver.ElementS); err != nil {
		t.Error(err)
	}
	b.ok(b.dev.CheckElement(p, driver.Rows{Width: 1 << 21, Count: 1}, driver.ElementD))
}

// TestUncheckedMemory has neither reports nor types.
func TestUncheckedMemory(t *testing.T) {
	b := open(t, driver.Config{Unchecked: true})
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { return nil }
	p := b.malloc(64)
	one := driver.Rows{Width: 8, Count: 1}
	b.ok(b.dev.Fill(b.dev.null, p, 0, 8))
	b.dev.SetElement(p, one, driver.ElementS)
	b.ok(b.dev.CheckElement(p, one, driver.ElementD))
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	b.ok(b.dev.Copy(b.dev.null, p, p+32, driver.Row(8)))
	b.ok(b.dev.Synchronize())
	if list := b.dev.UnwrittenReads(); len(list) != 0 {
		t.Errorf("reads %v", list)
	}
}

// TestReportsAreBounded makes more hazards and more unwritten reads than are kept.
func TestReportsAreBounded(t *testing.T) {
	b, p := columns(t)
	s, other := b.stream(true), b.stream(true)
	for i := range driver.Ptr(memory.HazardLimit + 2) {
		b.ok(b.dev.Execute(b.dev.null, b.asum(p+8*i, 1)))
	}
	for i := range driver.Ptr(memory.HazardLimit + 2) {
		at := p + 1<<19 + 8*(i%64)
		b.ok(b.dev.Fill(s, at, 1, 8))
		b.ok(b.dev.Fill(other, at, 1, 8))
		if i%64 == 63 {
			b.ok(b.dev.Synchronize())
		}
	}
	reads, hazards := len(b.dev.UnwrittenReads()), len(b.dev.Hazards())
	if reads != memory.HazardLimit || hazards != memory.HazardLimit {
		t.Errorf("%d reads and %d hazards, want %d", reads, hazards, memory.HazardLimit)
	}
}
