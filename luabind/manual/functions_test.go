package manual_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind/manual"
)

// computesHalf is a program with three platforms: one computes all, one nothing, one no 64-bit forms, and one some
// types.
var computesHalf = manual.Program{Computes: func(r *routine.Routine) []manual.Computation {
	reason := func(computed bool) string {
		if computed {
			return ""
		}
		return "it has no function"
	}
	return []manual.Computation{{Platform: "all"}, {Platform: "none", Reason: reason(false)},
		{Platform: "narrow", Reason: reason(!r.Wide)},
		{Platform: "real", Reason: reason(r.Type == routine.TypeS || r.Type == routine.TypeD)},
		{Platform: "one", Reason: reason(r.Name == "dgetrf")}}
}}

func TestListFunctions(t *testing.T) {
	list := manual.ListFunctions(computesHalf, "getrf")
	if len(list) != 1 {
		t.Fatalf("getrf is in %d families", len(list))
	}
	f := list[0]
	if f.Name != "getrf" || f.Library != "rocsolver" || !slices.Equal(f.Types, []string{"s", "d", "c", "z"}) ||
		!slices.Equal(f.Forms, []string{"plain", "batched", "strided_batched", "64"}) || len(f.Names) != 24 ||
		f.Modelled != manual.Yes || len(f.Releases) != 3 {
		t.Errorf("getrf: %+v", f)
	}
	for platform, want := range map[string]string{"all": manual.Yes, "none": manual.No, "narrow": "not 64",
		"real": "s d", "one": manual.Partly} {
		if f.Computed[platform] != want {
			t.Errorf("getrf on %s: %q, want %q", platform, f.Computed[platform], want)
		}
	}
	if f := manual.ListFunctions(computesHalf, "gemm_ex")[0]; f.Modelled != manual.Partly || len(f.Unknown) == 0 ||
		!slices.Equal(f.Types, []string{"mixed"}) {
		t.Errorf("gemm_ex: %+v", f)
	}
	if f := manual.ListFunctions(computesHalf, "axpy")[0]; f.Workspace["rocm-7.2"] != manual.No {
		t.Errorf("axpy: %+v", f)
	}
	if f := manual.ListFunctions(computesHalf, "getri")[0]; f.Workspace["rocm-6.4"] != manual.Yes {
		t.Errorf("getri: %+v", f)
	}
}

// TestFunctionPatterns matches families by their name, by a function in scripts, C or another library, and by
// wildcards.
func TestFunctionPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		"getrf": "getrf", "dgetrf_batched": "getrf", "rocsolver_dgetrf": "getrf", "hipsolverDgetrf": "getrf",
		"getrf*": "getrf getrf_npvt", "dgetr[is]": "getrs getri", "rocsolver_dpot*": "potrf potrs potf2 potri",
		"getfr": "", "[": "",
	} {
		var have []string
		for _, f := range manual.ListFunctions(manual.Program{}, pattern) {
			have = append(have, f.Name)
		}
		if strings.Join(have, " ") != want || manual.HasFunctions(pattern) != (want != "") {
			t.Errorf("%s matches %v, want %s", pattern, have, want)
		}
	}
	if all := manual.ListFunctions(manual.Program{}); len(all) != len(routine.Families()) {
		t.Errorf("%d families, want %d", len(all), len(routine.Families()))
	}
	if !slices.Contains(manual.FamilyNames(), "getrf") {
		t.Error("no family is called getrf")
	}
}
