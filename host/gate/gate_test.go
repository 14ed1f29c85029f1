package gate_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/arch"
	"roclua/host/applog/analyze"
	"roclua/host/gate"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// TestParse reads limits, and refuses others.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		above string
		on    []string
		want  gate.Limits
		err   string
	}{
		{"32MiB", nil, gate.Limits{Needs: true, Bytes: 32 << 20}, ""},
		{"0", []string{"growth"}, gate.Limits{Needs: true, Growth: true}, ""},
		{"12.5%", []string{" status"}, gate.Limits{Needs: true, Percent: 12.5, Status: true}, ""},
		{"", []string{"growth", "status"}, gate.Limits{Growth: true, Status: true}, ""},
		{"", []string{"defect"}, gate.Limits{Defect: true}, ""},
		{"-1", nil, gate.Limits{}, "--fail-above -1: write a number of bytes or a percentage, such as 32MiB or 10%"},
		{"NaN%", nil, gate.Limits{}, "--fail-above NaN%"},
		{"", []string{"grwth"}, gate.Limits{}, `--fail-on grwth: want growth, status, defect, did you mean "growth"?`},
	} {
		have, err := gate.Parse(test.above, test.on)
		if test.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("%q %q: %v", test.above, test.on, err)
			}
		} else if err != nil || *have != test.want {
			t.Errorf("%q %q: %+v, %v", test.above, test.on, have, err)
		}
	}
}

// TestNotCompared has calls that cannot be compared; each fails.
func TestNotCompared(t *testing.T) {
	profiles := workspace.Profiles()
	of := func(i int) analyze.Target {
		return analyze.Target{Target: footprint.Target{Profile: profiles[i], Arch: arch.Default().Name}}
	}
	known, unknown := analyze.Need{Bytes: 64}, analyze.Need{Reason: "a secret"}
	failing := analyze.Need{Status: "invalid_size", Reason: "n is -1"}
	log := analyze.New(analyze.Options{Targets: []footprint.Target{of(0).Target}})
	if err := log.Read(t.Context(), "app.log", strings.NewReader("rocblas_dscal,1,1,0x10,1\n")); err != nil {
		t.Fatal(err)
	}
	logged := *log.Answer().Calls[0]
	call := func(needs ...analyze.Need) []*analyze.Call {
		c := logged
		c.Needs = needs
		return []*analyze.Call{&c}
	}
	line := []analyze.Function{{Name: "f", Count: 2, File: "app.log", Line: 7}}
	all, needs, growth := &gate.Limits{Needs: true, Status: true}, &gate.Limits{Needs: true}, &gate.Limits{Growth: true}
	nothing := []string{"all calls: none can be compared"}
	for _, test := range []struct {
		about  string
		answer analyze.Answer
		limits *gate.Limits
		want   []string
	}{
		{"equal needs", analyze.Answer{Calls: call(known, known)}, all, nil},
		{"a call that fails now", analyze.Answer{Calls: call(known, failing)}, all,
			[]string{"dscal n=1: success -> invalid_size, n is -1"}},
		{"a need that is not known now", analyze.Answer{Calls: call(known, unknown)}, needs,
			[]string{"dscal n=1: 64 bytes -> not known, a secret"}},
		{"a need that was not known", analyze.Answer{Calls: append(call(unknown, known), call(known, known)...)}, needs,
			[]string{"dscal n=1: its need on " + profiles[0].Name + "/" + arch.Default().Name +
				" is not known: a secret"}},
		{"calls that failed before", analyze.Answer{Calls: call(failing, failing)}, all, nothing},
		{"no calls", analyze.Answer{}, growth, nothing},
		{"a cut line", analyze.Answer{Calls: call(known, known), Cut: line}, growth,
			[]string{"app.log:7: f: cut, or of an unknown format (lines: 2)"}},
		{"a function that is not modelled", analyze.Answer{Calls: call(known, known), NotModeled: line}, all,
			[]string{"app.log:7: f: not modelled (lines: 2)"}},
		{"unlisted calls", analyze.Answer{Calls: call(known, known),
			NotListed: analyze.Extra{Times: 3, Most: []uint64{8, 9}}}, needs,
			[]string{"the largest of 3 unlisted calls: 8 -> 9 bytes"}},
	} {
		test.answer.Targets = []analyze.Target{of(0), of(1)}
		test.answer.Files = []analyze.File{{Name: "app.log"}}
		g, err := gate.New(test.limits, gate.Input{Answer: &test.answer})
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, f := range g.Failures() {
			have = append(have, f.Headline)
		}
		if !slices.Equal(have, test.want) || g.Failed() != (test.want != nil) {
			t.Errorf("%s: %q, want %q", test.about, have, test.want)
		}
	}
}
