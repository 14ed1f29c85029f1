package release

import (
	"errors"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	names, versions, defaults := map[string]bool{}, map[string]bool{}, 0
	for _, r := range releases {
		if r.Name == "" || r.RocBLAS == "" || r.RocSOLVER == "" || r.About == "" {
			t.Errorf("release %q lacks a name, a version or a description", r.Name)
		}
		if r.ROCm == "" || r.HipSOLVER == "" || r.HIP == "" {
			t.Errorf("release %s lacks its ROCm, hipSOLVER or HIP", r)
		}
		if _, known := Find(r.Exports()); !known || (r.Inferred == "") != (r.Like == "") {
			t.Errorf("release %s is inferred from %q", r, r.Like)
		}
		if names[r.Name] || versions[r.RocBLAS] {
			t.Errorf("release %s has the name or the version of rocBLAS of an earlier entry", r.Name)
		}
		names[r.Name], versions[r.RocBLAS] = true, true
		if (r.Build.Distribution == "") != (r.Inferred != "") {
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
		for _, solver := range []string{r.RocSOLVER, ""} {
			if found, err := Of(r.RocBLAS+".b6328b4", solver); err != nil || found != r {
				t.Errorf("Of(%q, %q) = %v, %v", r.RocBLAS, solver, found, err)
			}
		}
	}
	if r, ok := Find("rocm-0.1"); ok {
		t.Errorf("Find of an unknown name returns %v", r)
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

// TestUnmodelled looks up libraries whose patch level, or whose version, was not compared.
func TestUnmodelled(t *testing.T) {
	for _, test := range []struct{ blas, solver, nearest, says string }{
		{"4.3.0", "", "rocm-6.4", "from rocBLAS 4.4.0 on, syrk, herk:"},
		{"4.4.0", "3.28.0", "rocm-6.4", "stedc, syevd, sygvd: an n x n matrix less"},
		{"4.4.1", "3.28.0", "rocm-6.4", "rocBLAS 4.4.1 with rocSOLVER 3.28.0 is not modelled"},
		{"4.4.2", "3.28.2", "rocm-6.4", "(rocBLAS 4.4.1, rocSOLVER 3.28.2)"},
		{"5.0.0", "3.30.0", "rocm-7.1", "from rocBLAS 5.1.0 on, managed memory is always stream-ordered"},
		{"5.1.2", "", "rocm-7.1.1", "rocBLAS 5.1.2 is not modelled"},
		{"5.3.0.", "3.33.0.", "rocm-7.2", "rocBLAS 5.3.0 with rocSOLVER 3.33.0 is"},
		{"9.9.9", "9.9.9", "rocm-7.2", "more (roclua docs provenance)"},
		{"", "", "rocm-7.2", "rocBLAS of an unknown version is not modelled"},
		{"5", "", "rocm-7.2", `rocBLAS "5", which is no version such as 5.2.0, is`},
		{"5.2.0", "new", "rocm-7.2", `rocSOLVER "new", which is no version`},
		{"5.70000.0", "", "rocm-7.2", "no version"},
	} {
		r, err := Of(test.blas, test.solver)
		var unmodelled *Unmodelled
		if !errors.As(err, &unmodelled) || unmodelled.Nearest.Name != test.nearest ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s, %s: %v, %v; want %s and %q", test.blas, test.solver, r, err, test.nearest, test.says)
		}
	}
	r, err := Of("5.1.1", "3.31.0")
	if err != nil || r.Name != "rocm-7.1.1" || r.ManagedStreamOrdered || r.Inferred == "" {
		t.Errorf("rocBLAS 5.1.1: %v, %v", r, err)
	}
}

// TestNamed explains names of releases of ROCm that are no profile.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"7.0":        "ROCm 7.0: rocBLAS 5.0.0 with rocSOLVER 3.30.0 is not modelled; the nearest profile is rocm-7.1",
		"rocm-6.2":   "ROCm 6.2: rocBLAS 4.2.0 with rocSOLVER 3.26.0 is not modelled; the nearest profile is rocm-6.4",
		"6.4.1":      "ROCm 6.4.1: rocBLAS 4.4.0 with rocSOLVER 3.28.0 is not modelled",
		"rocm-6.4.3": "ROCm 6.4.3: rocBLAS 4.4.1 and rocSOLVER 3.28.2 are profile rocm-6.4",
		"7.12":       "ROCm 7.12: rocBLAS 5.3.0 with rocSOLVER 3.33.0 is not modelled; the nearest profile is rocm-7.2",
		"10.1":       "ROCm 10.1: rocBLAS 5.7.0 with rocSOLVER 3.37.0",
	} {
		if err := Named(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, name := range []string{"7.3", "rocm", "", "11.0", "cuda"} {
		if err := Named(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChanges checks the table: versions ascend, and each has a source.
func TestChanges(t *testing.T) {
	last := map[string]Change{}
	for i, c := range changes {
		before := last[c.Library]
		_, valid := ParseVersion(c.Version)
		_, named := ParseVersion(c.ROCm)
		if !valid || !named || c.What == "" || c.Source == "" {
			t.Errorf("change %d lacks a part: %+v", i, c)
		}
		if before.Version != "" && (version(c.Version).Compare(version(before.Version)) < 0 ||
			version(c.ROCm).Compare(version(before.ROCm)) < 0) {
			t.Errorf("change %d, %v, is older than the one before it", i, c)
		}
		last[c.Library] = c
	}
	r, _ := Find("rocm-7.2")
	if list := r.Later(RocBLAS, "trsv"); len(list) != 2 {
		t.Errorf("trsv after rocm-7.2: %v", list)
	}
	if list := r.Later(RocBLAS, "dgemm"); list != nil {
		t.Errorf("changes of a family that has none: %v", list)
	}
}
