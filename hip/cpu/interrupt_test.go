package cpu

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// TestTheHostLeavesAKernelThatTakesTooLong ends the host's context while a kernel runs: every wait ends, work that is
// queued after it does not start, and the kernel keeps its memory until it is done.
func TestTheHostLeavesAKernelThatTakesTooLong(t *testing.T) {
	b, before := open(t, driver.Config{}), memory.Committed()
	gate := make(chan struct{})
	var ran atomic.Int32
	p := b.malloc(memory.MapAbove)
	b.replaceKernels(func(_ *driver.Launch, v kernel.Memory) error {
		<-gate
		ran.Add(1)
		data, err := v.Bytes(uint64(p), 64)
		if err == nil {
			data[0] = 1 // would end the program if the memory were unmapped
		}
		return err
	})
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	b.rt.SetContext(ctx)
	b.code(b.dev.Synchronize(), driver.ErrorLaunchTimeOut)
	b.rt.SetContext(t.Context()) // a longer context does not help
	_, err := b.dev.Malloc(64)
	b.code(err, driver.ErrorLaunchTimeOut)
	b.code(b.dev.Execute(b.dev.null, b.asum(p, 8)), driver.ErrorLaunchTimeOut)
	b.code(b.dev.Free(p), driver.ErrorLaunchTimeOut)
	b.code(b.dev.null.Synchronize(), driver.ErrorLaunchTimeOut)
	b.code(b.rt.Close(), driver.ErrorLaunchTimeOut)
	close(gate)
	<-b.rt.host.Finished(func() {})
	if n := ran.Load(); n != 1 {
		t.Errorf("%d kernels ran, want only the first", n)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if memory.Committed() == before {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the memory was not released")
		}
	}
}

// TestAFullQueueIsNotWaitedForWithoutEnd queues more operations than a stream can hold after a kernel that does not
// end.
func TestAFullQueueIsNotWaitedForWithoutEnd(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	defer release()
	p := b.malloc(64)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	b.rt.SetContext(ctx)
	var err error
	for i := 0; i < 2*order.QueueLength && err == nil; i++ {
		err = b.dev.Execute(b.dev.null, b.asum(p, 8))
	}
	b.code(err, driver.ErrorLaunchTimeOut)
	b.code(b.rt.Close(), driver.ErrorLaunchTimeOut)
}

// TestMemoryThatTheFullQueueDoesNotFree frees memory in a queue that is full when the time limit of the case ends. The
// memory is released when the kernel has ended.
func TestMemoryThatTheFullQueueDoesNotFree(t *testing.T) {
	b := open(t, driver.Config{})
	before := memory.Committed()
	release := b.hold()
	p, err := b.dev.MallocAsync(b.dev.null, memory.MapAbove)
	b.ok(err)
	b.write(p, make([]byte, 64))
	for range order.QueueLength {
		b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	b.rt.SetContext(ended)
	b.ok(b.dev.FreeAsync(b.dev.null, p))
	b.code(b.rt.Close(), driver.ErrorLaunchTimeOut)
	release()
	for deadline := time.Now().Add(time.Minute); memory.Committed() != before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes were not released", memory.Committed()-before)
		}
	}
}

// TestAnIdleDeviceIsNotGivenUp closes devices without work when the time limit has passed, as the end of a script that
// loops does.
func TestAnIdleDeviceIsNotGivenUp(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		b := open(t, driver.Config{})
		b.rt.execute = func(*driver.Launch, kernel.Memory) error { return nil }
		p := b.malloc(64)
		b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
		b.ok(b.dev.Synchronize())
		b.rt.SetContext(ended)
		b.ok(b.rt.Close())
	}
}

// TestStagedBytes counts the memory of queued copies.
func TestStagedBytes(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	p := b.malloc(64)
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	b.ok(b.dev.Write(b.dev.null, p, make([]byte, 64), driver.Row(uint64(len(make([]byte, 64))))))
	if n := b.rt.StagedBytes(); n != 64 {
		t.Errorf("%d bytes, want 64", n)
	}
	release()
	b.ok(b.dev.Synchronize())
	if n := b.rt.StagedBytes(); n != 0 {
		t.Errorf("%d bytes, want none", n)
	}
}
