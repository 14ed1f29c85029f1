package sequence

import (
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/routine"
)

// TestDrawnNumbersFit checks that drawn integers fit their C types. Only bare routine calls that do not run inside
// queries have huge sizes.
func TestDrawnNumbersFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	huge := 0
	for _, rt := range routine.All() {
		for i := range 30 {
			form := Form(i % 3)
			c := DrawCall(r, rt, form)
			for slot, n := range c.Ints {
				p, _ := rt.ParamAt(slot)
				if err := rt.CheckRange(p, n); err != nil || n > largestDistance || n < -largestDistance {
					t.Fatalf("%s: %s is %d: %v", rt.CName(), p.Name, n, err)
				}
				if p.Of != 0 || n < math.MaxInt32/2 {
					continue
				}
				if huge++; form != Bare || rt.Family.RunsInQueries {
					t.Fatalf("%s: %s is %d in a call of form %d", rt.CName(), p.Name, n, form)
				}
			}
		}
	}
	if huge < 100 {
		t.Errorf("only %d huge sizes", huge)
	}
}

// TestDrawExecuted checks that only devices without kernels get numbers beyond 32 bits and batches with more problems
// than arrays, and that the numbers fit their C types.
func TestDrawExecuted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide := map[bool]int{} // by whether kernels run
	for _, rt := range routine.All() {
		for i := range 40 {
			runs := i%2 == 0
			c := DrawExecuted(r, rt, !runs)
			for slot, n := range c.Ints {
				p, _ := rt.ParamAt(slot)
				if err := rt.CheckRange(p, n); err != nil || n > largestDistance || n < -largestDistance {
					t.Fatalf("%s: %s is %d: %v", rt.CName(), p.Name, n, err)
				}
			}
			if c.Ints[routine.BatchCount] > batchSize || c.Ints[routine.N] > math.MaxInt32 {
				wide[runs]++
			}
		}
	}
	if wide[false] < 1000 || wide[true] > 0 {
		t.Errorf("%d wide calls without kernels, %d with kernels", wide[false], wide[true])
	}
}
