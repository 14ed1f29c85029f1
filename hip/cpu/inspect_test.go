package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// operands are the arguments of a call in one block: A, B, C and a scalar in device memory, 256 bytes apart.
type operands struct {
	*bench
	block driver.Ptr
}

const (
	atA = 256 * iota
	atB
	atC
	atScalar
	atWork
)

func newOperands(t *testing.T) operands {
	t.Helper()
	b := open(t, driver.Config{})
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { return nil }
	return operands{b, b.malloc(4096)}
}

// holds makes n bytes written elements of a type.
func (o operands) holds(at, n int, e driver.Element) {
	o.Helper()
	p := o.block + driver.Ptr(at)
	o.ok(o.dev.Fill(o.dev.null, p, 0, uint64(n)))
	o.dev.SetElement(p, driver.Rows{Width: uint64(n), Count: 1}, e)
}

// call returns a launch whose arrays are in the block and whose other arguments are given. Matrices are 2 x 2.
func (o operands) call(cName string, values map[routine.Slot]int64) *driver.Launch {
	o.Helper()
	all := map[routine.Slot]int64{routine.TransA: routine.OperationNone, routine.TransB: routine.OperationNone,
		routine.M: 2, routine.N: 2, routine.K: 2, routine.LDA: 2, routine.LDB: 2, routine.LDC: 2, routine.IncX: 1,
		routine.IncY: 1, routine.Uplo: routine.FillUpper, routine.Diag: routine.DiagonalNonUnit, routine.BatchCount: 1,
		routine.A: int64(o.block) + atA, routine.B: int64(o.block) + atB, routine.C: int64(o.block) + atC,
		routine.X: int64(o.block) + atB, routine.Y: int64(o.block) + atC, routine.Result: routine.Host}
	for s, v := range values {
		all[s] = v
	}
	return o.launch(cName, all)
}

// reads executes a call and lists the reads of unwritten memory: the argument, and how many of its bytes from where.
func (o operands) reads(l *driver.Launch) []string {
	o.Helper()
	o.ok(o.dev.Execute(o.dev.null, l))
	var list []string
	for _, u := range o.dev.UnwrittenReads() {
		list = append(list, fmt.Sprintf("%s: %d of %d from %d", u.Param, u.Bytes, u.Of, u.Offset))
	}
	return list
}

