package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

func TestStreamsRunConcurrently(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	p, q := b.malloc(64), b.malloc(64)
	s, other := b.stream(true), b.stream(true)
	e, err := b.dev.NewEvent()
	b.ok(err)
	b.ok(b.dev.Execute(s, b.asum(p, 8)))
	b.ok(e.Record(s))
	b.code(s.Query(), driver.ErrorNotReady)
	b.code(e.Query(), driver.ErrorNotReady)
	_, err = e.Since(e)
	b.code(err, driver.ErrorNotReady)
	b.ok(b.dev.Fill(other, q, 1, 64))
	b.ok(other.Synchronize())
	b.code(s.Query(), driver.ErrorNotReady)
	release()
	b.ok(s.Synchronize())
	b.ok(s.Query())
	b.ok(e.Query())
}

func TestTheLaterOfAHazardWaits(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	a, x, y := b.malloc(512), b.malloc(64), b.malloc(64)
	s, other := b.stream(true), b.stream(true)
	b.ok(b.dev.Execute(s, b.trsv(a, x, 8)))
	b.ok(b.dev.Copy(other, y, x, driver.Row(64)))
	time.Sleep(20 * time.Millisecond)
	b.code(other.Query(), driver.ErrorNotReady)
	release()
	b.ok(other.Synchronize())
	b.ok(s.Query())
	if h := b.dev.Hazards(); len(h) != 1 || h[0].Ptr != x || h[0].Bytes != 64 || !h[0].Earlier.Write ||
		h[0].Later.Write {
		t.Errorf("hazards %+v", h)
	}
}

func TestBlocksOfOneMatrixInTwoStreams(t *testing.T) {
	b := open(t, driver.Config{})
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { return nil }
	const ld = 64
	a, x, c := b.malloc(ld*ld*8), b.malloc(ld*ld*8), b.malloc(ld*ld*8)
	gemm := func(row, col, m, n int64) *driver.Launch {
		return b.launch("rocblas_dgemm", map[routine.Slot]int64{routine.TransA: routine.OperationNone,
			routine.TransB: routine.OperationNone,
			routine.M:      m, routine.N: n, routine.K: 8, routine.A: int64(a), routine.LDA: ld,
			routine.B: int64(x), routine.LDB: ld,
			routine.C: int64(c) + 8*(col*ld+row), routine.LDC: ld})
	}
	for _, test := range []struct {
		name string
		l    *driver.Launch
		want int
	}{
		{"row block", gemm(0, 0, 32, 64), 0},
		{"row block below", gemm(32, 0, 32, 32), 0},
		{"block next to that", gemm(32, 32, 32, 32), 0},
		{"one row more than free", gemm(31, 0, 1, 1), 1},
	} {
		b.ok(b.dev.Execute(b.stream(true), test.l))
		if have := b.dev.Hazards(); len(have) != test.want {
			t.Errorf("%s: %d hazards, want %d: %+v", test.name, len(have), test.want, have)
		}
	}
}

func TestAPanicOfAKernelIsAFault(t *testing.T) {
	b := open(t, driver.Config{})
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { var none []int; none[3]++; return nil }
	p := b.malloc(64)
	s := b.stream(true)
	b.ok(b.dev.Execute(s, b.asum(p, 8)))
	err := s.Synchronize()
	b.code(err, driver.ErrorLaunchFailure)
	for _, words := range []string{"panicked", "index out of range [3]", "call at 0"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("fault %q does not contain %q", err, words)
		}
	}
	b.code(b.dev.Synchronize(), driver.ErrorLaunchFailure)
	b.code(b.dev.Execute(s, b.asum(p, 8)), driver.ErrorLaunchFailure)
	b.ok(b.dev.Free(p))
}

