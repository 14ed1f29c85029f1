package behavior_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// TestFunctionsThatChangeTheDevice compares the functions that change the device to compute with the recorded calls of
// both releases. A function that may do so does not in every call.
func TestFunctionsThatChangeTheDevice(t *testing.T) {
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		f, err := os.Open(filepath.Join("..", "testdata", profile, "devices.txt"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, changing := bufio.NewScanner(f), 0
		for lines.Scan() {
			var name string
			var calls, changed, most int
			if strings.HasPrefix(lines.Text(), "#") {
				continue
			}
			if _, err := fmt.Sscan(lines.Text(), &name, &calls, &changed, &most); err != nil {
				t.Fatalf("%q: %v", lines.Text(), err)
			}
			r, ok := routine.Lookup(name)
			if !ok {
				t.Fatalf("%s: no function %s", profile, name)
			}
			if changed > 0 {
				changing++
			}
			if a := mostSolves(r); changed > 0 && vectorSolves(a) == 0 {
				t.Errorf("%s: %s changed the device in %d of %d calls", profile, name, changed, calls)
			}
		}
		if err := lines.Err(); err != nil || changing < 80 {
			t.Errorf("%s: %d functions change the device, %v", profile, changing, err)
		}
	}
}

// mostSolves returns a routine call that solves with one vector, if the routine ever does.
func mostSolves(r *routine.Routine) *routine.Args {
	a := r.New()
	for slot, value := range map[routine.Slot]int64{routine.N: 2, routine.Side: routine.SideLeft,
		routine.Itype: routine.EformAx, routine.BatchCount: 1} {
		if r.Has(slot) {
			a.SetInt(slot, value)
		}
	}
	if r.Has(routine.Side) {
		a.SetInt(routine.N, 1)
	}
	return a
}

// vectorSolves returns how often a call solves with one vector.
func vectorSolves(a *routine.Args) int64 {
	var steps behavior.Steps
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	steps.Make(behavior.Call{On: target, Memory: &behavior.Buffers{}}, a)
	return steps.Vectors
}

// TestVectorSolves counts the solves with one vector as the libraries make them.
func TestVectorSolves(t *testing.T) {
	for _, test := range []struct {
		name  string
		ints  map[routine.Slot]int64
		count int64
	}{
		{"rocblas_dtrsv", map[routine.Slot]int64{routine.N: 5}, 1},
		{"rocblas_strsv_batched_64", map[routine.Slot]int64{routine.N: 5, routine.BatchCount: 131041}, 3},
		{"rocblas_strsv_batched", map[routine.Slot]int64{routine.N: 5, routine.BatchCount: 131041}, 1},
		{"rocblas_dtrsm", map[routine.Slot]int64{routine.Side: routine.SideLeft, routine.N: 1, routine.M: 9}, 1},
		{"rocblas_dtrsm", map[routine.Slot]int64{routine.Side: routine.SideLeft, routine.N: 2, routine.M: 9}, 0},
		{"rocblas_dtrsm", map[routine.Slot]int64{routine.Side: routine.SideRight, routine.N: 1, routine.M: 9}, 0},
		{"rocsolver_dsygs2", map[routine.Slot]int64{routine.Itype: routine.EformAx, routine.N: 152}, 151},
		{"rocsolver_dsygst", map[routine.Slot]int64{routine.Itype: routine.EformAx, routine.N: 256}, 252},
		{"rocsolver_zhegv", map[routine.Slot]int64{routine.Itype: routine.EformAx, routine.N: 340}, 334},
		{"rocsolver_zhegv", map[routine.Slot]int64{routine.Itype: routine.EformBax, routine.N: 340}, 0},
		{"rocsolver_dsygs2", map[routine.Slot]int64{routine.Itype: routine.EformAx}, 0},
		{"rocsolver_dgetrf", map[routine.Slot]int64{routine.M: 100, routine.N: 100}, 0},
	} {
		r, ok := routine.Lookup(test.name)
		if !ok {
			t.Fatal("no routine", test.name)
		}
		a := r.New()
		for slot, value := range test.ints {
			a.SetInt(slot, value)
		}
		if have := vectorSolves(a); have != test.count {
			t.Errorf("%s %v: %d solves, want %d", test.name, test.ints, have, test.count)
		}
	}
}
