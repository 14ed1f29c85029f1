package kernel_test

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

// all makes tests run every variant; by default they run a sample.
var all = flag.Bool("all", false, "run every variant, not a sample")

// TestRoutinesComputeWhatTheyAreDefinedToCompute compares random calls with the definitions: one of each routine, or
// twelve with -all.
func TestRoutinesComputeWhatTheyAreDefinedToCompute(t *testing.T) {
	calls := 1
	if *all {
		calls = 12
	}
	for _, rt := range routine.All() {
		if rt.Wide || !kernel.Has(rt) {
			continue
		}
		t.Run(rt.CName(), func(t *testing.T) {
			randomtest.Each(t, calls, randomcall.Largest, func(t *testing.T, r *rand.Rand, length int) {
				degraded := r.IntN(3) == 0
				c := randomcall.New(t, rt, r, length, degraded,
					randomcall.BySizeRules(release.All()[r.IntN(len(release.All()))]))
				if err := kernel.Run(c.Launch, c.Memory); err != nil {
					t.Fatal(err)
				}
				c.Memory.CheckGuards(t)
				for b := range c.Args.Batch() {
					if err := c.Verify(b); err != nil {
						t.Fatalf("problem %d of %d: %v", b+1, c.Args.Batch(), err)
					}
				}
			})
		})
	}
}

// notProducts are families whose definition does not say which elements of the result are numbers.
var notProducts = []routine.FamilyID{routine.Trsv, routine.Tpsv, routine.Tbsv, routine.Trsm, routine.Trtri,
	routine.Iamax, routine.Iamin, routine.Rotg, routine.Rotmg}

// TestNotANumberPropagates puts a NaN or an infinity into a factor: an element of the result is a number exactly if
// it is one by the definition. An operand that is not read because a scalar is zero has no effect. It
// tries three calls to each routine, one with -short, or twelve with -all.
func TestNotANumberPropagates(t *testing.T) {
	calls, seed := 3, randomtest.Seed(t)
	if *all {
		calls = 12
	} else if testing.Short() {
		calls = 1
	}
	for _, rt := range routine.All() {
		f := rt.Family
		if rt.Wide || !kernel.Has(rt) || f.Level == routine.SolverLevel || f.Mixed() ||
			slices.Contains(notProducts, f.ID) {
			continue
		}
		for i := range calls {
			c := randomcall.New(t, rt, rand.New(rand.NewPCG(seed, uint64(i))), randomcall.Largest, false,
				randomcall.BySizeRules(release.Default()))
			slots := []routine.Slot{routine.A, routine.B, routine.C, routine.X, routine.Y}
			slots = slices.DeleteFunc(slots, func(s routine.Slot) bool {
				return c.Param(s) == nil || c.Param(s).Access == routine.Out || len(c.Arrays[s].Data()) == 0
			})
			p := c.Param(slots[c.Rand.IntN(len(slots))])
			bad := []complex128{complex(math.NaN(), 0), complex(math.Inf(1), 0)}[c.Rand.IntN(2)]
			c.Put(p, 0, 0, bad)
			c.Before[p.Slot] = bytes.Clone(c.Arrays[p.Slot].Data())
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Fatal(err)
			}
			if err := c.Verify(0); err != nil {
				t.Errorf("call %d of %s with %v in %s, alpha %v, beta %v: %v", i, rt.CName(), bad,
					p.Name,
					c.Args.Scalar(routine.Alpha), c.Args.Scalar(routine.Beta), err)
			}
		}
	}
}
