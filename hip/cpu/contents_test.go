package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/driver"
)

// TestContents compares the stretches of a block with a table of bytes, under random changes.
func TestContents(t *testing.T) {
	const size = 60
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		var c contents
		var model [size]*stretch
		for range 40 {
			low := r.Uint64N(size)
			s := stretch{low: low, high: low + 1 + r.Uint64N(size-low), element: driver.Element(r.IntN(3)),
				state: state(r.IntN(2))}
			c.set(s)
			for p := s.low; p < s.high; p++ {
				model[p] = &s
			}
			checkContents(t, c, model[:])
		}
		low := r.Uint64N(size)
		high := low + 1 + r.Uint64N(size-low)
		var list contents = c.copyOf(low, high, 1000)
		for p := low; p < high; p++ {
			want := model[p]
			if want != nil && want.state != written {
				want = nil
			}
			list.each(p-low+1000, p-low+1001, func(_, _ uint64, s *stretch) bool {
				if (s == nil) != (want == nil) || s != nil && s.element != want.element {
					t.Errorf("seed %d: byte %d of a copy is %v, want %v", seed, p-low, s, want)
				}
				return true
			})
		}
	}
	if t.Failed() {
		t.Logf("seed %d", seed)
	}
}

func checkContents(t *testing.T, c contents, model []*stretch) {
	t.Helper()
	if !slices.IsSortedFunc(c, func(a, b stretch) int {
		if a.high <= b.low {
			return -1
		}
		return 1
	}) {
		t.Fatalf("stretches overlap: %v", c)
	}
	next := uint64(0)
	c.each(0, uint64(len(model)), func(low, high uint64, s *stretch) bool {
		if low != next || high <= low {
			t.Fatalf("a part begins at %d, want %d", low, next)
		}
		for p := low; p < high; p++ {
			want := model[p]
			if (s == nil) != (want == nil) || s != nil && !s.same(want) {
				t.Fatalf("byte %d is %v, want %v", p, s, want)
			}
		}
		next = high
		return true
	})
	if next != uint64(len(model)) {
		t.Fatalf("the parts end at %d", next)
	}
}

// TestContentsStayShort checks that a block with many small pieces keeps a bounded list, and reports nothing wrong.
func TestContentsStayShort(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(1 << 20)
	for i := range 3 * stretchLimit {
		b.ok(b.dev.Fill(b.dev.null, p+driver.Ptr(2*16*i), 1, 16))
		b.ok(b.dev.null.Synchronize()) // keeps the history of uses short
	}
	block, _ := b.rt.at(uint64(p))
	if n := len(block.contents); n > stretchLimit {
		t.Errorf("%d stretches", n)
	}
	b.read(p, 16)
	b.read(p+2*16*(3*stretchLimit-1), 16)
	if list := b.dev.UnwrittenReads(); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

// BenchmarkChecks measures what the checks of memory cost for each small operation.
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
				if err := dev.Write(dev.null, at, data); err != nil {
					b.Fatal(err)
				}
				if err := dev.Read(dev.null, data, at); err != nil {
					b.Fatal(err)
				}
				if err := dev.null.Synchronize(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
