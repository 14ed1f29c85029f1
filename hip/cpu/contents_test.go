package cpu

import (
	"testing"

	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
)

// TestContentsStayShort checks that a block with many small pieces keeps a bounded list, and reports nothing wrong.
func TestContentsStayShort(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(1 << 20)
	for i := range 3 * memory.StretchLimit {
		b.ok(b.dev.Fill(b.dev.null, p+driver.Ptr(2*16*i), 1, 16))
		b.ok(b.dev.null.Synchronize()) // keeps the history of uses short
	}
	block, _ := b.rt.spaces.At(uint64(p))
	if n := len(block.Contents); n > memory.StretchLimit {
		t.Errorf("%d stretches", n)
	}
	b.read(p, 16)
	b.read(p+2*16*(3*memory.StretchLimit-1), 16)
	if list := b.dev.UnwrittenReads(); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

// BenchmarkChecks measures the cost of memory checks for each small operation.
func BenchmarkChecks(b *testing.B) {
	for name, unchecked := range map[string]bool{"checked": false, "unchecked": true} {
		b.Run(name, func(b *testing.B) {
			rt, err := Driver{}.Open(driver.Config{Unchecked: unchecked})
			if err != nil {
				b.Fatal(err)
			}
			defer rt.Close()
			dev := rt.Devices()[0].(*device)
			p, err := dev.Malloc(1 << 20)
			if err != nil {
				b.Fatal(err)
			}
			data := make([]byte, 4096)
			b.ReportAllocs()
			for i := range b.N {
				at := p + driver.Ptr(4096*(i%256))
				if err := dev.Write(dev.null, at, data, driver.Row(uint64(len(data)))); err != nil {
					b.Fatal(err)
				}
				if err := dev.Read(dev.null, data, at, driver.Row(uint64(len(data)))); err != nil {
					b.Fatal(err)
				}
				if err := dev.null.Synchronize(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
