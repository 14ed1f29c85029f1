package kernel_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/tests/trial"
)

func TestRoutinesComputeWhatTheyAreDefinedToCompute(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, rt := range routine.All() {
		if rt.Wide {
			continue
		}
		t.Run(rt.CName(), func(t *testing.T) {
			for i := range 12 {
				var library *blas.OpenBLAS // large problems by Go and by OpenBLAS in turn
				if i%2 == 0 {
					library, _ = blas.Open("auto")
				}
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				tr := trial.New(t, rt, r, i%3 == 2, trial.BySizeRules(release.All()[r.IntN(len(release.All()))]))
				if err := kernel.Run(tr.Launch, tr.Memory, library); err != nil {
					t.Fatalf("seed %d, trial %d: %v", seed, i, err)
				}
				tr.Memory.CheckGuards(t)
				for b := range tr.Args.Batch() {
					if err := tr.Verify(b); err != nil {
						t.Fatalf("seed %d, trial %d, problem %d of %d: %v", seed, i, b+1, tr.Args.Batch(), err)
					}
				}
			}
		})
	}
}

// TestNotANumberPropagates puts a NaN or an infinity into a factor: where the definition has none of them, and nowhere
// else, the result has a number. An operand that a zero scalar makes unread passes nothing on.
func TestNotANumberPropagates(t *testing.T) {
	seed := rand.Uint64()
	for _, rt := range routine.All() {
		solves := strings.HasPrefix(rt.Family.Name, "tr") && rt.Family.Name != "trmm" && rt.Family.Name != "trmv"
		if rt.Wide || rt.Family.Level == 4 || rt.Type == routine.Mixed || solves || strings.HasPrefix(rt.Family.Name, "iam") {
			continue
		}
		for i := range 6 {
			tr := trial.New(t, rt, rand.New(rand.NewPCG(seed, uint64(i))), false, trial.BySizeRules(release.Default()))
			slots := []routine.Slot{routine.A, routine.B, routine.C, routine.X, routine.Y}
			slots = slices.DeleteFunc(slots, func(s routine.Slot) bool { return tr.Param(s) == nil || tr.Param(s).Access == routine.Out })
			p := tr.Param(slots[tr.Rand.IntN(len(slots))])
			bad := []complex128{complex(math.NaN(), 0), complex(math.Inf(1), 0)}[tr.Rand.IntN(2)]
			tr.Put(p, 0, 0, bad)
			tr.Before[p.Slot] = bytes.Clone(tr.Arrays[p.Slot].Data())
			if err := kernel.Run(tr.Launch, tr.Memory, nil); err != nil {
				t.Fatal(err)
			}
			if err := tr.Verify(0); err != nil {
				t.Errorf("seed %d, trial %d of %s with %v in %s, alpha %v, beta %v: %v", seed, i, rt.CName(), bad, p.Name,
					tr.Args.Scalar(routine.Alpha), tr.Args.Scalar(routine.Beta), err)
			}
		}
	}
}
