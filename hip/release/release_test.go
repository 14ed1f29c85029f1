package release

import "testing"

func TestTable(t *testing.T) {
	names, versions, defaults := map[string]bool{}, map[string]bool{}, 0
	for _, r := range releases {
		if r.Name == "" || r.RocBLAS == "" || r.RocSOLVER == "" || r.About == "" {
			t.Errorf("release %q lacks a name, a version or a description", r.Name)
		}
		if names[r.Name] || versions[majorMinor(r.RocBLAS)] {
			t.Errorf("release %s has the name or the version of rocBLAS of an earlier entry", r.Name)
		}
		names[r.Name], versions[majorMinor(r.RocBLAS)] = true, true
		if r.Build.Distribution == "" {
			t.Errorf("release %s does not say which build it reproduces", r.Name)
		}
		if r.SolveBoundByPackage && r.SolveSizedByTrsm {
			t.Errorf("release %s has no upper bound for triangular solves that could differ by package", r.Name)
		}
		if r.Default {
			defaults++
		}
	}
	if defaults != 1 {
		t.Errorf("%d releases are the default, want 1", defaults)
	}
}

func TestBuildString(t *testing.T) {
	for want, b := range map[string]Build{
		"librocblas4 6.4.4-4 and librocsolver0 6.4.3-2+b1 of Debian sid": {"Debian sid",
			[]string{"librocblas4 6.4.4-4", "librocsolver0 6.4.3-2+b1"}},
		"packages of Ubuntu, versions not recorded": {Distribution: "Ubuntu"},
	} {
		if have := b.String(); have != want {
			t.Errorf("%+v: %q, want %q", b, have, want)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, r := range releases {
		if found, ok := Find(r.Name); !ok || found != r {
			t.Errorf("Find(%q) = %v, %v", r.Name, found, ok)
		}
		if found, ok := OfRocBLAS(r.RocBLAS + ".b6328b4"); !ok || found != r {
			t.Errorf("OfRocBLAS(%q) = %v, %v", r.RocBLAS, found, ok)
		}
	}
	if r, ok := Find("rocm-0.1"); ok {
		t.Errorf("Find of an unknown name returns %v", r)
	}
	if r, ok := OfRocBLAS("1.2.3"); ok {
		t.Errorf("OfRocBLAS of an unknown version returns %v", r)
	}
	for i, r := range releases {
		for k, other := range releases {
			if r.Before(other.Name) != (i < k) {
				t.Errorf("%s.Before(%q) is %v", r, other, i >= k)
			}
		}
	}
	r, _ := Find("rocm-6.4")
	if r.HIPMajor() != "6" || r.RocBLASMajor() != "4" {
		t.Errorf("%s has HIP %s and rocBLAS %s", r, r.HIPMajor(), r.RocBLASMajor())
	}
}
