package tests

import (
	"errors"
	"math/rand/v2"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

// TestCapturedRoutinesOnPlatforms captures random calls to every routine, on every platform of the machine, and
// compares the result of a launch with the definition. On the simulated device, where all routines are captured alike,
// it tries one routine in eight, or with -all every one.
func TestCapturedRoutinesOnPlatforms(t *testing.T) {
	for platform, trials := range map[string]int{"cpu": 1, "nvidia": 6} {
		t.Run(platform, func(t *testing.T) {
			rt := openOn(t, platform)
			s, err := rt.Device().NewStream(true)
			if err != nil {
				t.Fatal(err)
			}
			seed := randomtest.Seed(t)
			for i, r := range routine.All() {
				if platform == "cpu" && (r.Wide || !*all && uint64(i)%8 != seed%8) {
					continue // the simulated device runs the same kernels for both
				}
				if _, reason := hip.Computes(platform, r); reason != "" {
					continue
				}
				t.Run(r.CName(), func(t *testing.T) { tryCaptured(t, rt.Device(), s, platform, r, seed, trials) })
			}
		})
	}
}

func tryCaptured(t *testing.T, dev *hip.Device, s *hip.Stream, platform string, r *routine.Routine, seed uint64,
	trials int) {
	for i := range trials {
		c := randomcall.New(t, r, rand.New(rand.NewPCG(seed, uint64(i))), randomcall.Largest, false,
			buffersOf(t, dev, platform))
		nodes, err := c.RunCapturedOn(dev, s)
		allocations := 0
		for _, n := range nodes {
			if n.Type == driver.NodeMemAlloc {
				allocations++
			}
		}
		t.Logf("%d nodes, %d allocations, %v", len(nodes), allocations, err)
		switch {
		case driver.CodeOf(err) == driver.ErrorNotSupported || errors.Is(err, randomcall.ErrNotCaptured):
			continue
		case err != nil:
			t.Fatalf("call %d: %v", i, err)
		}
		c.Memory.CheckGuards(t)
		for b := range c.Args.Batch() {
			if err := c.Verify(b); err != nil {
				t.Fatalf("call %d, problem %d of %d: %v", i, b+1, c.Args.Batch(), err)
			}
		}
	}
}