func TestAFaultIsLearntByWaitingForItsStreamOnly(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	s, other := b.stream(true), b.stream(true)
	b.ok(b.dev.Execute(s, b.asum(p, 9)))
	for !s.(*stream).Last().Done() {
		time.Sleep(time.Millisecond)
	}
	b.ok(other.Synchronize())
	err := s.Synchronize()
	b.code(err, driver.ErrorIllegalAddress)
	b.code(other.Synchronize(), driver.ErrorIllegalAddress)
	var f *driver.Fault
	if !errors.As(err, &f) || !strings.Contains(f.Detail, "72 bytes for x") || !strings.Contains(f.Detail, "64 bytes") {
		t.Errorf("fault %v", err)
	}
}

func TestTheFirstOfTwoFaultsIsReported(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	for i, n := range []int64{100, 200} {
		b.at = i
		b.ok(b.dev.Execute(b.stream(true), b.asum(p, n)))
	}
	if err := b.dev.Synchronize(); err == nil || !strings.Contains(err.Error(), "800 bytes") {
		t.Errorf("fault %v", err)
	}
}

func TestAKernelHasNoMemoryButItsArguments(t *testing.T) {
	b := open(t, driver.Config{})
	block := b.malloc(4096)
	l := b.asum(block+512, 8)
	l.Work = []driver.Work{
		{Span: driver.Span{Ptr: block + 1024, Bytes: 64}}, {Span: driver.Span{Ptr: block + 1088, Bytes: 64}}, {},
		{Span: driver.Span{Ptr: block + 3080, Bytes: 8}}, {Span: driver.Span{Ptr: block + 3072, Bytes: 64}}}
	l.Result = block + 2048
	tests := []struct {
		name string
		at   driver.Ptr
		n    int64
		ok   bool
	}{
		{"its vector", 512, 64, true},
		{"a part of its vector", 520, 8, true},
		{"one byte more", 512, 65, false},
		{"before the vector", 511, 2, false},
		{"its workspace", 1024, 64, true},
		{"over the end of the first workspace into the second", 1024, 65, false},
		{"the second workspace", 1088, 64, true},
		{"a workspace that contains another one", 3072, 64, true},
		{"more than a workspace that contains another one", 3072, 65, false},
		{"its result", 2048, 8, true},
		{"more than its result", 2048, 9, false},
		{"nothing", 4000, 0, true},
		{"a negative size", 512, -1, false},
		{"null", -block, 8, false},
	}
	errs := make([]error, len(tests))
	b.rt.execute = func(_ *driver.Launch, v kernel.Memory) error {
		for i, test := range tests {
			data, err := v.Bytes(uint64(block+test.at), test.n)
			if err == nil && (len(data) != int(test.n) || cap(data) != len(data)) {
				err = fmt.Errorf("%d bytes with room for %d", len(data), cap(data))
			}
			errs[i] = err
		}
		return nil
	}
	b.ok(b.dev.Execute(b.dev.null, l))
	b.ok(b.dev.Synchronize())
	for i, test := range tests {
		if test.ok && errs[i] != nil {
			t.Errorf("%s: %v", test.name, errs[i])
		}
		if !test.ok {
			b.code(errs[i], driver.ErrorIllegalAddress)
		}
	}
}

