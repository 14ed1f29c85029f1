package cpu

import (
	"bytes"
	"math"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestTheHostPerformsBriefOperations queues brief operations in a stream that has nothing to do: they are done, and the
// stream has no goroutine. A larger copy and later work are performed by the stream, in order, and brief ones by the
// host again once it has waited.
func TestTheHostPerformsBriefOperations(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(2 * briefCopy)
	s := b.stream(true).(*stream)
	fill := func(n uint64, value byte) { b.ok(b.dev.Fill(s, p, value, n)) }
	x := b.launch("rocblas_dscal", map[routine.Slot]int64{routine.N: 1, routine.X: int64(p), routine.IncX: 1})
	fill(briefCopy, 1)
	b.ok(b.dev.Execute(s, x))
	b.ok(b.event().Record(s))
	if !s.Last().Done() || s.Queued() != 0 {
		t.Error("the operations are left to the goroutine of the stream")
	}
	for value := range byte(3) {
		fill(2*briefCopy, value)
		fill(1, value+1)
		b.ok(s.Synchronize())
		queued := s.Queued()
		fill(1, value+2)
		b.ok(b.dev.Execute(s, x))
		if !s.Last().Done() || s.Queued() != queued {
			t.Errorf("round %d: operations are queued although the stream has nothing to do", value)
		}
		want := append([]byte{value + 2}, bytes.Repeat([]byte{value}, 2*briefCopy-1)...)
		if have := b.read(p, 2*briefCopy); !bytes.Equal(have, want) {
			t.Errorf("round %d: %d and then %d", value, have[0], have[1])
		}
	}
}

// TestBriefOperationsWait queues brief operations after a kernel that waits: in its stream, and in another stream after
// an event.
func TestBriefOperationsWait(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	b.write(p, make([]byte, 64))
	release := b.hold()
	first, second, event := b.stream(true), b.stream(true).(*stream), b.event()
	b.ok(b.dev.Execute(first, b.asum(p, 1)))
	b.ok(event.Record(first))
	b.ok(second.WaitEvent(event))
	for i, s := range []driver.Stream{first, second} {
		b.ok(b.dev.Fill(s, p+driver.Ptr(8+8*i), 1, 8))
		if s.(*stream).Last().Done() {
			t.Errorf("stream %d does not wait for the kernel", i)
		}
	}
	release()
	b.ok(b.dev.Synchronize())
	if have := b.read(p, 64); have[8] != 1 || have[16] != 1 {
		t.Errorf("the memory is %d", have)
	}
}

// TestAFaultOfABriefKernel is returned by the next wait, and not by the call.
func TestAFaultOfABriefKernel(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	b.rt.execute = func(*driver.Launch, kernel.Memory) error { return driver.ErrorLaunchFailure }
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 1)))
	if !b.dev.null.Last().Done() {
		t.Error("the host does not perform the kernel")
	}
	b.code(b.dev.Synchronize(), driver.ErrorLaunchFailure)
}

// TestWorkOf compares which kernels are brief. Sizes that do not fit into the memory that is named must not be: a
// stride or an increment of 0 repeats the same memory.
func TestWorkOf(t *testing.T) {
	b := open(t, driver.Config{})
	square := func(n int64) map[routine.Slot]int64 {
		return map[routine.Slot]int64{routine.M: n, routine.N: n, routine.K: n}
	}
	for _, test := range []struct {
		name   string
		values map[routine.Slot]int64
		brief  bool
	}{
		{"rocblas_dgemm", square(16), true},
		{"rocblas_dgemm", square(17), false},
		{"rocblas_dgemm", map[routine.Slot]int64{routine.M: 1, routine.N: 1, routine.K: math.MaxInt32}, false},
		{"rocblas_dgemv", square(64), true},
		{"rocblas_dgemv", square(65), false},
		{"rocblas_dgbmv", map[routine.Slot]int64{routine.M: 1, routine.N: 1, routine.KU: 65}, false},
		{"rocblas_dscal", map[routine.Slot]int64{routine.N: briefWork}, true},
		{"rocblas_dscal", map[routine.Slot]int64{routine.N: briefWork + 1}, false},
		{"rocblas_dscal_64", map[routine.Slot]int64{routine.N: math.MaxInt64}, false},
		{"rocblas_dscal_strided_batched", map[routine.Slot]int64{routine.N: 64, routine.BatchCount: 64}, true},
		{"rocblas_dscal_strided_batched", map[routine.Slot]int64{routine.N: 64, routine.BatchCount: 65}, false},
		{"rocblas_dgemm_strided_batched_64",
			map[routine.Slot]int64{routine.N: 1, routine.BatchCount: math.MaxInt64}, false},
		{"rocsolver_dsyevj", map[routine.Slot]int64{routine.N: 1}, false},
	} {
		if work := workOf(b.launch(test.name, test.values).Args); work < 1 || work <= briefWork != test.brief {
			t.Errorf("%s %v: %d multiplications", test.name, test.values, work)
		}
	}
}
