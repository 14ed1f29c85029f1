package verify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/output"
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
	o := Options{Profile: profile(t, compareWith), Library: report, Compare: true, Count: 80, Seed: 1, Devices: 1,
		Kinds: []Kind{Queries}}
	for _, name := range []string{"rocsolver_dpotri", "rocsolver_zgeqrf", "rocsolver_dgetrf_npvt", "rocblas_dtrsm"} {
		rt, ok := routine.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		o.Routines = append(o.Routines, rt)
	}
	v := &verifier{Options: o, model: newModel(o.Profile, report), report: newReport(o)}
	other := newModel(profile(t, library), report)
	for c := range o.cases() {
		outcomes, err := other.run(c.ops)
		if err != nil {
			t.Fatal(err)
		}
		var have []sequence.Result
		for _, o := range outcomes {
			have = append(have, o.Result)
		}
		v.see(c, c.ops, have, false)
	}
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

// TestJudge compares the results of cases: the difference of a size names the routine, equal differences are one, a
// library that ends early differs, and one that ends the process as the model does agrees.
func TestJudge(t *testing.T) {
	dgetrf, _ := routine.Lookup("rocsolver_dgetrf")
	call := sequence.DrawCall(rand.New(rand.NewPCG(1, 1)), dgetrf, sequence.Bare)
	create := sequence.CreateHandle(nil)
	result := func(texts ...string) (list []sequence.Result) {
		for _, text := range texts {
			status, held, _ := strings.Cut(text, " holds ")
			name, value, _ := strings.Cut(status, " ")
			list = append(list, sequence.Result{Status: name, Value: value, Held: held})
		}
		return list
	}
	outcomes := func(list []sequence.Result, end bool) (want []outcome) {
		for i, r := range list {
			want = append(want, outcome{Result: r, aborts: end && i == len(list)-1})
		}
		return want
	}
	o := Options{Profile: profile(t, "rocm-7.2"), Library: driver.Report{Devices: make([]driver.Properties, 1)},
		Command: "roclua verify"}
	v := &verifier{Options: o, report: newReport(o)}
	query := append([]*sequence.Operation{create}, sequence.Query(call)...)
	sized := func(held, size string) []sequence.Result {
		return result("success holds "+held, "success holds "+held, "size_increased holds "+held,
			"success "+size+" holds "+held)
	}
	for i := range 3 {
		v.judge(&testCase{number: i + 1, kind: Queries, family: "getrf", call: call, routine: dgetrf}, query,
			outcomes(sized("64", "128"), false), sized("64", "64"), "")
	}
	for range 809 {
		v.judge(&testCase{number: 9, kind: Queries, family: "getrf", call: call, routine: dgetrf}, query,
			outcomes(sized("64", "128"), false), sized("128", "128"), "")
	}
	three := []*sequence.Operation{create, {Call: call}, {Name: "get_atomics_mode"}}
	for number, test := range []struct {
		want []outcome
		have []sequence.Result
	}{
		{outcomes(result("success", "success"), true), result("success", "aborts")},
		{outcomes(result("success", "success"), true), result("success", "invalid_handle")},
		{outcomes(result("success", "success", "success 1"), false), result("success")},
	} {
		if test.have[len(test.have)-1].Status == aborts {
			test.want[len(test.want)-1].Status = aborts
		}
		v.judge(&testCase{number: 20 + number, kind: Captures, family: "f"}, three[:len(test.want)], test.want,
			test.have, "the process ended: SIGABRT")
	}
	var b strings.Builder
	output.WriteText(&b, v.report)
	for _, want := range []string{
		"difference 1: rocsolver_dgetrf, 3 times\n  rocsolver_dgetrf m=", "  roclua verify --only 1\n",
		"  the model:   success 128, the handle holds 64\n  the library: success 64, the handle holds 64\n",
		"difference 2: rocblas_create_handle, 809 times\n", "  roclua verify --only 9\n",
		"  the model:   aborts\n  the library: invalid_handle\n  roclua verify --only 21\n",
		"  the model:   success\n  the library: the process ended: SIGABRT\n  roclua verify --only 22\n",
		"812 size queries: 809 agree, 3 differ\n3 captured operations: 1 agree, 2 differ\n" +
			"809 new handles: their memory differs\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	if v.report.unshown() != 0 {
		t.Errorf("%d are not shown", v.report.unshown())
	}
}
