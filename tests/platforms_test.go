package tests

import (
	"errors"
	"math/rand/v2"
	"testing"

	"roclua/hip"
	_ "roclua/hip/amd"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/drivertest"
	_ "roclua/hip/nvidia"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

// openOn opens a platform. It skips the test if the machine lacks it.
func openOn(t *testing.T, platform string) *hip.Runtime {
	t.Helper()
	rt, err := hip.Open(platform, driver.Config{MemoryBytes: 0})
	if errors.Is(err, driver.ErrorNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return rt
}

// TestNVIDIA and TestAMD run the platform tests on real devices.
func TestNVIDIA(t *testing.T) { drivertest.Run(t, "nvidia", driver.Config{}) }
func TestAMD(t *testing.T)    { drivertest.Run(t, "amd", driver.Config{}) }

// buffersOf returns the buffers needed by a platform's calls, from its libraries or from the size rules.
func buffersOf(t *testing.T, dev *hip.Device, platform string) randomcall.Buffers {
	if platform == "cpu" {
		return randomcall.BySizeRules(release.Default())
	}
	return func(a *routine.Args, degraded bool) ([]driver.Buffer, bool) {
		needs, err := dev.Needs(a)
		if err != nil {
			t.Skip(err)
		}
		if degraded && needs.Optional {
			return nil, true
		}
		return needs.Buffers, false
	}
}

// TestRoutinesOnPlatforms compares random calls to every routine, on every platform of the machine, with the
// definition. On the simulated device it tries a call of one routine in eight, or with -all twelve of each; the kernel
// tests try more.
func TestRoutinesOnPlatforms(t *testing.T) {
	onCPU := 1
	if *all {
		onCPU = 12
	}
	for platform, trials := range map[string]int{"cpu": onCPU, "nvidia": 12} {
		t.Run(platform, func(t *testing.T) {
			rt := openOn(t, platform)
			seed := randomtest.Seed(t)
			for i, r := range routine.All() {
				if r.Wide && platform == "cpu" {
					continue // the simulated device runs the same kernels
				}
				if platform == "cpu" && !*all && uint64(i)%8 != seed%8 {
					continue
				}
				if _, reason := hip.Computes(platform, r); reason != "" {
					continue
				}
				t.Run(r.CName(), func(t *testing.T) { tryRoutine(t, rt.Device(), platform, r, seed, trials) })
			}
		})
	}
}

func tryRoutine(t *testing.T, dev *hip.Device, platform string, r *routine.Routine, seed uint64, trials int) {
	unsupported := 0
	for i := range trials {
		c := randomcall.New(t, r, rand.New(rand.NewPCG(seed, uint64(i))), randomcall.Largest, i%3 == 2,
			buffersOf(t, dev, platform))
		if err := runAndVerify(t, dev, c, i); err != nil {
			if unsupported++; unsupported == trials {
				t.Skip(err)
			}
			t.Log(err)
		}
	}
}

// runAndVerify runs call i and compares the results with the definition. It returns an error if the library does not
// support the arguments.
func runAndVerify(t *testing.T, dev *hip.Device, c *randomcall.Call, i int) error {
	err := c.RunOn(dev, dev.NullStream())
	if driver.CodeOf(err) == driver.ErrorNotSupported {
		return err
	}
	if err != nil {
		t.Fatalf("call %d: %v", i, err)
	}
	c.Memory.CheckGuards(t)
	for b := range c.Args.Batch() {
		if err := c.Verify(b); err != nil {
			t.Fatalf("call %d, problem %d of %d: %v", i, b+1, c.Args.Batch(), err)
		}
	}
	return nil
}

// TestZeroSolutionsOnPlatforms solves with an alpha of 0, which leaves both matrices unread, in every form of trsm. One
// dimension is beyond the blocks of the libraries' kernels, the other one is small.
func TestZeroSolutionsOnPlatforms(t *testing.T) {
	for _, platform := range []string{"cpu", "nvidia"} {
		t.Run(platform, func(t *testing.T) {
			dev := openOn(t, platform).Device()
			seed := randomtest.Seed(t)
			for _, name := range []string{"rocblas_dtrsm", "rocblas_ztrsm_batched", "rocblas_dtrsm_strided_batched"} {
				r, _ := routine.Lookup(name)
				t.Run(name, func(t *testing.T) { tryZeroSolutions(t, dev, platform, r, seed) })
			}
		})
	}
}

func tryZeroSolutions(t *testing.T, dev *hip.Device, platform string, r *routine.Routine, seed uint64) {
	values := map[routine.Slot]int64{}
	for i := range uint64(2 * 2 * 3 * 2 * 2) {
		values[routine.M], values[routine.N] = 3, 66
		if i%2 == 0 {
			values[routine.M], values[routine.N] = 66, 3
		}
		values[routine.Side] = routine.SideLeft + int64(i/2%2)
		values[routine.Uplo] = routine.FillUpper + int64(i/4%2)
		values[routine.Diag] = routine.DiagonalNonUnit + int64(i/8%2)
		values[routine.TransA] = routine.OperationNone + int64(i/16)
		c := randomcall.NewOf(t, r, rand.New(rand.NewPCG(seed, i)), false, buffersOf(t, dev, platform), values)
		c.Args.SetScalar(routine.Alpha, 0)
		if err := runAndVerify(t, dev, c, int(i)); err != nil {
			t.Error(err)
		}
	}
}