// TestWhichOperandsAreRead executes calls whose memory nothing has written.
func TestWhichOperandsAreRead(t *testing.T) {
	scalars := func(alpha, beta complex128) func(o operands, l *driver.Launch) {
		return func(_ operands, l *driver.Launch) {
			l.Args.SetScalar(routine.Alpha, alpha)
			l.Args.SetScalar(routine.Beta, beta)
		}
	}
	inMemory := func(slot routine.Slot, value byte) func(o operands, l *driver.Launch) {
		return func(o operands, l *driver.Launch) {
			o.ok(o.dev.Fill(o.dev.null, o.block+atScalar, value, 8))
			l.Args.SetPtr(slot, uint64(o.block)+atScalar)
		}
	}
	const a, b, c = "A: 32 of 32 from 0", "B: 32 of 32 from 256", "C: 32 of 32 from 512"
	for _, test := range []struct {
		name, routine string
		values        map[routine.Slot]int64
		change        func(o operands, l *driver.Launch)
		want          []string
	}{
		{"a product", "rocblas_dgemm", nil, nil, []string{a, b, c}},
		{"beta is zero", "rocblas_dgemm", nil, scalars(1, 0), []string{a, b}},
		{"alpha is zero", "rocblas_dgemm", nil, scalars(0, 2), []string{c}},
		{"alpha in memory is zero", "rocblas_dgemm", nil, inMemory(routine.Alpha, 0), []string{c}},
		{"alpha in memory is not zero", "rocblas_dgemm", nil, inMemory(routine.Alpha, 1), []string{a, b, c}},
		{"beta in memory is zero", "rocblas_dgemm", nil, inMemory(routine.Beta, 0), []string{a, b}},
		{"beta in memory is not zero", "rocblas_dgemm", nil, inMemory(routine.Beta, 1), []string{a, b, c}},
		{"half of A is written", "rocblas_dgemm", nil, func(o operands, _ *driver.Launch) {
			o.holds(atA, 16, driver.ElementD)
		}, []string{"A: 16 of 32 from 16", b, c}},
		{"workspace", "rocblas_dasum", nil, func(o operands, l *driver.Launch) {
			o.holds(atWork, 8, driver.ElementS)
			l.Work = []driver.Work{{Span: driver.Span{Ptr: o.block + atWork, Bytes: 64}}}
		}, []string{"x: 16 of 16 from 256"}},
		{"a triangle", "rocblas_dtrmv", nil, nil, []string{"A: 24 of 24 from 0", "x: 16 of 16 from 256"}},
		{"a diagonal of ones", "rocblas_dtrmv", map[routine.Slot]int64{routine.Diag: routine.DiagonalUnit}, nil,
			[]string{"x: 16 of 16 from 256"}},
		{"a band", "rocblas_dtbmv", map[routine.Slot]int64{routine.K: 1}, nil, []string{"x: 16 of 16 from 256"}},
		{"right-hand sides as long as the solution", "rocsolver_dgels", map[routine.Slot]int64{routine.NRHS: 2}, nil,
			[]string{a, b}},
		{"right-hand sides shorter than the solution", "rocsolver_dgels",
			map[routine.Slot]int64{routine.NRHS: 2, routine.M: 1}, nil, []string{"A: 16 of 16 from 0"}},
		{"right-hand sides longer than the solution", "rocsolver_dgels",
			map[routine.Slot]int64{routine.NRHS: 2, routine.N: 1}, nil, []string{"A: 16 of 16 from 0", b}},
		{"as many reflections as columns", "rocsolver_dorgqr", nil, nil, []string{a}},
		{"fewer reflections than columns", "rocsolver_dorgqr", map[routine.Slot]int64{routine.K: 1}, nil, nil},
		{"reflections", "rocsolver_dormqr", nil, nil, []string{c}},
		{"an output only", "rocblas_dcopy", nil, nil, []string{"x: 16 of 16 from 256"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOperands(t)
			l := o.call(test.routine, test.values)
			if test.change != nil {
				test.change(o, l)
			}
			have := o.reads(l)
			slices.Sort(have)
			if !slices.Equal(have, test.want) {
				t.Errorf("reads %q, want %q", have, test.want)
			}
		})
	}
}

// TestElementsOfAnotherType executes calls with one operand of floats or bytes where they read doubles.
func TestElementsOfAnotherType(t *testing.T) {
	host := func(alpha, beta complex128) func(o operands, l *driver.Launch) {
		return func(_ operands, l *driver.Launch) {
			l.Args.SetScalar(routine.Alpha, alpha)
			l.Args.SetScalar(routine.Beta, beta)
		}
	}
	inMemory := func(slot routine.Slot) func(o operands, l *driver.Launch) {
		return func(o operands, l *driver.Launch) {
			o.holds(atScalar, 8, driver.ElementD)
			l.Args.SetPtr(slot, uint64(o.block)+atScalar)
		}
	}
	for _, test := range []struct {
		name   string
		at     int
		holds  driver.Element
		change func(o operands, l *driver.Launch)
		want   string // the parameter of the error
	}{
		{"the same type", atA, driver.ElementD, host(1, 1), ""},
		{"bytes", atA, driver.AnyElement, host(1, 1), ""},
		{"a factor", atA, driver.ElementS, host(1, 1), "A"},
		{"the end of a factor", atA + 24, driver.ElementS, host(1, 1), "A"},
		{"the other factor", atB, driver.ElementI64, host(1, 1), "B"},
		{"a factor times zero", atA, driver.ElementS, host(0, 1), ""},
		{"a factor times a number in memory", atA, driver.ElementS, inMemory(routine.Alpha), "A"},
		{"the result", atC, driver.ElementS, host(1, 1), "C"},
		{"the result times zero", atC, driver.ElementS, host(1, 0), ""},
		{"the result times a number in memory", atC, driver.ElementS, inMemory(routine.Beta), ""},
		{"a scalar", atScalar, driver.ElementS, func(o operands, l *driver.Launch) {
			l.Args.SetPtr(routine.Alpha, uint64(o.block)+atScalar)
		}, "alpha"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOperands(t)
			for _, at := range []int{atA, atB, atC} {
				o.holds(at, 32, driver.ElementD)
			}
			l := o.call("rocblas_dgemm", nil)
			test.change(o, l)
			o.holds(test.at, 8, test.holds)
			err := o.dev.Execute(o.dev.null, l)
			var mismatch *driver.MismatchError
			if !errors.As(err, &mismatch) {
				mismatch = &driver.MismatchError{}
				o.ok(err)
			}
			if mismatch.Param != test.want {
				t.Errorf("error %v, want one about %q", err, test.want)
			}
			if test.want != "" && (mismatch.Holds != test.holds || mismatch.Read != driver.ElementD ||
				mismatch.Ptr != o.block+driver.Ptr(test.at)) {
				t.Errorf("error %+v", mismatch)
			}
		})
	}
}

