package cpu

import (
	"testing"

	"roclua/hip/driver"
)

// TestIdleThreadKeepsNoMemory makes many calls in one thread while another one, which could still use the same memory,
// makes none.
func TestIdleThreadKeepsNoMemory(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(1 << 20)
	first := b.rt.thread
	idle, busy := b.rt.NewThread(func(wait func()) { wait() }), b.rt.NewThread(func(wait func()) { wait() })
	busy.Enter()
	for i := range 5000 {
		s := b.stream(true)
		b.ok(b.dev.Fill(s, p+driver.Ptr(i*64), 1, 64))
		b.ok(s.Synchronize())
		b.ok(s.Destroy())
	}
	b.ok(b.dev.Synchronize())
	block, _ := b.dev.space.At(uint64(p))
	if n := len(block.Users()); n > 1100 {
		t.Errorf("the block keeps %d uses", n)
	}
	if n := len(b.dev.streams.Last()); n > 2 {
		t.Errorf("the device keeps %d streams", n)
	}
	idle.Enter() // its stream has the number of a stream that the other thread has waited for
	b.ok(b.dev.Fill(b.stream(true), p, 3, 1<<20))
	busy.Enter()
	b.dev.Hazards()
	b.ok(b.dev.Fill(b.stream(true), p, 4, 64))
	if list := b.dev.Hazards(); len(list) != 1 {
		t.Errorf("%d hazards between uses of two threads, want 1", len(list))
	}
	b.ok(b.dev.Synchronize())
	busy.Close()
	idle.Close()
	first.Enter()
	b.ok(b.dev.Fill(b.dev.null, p, 2, 1<<20))
	b.ok(b.dev.Synchronize())
	if list := b.dev.Hazards(); len(list) != 0 {
		t.Errorf("hazards after the end of the threads: %v", list)
	}
}
