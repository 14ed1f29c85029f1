package memory

import (
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/internal/randomtest"
)

// TestContents compares the stretches of a block with a table of bytes, under random changes.
func TestContents(t *testing.T) {
	const size = 60
	randomtest.Each(t, 300, 40, func(t *testing.T, r *rand.Rand, length int) {
		var c Contents
		var model [size]*Stretch
		for range length {
			low := r.Uint64N(size)
			s := Stretch{Low: low, High: low + 1 + r.Uint64N(size-low), Element: driver.Element(r.IntN(3)),
				State: State(r.IntN(2))}
			c.Set(s)
			for p := s.Low; p < s.High; p++ {
				model[p] = &s
			}
			checkContents(t, c, model[:])
		}
		low := r.Uint64N(size)
		high := low + 1 + r.Uint64N(size-low)
		var list Contents = c.CopyOf(low, high, 1000)
		for p := low; p < high; p++ {
			want := model[p]
			if want != nil && want.State != Written {
				want = nil
			}
			list.Each(p-low+1000, p-low+1001, func(_, _ uint64, s *Stretch) bool {
				if (s == nil) != (want == nil) || s != nil && s.Element != want.Element {
					t.Errorf("byte %d of a copy is %v, want %v", p-low, s, want)
				}
				return true
			})
		}
	})
}

func checkContents(t *testing.T, c Contents, model []*Stretch) {
	t.Helper()
	if !slices.IsSortedFunc(c, func(a, b Stretch) int {
		if a.High <= b.Low {
			return -1
		}
		return 1
	}) {
		t.Fatalf("stretches overlap: %v", c)
	}
	next := uint64(0)
	c.Each(0, uint64(len(model)), func(low, high uint64, s *Stretch) bool {
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