// TestArraysOfPointersAreInspected reads pointers that nothing has written, or that are not pointers, and unwritten
// memory behind pointers.
func TestArraysOfPointersAreInspected(t *testing.T) {
	for _, test := range []struct {
		name, routine string
		array         driver.Element // of the array of pointers to A; AnyElement if it is unwritten
		alpha         byte           // in device memory, unless it is 1
		want          []string
		mismatch      bool
	}{
		{"all pointers are written", "rocblas_dgemm_batched", driver.ElementPtr, 1,
			[]string{"A: 16 of 16 from 1024", "C: 32 of 32 from 1280"}, false},
		{"times zero in memory", "rocblas_dgemm_batched", driver.ElementPtr, 0,
			[]string{"C: 32 of 32 from 1280"}, false},
		{"numbers", "rocblas_dgemm_batched", driver.ElementD, 1, nil, true},
		{"pointers to A are unwritten", "rocblas_dgemm_batched", driver.AnyElement, 1,
			[]string{"A: 8 of 8 from 0"}, false},
		{"pointers to a band are unwritten", "rocblas_dtbmv_batched", driver.AnyElement, 1,
			[]string{"A: 8 of 8 from 0"}, false},
		{"a band behind pointers", "rocblas_dtbmv_batched", driver.ElementPtr, 1,
			[]string{"x: 16 of 16 from 1280"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOperands(t)
			pointer := func(at, to int) {
				data := binary.NativeEndian.AppendUint64(nil, uint64(o.block)+uint64(to))
				o.write(o.block+driver.Ptr(at), data)
			}
			b := 1024 + 256
			if test.routine == "rocblas_dgemm_batched" {
				o.holds(1536, 32, driver.ElementD)
				b = 1536
			}
			pointer(atB, b)
			pointer(atC, 1024+256)
			if test.array != driver.AnyElement {
				pointer(atA, 1024)
				o.dev.SetElement(o.block+atA, driver.Rows{Width: 8, Count: 1}, test.array)
			}
			l := o.call(test.routine, map[routine.Slot]int64{routine.K: 1})
			if test.alpha != 1 {
				o.ok(o.dev.Fill(o.dev.null, o.block+atScalar, test.alpha, 8))
				l.Args.SetPtr(routine.Alpha, uint64(o.block)+atScalar)
			}
			err := o.dev.Execute(o.dev.null, l)
			var mismatch *driver.MismatchError
			if errors.As(err, &mismatch) != test.mismatch {
				t.Fatalf("error %v, want a mismatch: %v", err, test.mismatch)
			}
			var have []string
			for _, u := range o.dev.UnwrittenReads() {
				have = append(have, fmt.Sprintf("%s: %d of %d from %d", u.Param, u.Bytes, u.Of, u.Offset))
			}
			if !slices.Equal(have, test.want) {
				t.Errorf("reads %q, want %q", have, test.want)
			}
		})
	}
}

