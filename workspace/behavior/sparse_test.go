package behavior_test

import (
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// TestSplitLU compares the workspace of csrrf_splitlu with the libraries', for few rows and for many.
func TestSplitLU(t *testing.T) {
	r, _ := routine.Lookup("rocsolver_dcsrrf_splitlu")
	for _, test := range []struct {
		release, arch string
		n             int64
		want          uint64
	}{
		{"rocm-6.4", "gfx90a", 10, 640}, {"rocm-6.4", "gfx90a", 100, 1344},
		{"rocm-6.4", "gfx90a", 1<<31 - 1, 17193291520}, {"rocm-6.4", "gfx942", 1<<31 - 1, 17183065408},
		{"rocm-6.4", "gfx1100", 100, 1088}, {"rocm-6.4", "gfx1100", 1<<31 - 1, 17196646656},
		{"rocm-6.4", "gfx1030", 160000, 1281408},
		{"rocm-7.2", "gfx90a", 100, 1344}, {"rocm-7.2", "gfx942:xnack+", 7, 640},
		{"rocm-7.2", "gfx90a", 7, 576}, {"rocm-7.2", "gfx942", 40000, 320640}, {"rocm-7.2", "gfx942", 23, 768},
		{"rocm-7.2", "gfx90a", 23, 704},
	} {
		on, _ := release.Find(test.release)
		a := r.New()
		a.SetInt(routine.N, test.n)
		a.SetInt(routine.NnzT, 20)
		d := behavior.Of(&behavior.Target{Release: on, Arch: arch.Of(test.arch)}, a)
		if have := d.Optimal.Total(); have != test.want {
			t.Errorf("%s on %s, n = %d: %d bytes, want %d", test.release, test.arch, test.n, have, test.want)
		}
	}
	on, _ := release.Find("rocm-7.1")
	a := r.New()
	a.SetInt(routine.N, 10)
	a.SetInt(routine.NnzT, 20)
	if d := behavior.Of(&behavior.Target{Release: on, Arch: arch.Of("gfx90a")}, a); d.Unknown == "" {
		t.Error("the size on rocm-7.1 is known")
	}
}
