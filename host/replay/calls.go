package replay

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"roclua/hip/function"
	"roclua/host/recording"
)

// inEffect returns calls in the order in which they take effect: an allocation does at its end, because the address
// that it returns can be free only since the release by another thread. All other calls do at their start.
func inEffect(calls iter.Seq[*recording.Call]) iter.Seq[*recording.Call] {
	return func(yield func(*recording.Call) bool) {
		var open []*recording.Call // allocations, by their ends
		until := func(now time.Duration) bool {
			n := 0
			for n < len(open) && open[n].End <= now {
				n++
			}
			ended := open[:n]
			open = open[n:]
			return !slices.ContainsFunc(ended, func(c *recording.Call) bool { return !yield(c) })
		}
		for c := range calls {
			if !until(c.Start) {
				return
			}
			if device, _ := allocates(c.Name); device {
				at, _ := slices.BinarySearchFunc(open, c, func(a, b *recording.Call) int {
					return cmp.Or(cmp.Compare(a.End, b.End), -1)
				})
				open = slices.Insert(open, at, c)
			} else if !yield(c) {
				return
			}
		}
		until(math.MaxInt64)
	}
}

// runtimeOf returns the HIP calls that were made inside a call.
func runtimeOf(c *recording.Call) iter.Seq[*recording.Call] {
	return func(yield func(*recording.Call) bool) { eachRuntime(c, yield) }
}

func eachRuntime(c *recording.Call, yield func(*recording.Call) bool) bool {
	for _, inner := range c.Inside {
		if isRuntime(inner.Name) && !yield(inner) || !eachRuntime(inner, yield) {
			return false
		}
	}
	return true
}

// createsHandle reports whether a call created a handle, or one inside it did.
func createsHandle(c *recording.Call) bool {
	return c.Name == "rocblas_create_handle" && c.Status == 0 || slices.ContainsFunc(c.Inside, createsHandle)
}

// isRuntime reports whether a function is one of HIP, and not of a library above rocBLAS.
func isRuntime(name string) bool {
	return len(name) > 3 && name[:3] == "hip" && name[3] >= 'A' && name[3] <= 'Z'
}

// created returns the number of the object that a call creates.
func created(c *recording.Call) int {
	if len(c.Results) == 0 {
		return 0
	}
	return int(c.Results[0])
}

// argument returns the first argument of a kind.
func argument(c *recording.Call, letter function.Kind) int64 {
	for i := range c.Args {
		if c.Args[i].Letter == letter {
			return c.Args[i].Int
		}
	}
	return 0
}

// arg returns an argument by its number; the zero value for one that a damaged recording does not have.
func arg(c *recording.Call, i int) *recording.Value {
	if i >= len(c.Args) {
		return &recording.Value{}
	}
	return &c.Args[i]
}