// TestReadsAreReportedOnce repeats a call, and a call that reads more.
func TestReadsAreReportedOnce(t *testing.T) {
	o := newOperands(t)
	for i, want := range [][]string{{"x: 16 of 16 from 256"}, nil, {"x: 8 of 24 from 272"}} {
		n := []int64{2, 2, 3}[i]
		if have := o.reads(o.call("rocblas_dasum", map[routine.Slot]int64{routine.N: n})); !slices.Equal(have, want) {
			t.Errorf("call %d reads %q, want %q", i, have, want)
		}
	}
}

// TestReportsWaitForScalarsInMemory queues a kernel that does not end, behind it two whose reads depend on a scalar in
// device memory. Only the report of these waits.
func TestReportsWaitForScalarsInMemory(t *testing.T) {
	o := newOperands(t)
	o.ok(o.dev.Fill(o.dev.null, o.block+atScalar, 1, 8))
	o.ok(o.dev.Synchronize())
	gate := make(chan struct{})
	o.replaceKernels(func(*driver.Launch, kernel.Memory) error { <-gate; return nil })
	o.ok(o.dev.Execute(o.dev.null, o.call("rocblas_dasum", nil)))
	report := func() <-chan int {
		done := make(chan int, 1)
		go func() { done <- len(o.dev.UnwrittenReads()) }()
		return done
	}
	select {
	case n := <-report():
		if n != 1 {
			t.Errorf("%d reads, want 1", n)
		}
	case <-time.After(time.Minute):
		t.Error("the report waits for a kernel on which it does not depend")
	}
	l := o.call("rocblas_dsymv", nil)
	l.Args.SetPtr(routine.Alpha, uint64(o.block)+atScalar)
	o.ok(o.dev.Execute(o.dev.null, l))
	o.ok(o.dev.Execute(o.dev.null, l))
	done := report()
	for range 2 {
		gate <- struct{}{}
		time.Sleep(10 * time.Millisecond)
	}
	select {
	case <-done:
		t.Error("the report does not wait for the last kernel")
	default:
	}
	close(gate)
	if n := <-done; n != 3 {
		t.Errorf("%d reads, want 3: of A by both, of y by the first", n)
	}
}

// TestOnlyUsedWorkspaceTakesMemory executes calls with one large workspace: kernels find the pattern of unwritten
// memory where no earlier kernel wrote. A workspace that no kernel uses takes no memory.
func TestOnlyUsedWorkspaceTakesMemory(t *testing.T) {
	const size = 64 << 20
	o := newOperands(t)
	o.holds(atB, 64, driver.ElementD)
	p, before := o.malloc(size), memory.Committed()
	l := o.call("rocblas_dasum", nil)
	l.Work = []driver.Work{{Span: driver.Span{Ptr: p, Bytes: size}}}
	o.ok(o.dev.Execute(o.dev.null, l))
	o.ok(o.dev.Synchronize())
	if memory.Committed()-before >= size {
		t.Error("a workspace that no kernel uses has memory")
	}
	pattern := binary.NativeEndian.AppendUint64(nil, memory.Poison)
	pattern = append(pattern, pattern...)
	changed := slices.Concat(pattern[1:3], []byte{1}, pattern[4:10])
	for _, test := range []struct {
		at, n int // bytes that a kernel uses, which then writes 1 to the first one
		want  []byte
	}{
		{1003, 4, pattern[3:7]},
		{1001, 9, changed},
		{1008, 8, pattern[:8]},
		{1004, 4, pattern[4:8]},
		{size - 1, 1, pattern[7:8]},
		{0, 3, pattern[:3]},
	} {
		var have []byte
		o.rt.execute = func(_ *driver.Launch, m kernel.Memory) error {
			data, err := m.Bytes(uint64(p)+uint64(test.at), int64(test.n))
			have = slices.Clone(data)
			data[0] = 1
			return err
		}
		o.ok(o.dev.Execute(o.dev.null, l))
		o.ok(o.dev.Synchronize())
		if !slices.Equal(have, test.want) {
			t.Errorf("%d bytes at %d are %x, want %x", test.n, test.at, have, test.want)
		}
	}
}
