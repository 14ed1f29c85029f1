package verify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"

	_ "roclua/hip/cpu"
)

func profile(t *testing.T, name string) *workspace.Profile {
	t.Helper()
	p, err := workspace.FindProfile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// verifierOf returns a verifier whose library behaves like the model of a release, after some size queries.
func verifierOf(t *testing.T, compareWith, library string) *verifier {
	t.Helper()
	report := driver.Report{Devices: []driver.Properties{{Arch: "gfx90a", MemoryBytes: 1 << 36}}}
	o := Options{Profile: profile(t, compareWith), Library: report, Compare: true}
	v := &verifier{Options: o, model: newModel(o.Profile, report), report: newReport(o)}
	var groups []*group
	r := rand.New(rand.NewPCG(1, 1))
	for _, name := range []string{"rocsolver_dpotri", "rocsolver_zgeqrf", "rocsolver_dgetrf_npvt", "rocblas_dtrsm"} {
		rt, ok := routine.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		for range 20 {
			groups = append(groups, v.draw(r, Queries, rt))
		}
	}
	outcomes, err := newModel(profile(t, library), report).run(o.around(groups))
	if err != nil {
		t.Fatal(err)
	}
	results := map[int]sequence.Result{}
	for i, o := range outcomes {
		results[i] = o.Result
	}
	v.seen = append(v.seen, compared{groups, results, false})
	return v
}

// TestBetterFit finds the release of the library.
func TestBetterFit(t *testing.T) {
	v := verifierOf(t, "rocm-7.2", "rocm-6.4")
	fit, err := v.betterFit()
	if err != nil || fit == nil || fit.Profile.Name != "rocm-6.4" || fit.Differ != 0 || fit.Own == 0 || fit.Of != 80 {
		t.Fatalf("%+v, %v", fit, err)
	}
	v.report.Better = fit
	if first := v.report.facts()[0]; !strings.HasPrefix(first[1], "this library is rocm-6.4: 0 of 80 queries") {
		t.Errorf("the first fact is %q", first)
	}
	if fit, err := verifierOf(t, "rocm-7.2", "rocm-7.2").betterFit(); err != nil || fit != nil {
		t.Errorf("the release fits, and %v fits better (%v)", fit, err)
	}
}

// TestTitles checks that the difference of a size names the routine, and that equal scripts are one difference.
func TestTitles(t *testing.T) {
	dgetrf, _ := routine.Lookup("rocsolver_dgetrf")
	call := sequence.DrawCall(rand.New(rand.NewPCG(1, 1)), dgetrf, sequence.Bare)
	ops := sequence.Query(call)
	o := Options{Profile: profile(t, "rocm-7.2"), Library: driver.Report{Devices: make([]driver.Properties, 1)}}
	r := newReport(o)
	g := &group{kind: Queries, family: "getrf", call: call, ops: ops}
	for range 3 {
		r.count(g, differs)
		r.add(g, "getrf", ops, &disagreement{ops[len(ops)-1], "success 128", "success 64"})
	}
	create := sequence.CreateHandle(nil)
	for range 809 {
		r.addHandle(g, &disagreement{create, "success, the handle holds 64", "success, the handle holds 128"})
	}
	if len(r.Differences) != 2 || r.Differences[0].Function != "rocsolver_dgetrf" || r.Differences[0].Times != 3 ||
		r.Differences[1].Function != "rocblas_create_handle" || r.Differences[1].Times != 809 || r.unshown() != 0 {
		t.Errorf("%+v, %d are not shown", r.Differences, r.unshown())
	}
	var b strings.Builder
	r.WriteText(&b)
	for _, want := range []string{"-- difference 1: rocsolver_dgetrf, 3 times\n",
		"-- difference 2: rocblas_create_handle, 809 times\n", "809 new handles: their memory differs"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}