func TestArraysOfPointers(t *testing.T) {
	const n, order = 5, 4
	tests := []struct {
		name  string
		spoil func(b *bench, pointers []driver.Ptr)
		want  driver.Error
	}{
		{"every matrix in its own block", func(*bench, []driver.Ptr) {}, driver.Success},
		{"all in one block", func(b *bench, p []driver.Ptr) {
			base := b.malloc(n * 128)
			for i := range p {
				p[i] = base + driver.Ptr(i*128)
			}
		}, driver.Success},
		{"null among them", func(_ *bench, p []driver.Ptr) { p[2] = 0 }, driver.ErrorIllegalAddress},
		{"the last one freed", func(b *bench, p []driver.Ptr) { b.ok(b.dev.Free(p[n-1])) }, driver.ErrorIllegalAddress},
		{"one too near the end of its block", func(_ *bench, p []driver.Ptr) { p[1] += 8 }, driver.ErrorIllegalAddress},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, driver.Config{})
			ran := false
			b.rt.execute = func(_ *driver.Launch, v kernel.Memory) error { ran = true; return nil }
			pointers := make([]driver.Ptr, n)
			for i := range pointers {
				pointers[i] = b.malloc(order * order * 8)
			}
			test.spoil(b, pointers)
			array, ipiv, info := b.malloc(8*n), b.malloc(4*n*order), b.malloc(4*n)
			var data []byte
			for _, p := range pointers {
				data = binary.NativeEndian.AppendUint64(data, uint64(p))
			}
			s := b.stream(true)
			b.ok(b.dev.Write(s, array, data, driver.Row(uint64(len(data))))) // not finished when the kernel is queued
			b.ok(b.dev.Execute(s, b.launch("rocsolver_dgetrf_batched", map[routine.Slot]int64{routine.M: order,
				routine.N: order, routine.LDA: order,
				routine.A: int64(array), routine.Ipiv: int64(ipiv), routine.StrideP: order, routine.Info: int64(info),
				routine.BatchCount: n})))
			b.code(s.Synchronize(), test.want)
			if ran != (test.want == driver.Success) {
				t.Errorf("the kernel ran: %v", ran)
			}
			if h := b.dev.Hazards(); len(h) != 0 {
				t.Errorf("hazards %+v", h)
			}
		})
	}
}

func TestALaunchIsTakenWhenItIsQueued(t *testing.T) {
	b := open(t, driver.Config{})
	gate := make(chan struct{})
	var x uint64
	b.replaceKernels(func(l *driver.Launch, _ kernel.Memory) error { <-gate; x = l.Args.Ptr(routine.X); return nil })
	p := b.malloc(64)
	l := b.asum(p, 8)
	b.ok(b.dev.Execute(b.dev.null, l))
	l.Args.SetPtr(routine.X, 1)
	close(gate)
	b.ok(b.dev.Synchronize())
	if x != uint64(p) {
		t.Errorf("the kernel saw x = %#x, want %#x", x, p)
	}
}

// TestCallsAreReused queues calls while others wait, twice, because later calls reuse the memory of earlier ones. Each
// sees its own arguments.
func TestCallsAreReused(t *testing.T) {
	b := open(t, driver.Config{})
	const n = 3
	for range 2 {
		gate := make(chan struct{})
		var seen []uint64
		b.replaceKernels(func(l *driver.Launch, _ kernel.Memory) error {
			<-gate
			seen = append(seen, l.Args.Ptr(routine.X))
			return nil
		})
		p := b.malloc(64 * n)
		for i := range n {
			b.ok(b.dev.Execute(b.dev.null, b.asum(p+driver.Ptr(64*i), 8)))
		}
		close(gate)
		b.ok(b.dev.Synchronize())
		for i, x := range seen {
			if want := uint64(p) + uint64(64*i); x != want {
				t.Errorf("kernel %d saw x = %#x, want %#x", i, x, want)
			}
		}
		if len(seen) != n {
			t.Errorf("%d kernels ran, want %d", len(seen), n)
		}
	}
}

// TestOperationsAfterAFullQueue queues more operations than a stream can hold, and waits for each of its parts.
func TestOperationsAfterAFullQueue(t *testing.T) {
	b := open(t, driver.Config{})
	ran := 0
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { ran++; return nil }
	p := b.malloc(64)
	for part := range 5 {
		for range order.QueueLength/2 + 1 {
			b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
		}
		b.ok(b.dev.null.Synchronize())
		if want := (part + 1) * (order.QueueLength/2 + 1); ran != want {
			t.Errorf("%d kernels ran, want %d", ran, want)
		}
	}
	for range 3 * order.QueueLength {
		b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	}
	b.ok(b.dev.Synchronize())
	if want := 5*(order.QueueLength/2+1) + 3*order.QueueLength; ran != want {
		t.Errorf("%d kernels ran, want %d", ran, want)
	}
}
