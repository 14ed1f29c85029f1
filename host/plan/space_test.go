package plan

import (
	stdcmp "cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/config"
	"roclua/host/result"
	"roclua/luabind/record"
)

// scenarioOf returns a scenario with parameters of each kind.
func scenarioOf(schemes ...string) *Scenario {
	return &Scenario{Name: "a/s", File: "a/s.lua", Declared: &record.Scenario{Schemes: schemes,
		Params: []record.Param{{Name: "n", Value: 1.0}, {Name: "type", Value: "d"}, {Name: "flag", Value: false}}}}
}

// describeCase writes the special properties of a case on one line.
func describeCase(c *Case) string {
	text := strings.TrimSuffix(c.ID, "@cpu/rocm-7.2/gfx90a")
	add := func(format string, v any) {
		if fmt.Sprint(v) != "" {
			text += fmt.Sprintf(format, v)
		}
	}
	add(" skip %q", c.Skip)
	add(" known %q", c.KnownFailure)
	add(" baseline %s", c.Baseline)
	for _, name := range slices.Sorted(maps.Keys(c.Tolerances)) {
		add(" tolerance "+name+" %v", c.Tolerances[name])
	}
	for _, e := range c.Expectations {
		add(" expect %s", e)
	}
	if c.First != c.ID {
		add(" first %s", strings.TrimSuffix(c.First, "@cpu/rocm-7.2/gfx90a"))
	}
	if !c.Faults.IsZero() {
		add(" faults %s", c.Faults.Plan())
	}
	return text
}

func TestCases(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*config.Config, *Scenario)
		want   []string
	}{
		{"no settings", func(*config.Config, *Scenario) {}, []string{"a/s[scheme=managed]", "a/s[scheme=manual]"}},
		{"repetitions", func(_ *config.Config, sc *Scenario) {
			sc.Settings.Repeat, sc.Settings.Schemes = 3, []string{"manual"}
		}, []string{"a/s[scheme=manual]", "a/s[scheme=manual,repeat=2] first a/s[scheme=manual]",
			"a/s[scheme=manual,repeat=3] first a/s[scheme=manual]"}},
		{"exceptions", func(_ *config.Config, sc *Scenario) {
			sc.Settings.Skip = []config.Exception{{Match: "manual", Reason: "slow"}, {Match: "man", Reason: "both"}}
			sc.Settings.KnownFailures = []config.Exception{{Match: "managed", Reason: "issue"}}
		}, []string{`a/s[scheme=managed] skip "both" known "issue"`, `a/s[scheme=manual] skip "slow"`}},
		{"a folder of baselines", func(cfg *config.Config, sc *Scenario) {
			cfg.Baseline, sc.Settings.Schemes = "kept", []string{"manual"}
			cfg.Tolerance = map[string]string{"x": "1", "y": "2"}
			sc.Settings.Tolerance = map[string]string{"y": "10%", "z": "ignore"}
		}, []string{"a/s[scheme=manual] baseline kept/a/s.toml tolerance x {1 0 false 0}" +
			" tolerance y {0 0.1 false 0} tolerance z {0 0 true 0}"}},
		{"files of baselines", func(cfg *config.Config, sc *Scenario) {
			cfg.Baseline, sc.Settings.Schemes = "kept", []string{"manual"}
			sc.Settings.Baseline = "own.toml"
			sc.Settings.Tolerance = map[string]string{"y": "3"}
		}, []string{"a/s[scheme=manual] baseline own.toml tolerance y {3 0 false 0}"}},
		{"expectations", func(cfg *config.Config, sc *Scenario) {
			sc.Settings.Schemes = []string{"manual"}
			sc.Declared.Expect = map[string]string{"x": "< 1"}
			sc.Settings.Expect = map[string]string{"y": "< 2", "b": "< 3"}
			cfg.Expect = map[string]string{"max(z)": "< 4"}
		}, []string{"a/s[scheme=manual] expect x < 1 expect b < 3 expect y < 2 expect max(z) < 4"}},
		{"faults", func(cfg *config.Config, sc *Scenario) {
			cfg.Faults.Every, sc.Settings.Schemes = 7, []string{"manual"}
			sc.Settings.Matrix = map[string]any{"faults.nth": "1:2", "n": []any{int64(4)}}
		}, []string{"a/s[scheme=manual,faults.nth=1,n=4] faults nth = 1, every = 7",
			"a/s[scheme=manual,faults.nth=2,n=4] faults nth = 2, every = 7"}},
		{"the smallest and the largest value of an axis of faults", func(_ *config.Config, sc *Scenario) {
			sc.Settings.Schemes = []string{"manual"}
			sc.Settings.Matrix = map[string]any{"faults.over": []any{1.0, 0x1p53}}
		}, []string{"a/s[scheme=manual,faults.over=1] faults all of over 1 bytes",
			"a/s[scheme=manual,faults.over=9.007199254740992e+15] faults all of over 9007199254740992 bytes"}},
		{"steps and axes", func(cfg *config.Config, sc *Scenario) {
			sc.Settings.Schemes = []string{"manual"}
			cfg.Params = map[string]any{"n": 5.0, "other": 1.0, "type": "x"}
			sc.Settings.Params = map[string]any{"type": "y"}
			sc.Settings.Zip = map[string]any{"n": "1,3", "flag": []any{true, false}}
		}, []string{"a/s[scheme=manual,flag=true,n=1,type=y]",
			"a/s[scheme=manual,flag=false,n=3,type=y]"}},
		{"an axis replaces a step", func(_ *config.Config, sc *Scenario) {
			sc.Settings.Schemes = []string{"manual"}
			sc.Settings.Zip = map[string]any{"n": "1,3", "flag": []any{true, false}}
			sc.Settings.Matrix = map[string]any{"n": []any{"1K"}, "type": "s"}
		}, []string{"a/s[scheme=manual,flag=true,n=1024,type=s]",
			"a/s[scheme=manual,flag=false,n=1024,type=s]"}},
		{"a scheme that a profile does not have", func(cfg *config.Config, sc *Scenario) {
			cfg.Targets = append(cfg.Targets, config.Target{Platform: "nvidia", Profile: "rocm-7.1", Arch: "x"})
			cfg.Faults.Every = 1
			sc.Settings.Skip = []config.Exception{{Match: "manual", Reason: "slow"}}
		}, []string{"a/s[scheme=managed] faults every = 1",
			`a/s[scheme=managed]@nvidia/rocm-7.1/x skip "` + onlySimulated + `" faults every = 1`,
			`a/s[scheme=manual] skip "slow" faults every = 1`,
			`a/s[scheme=manual]@nvidia/rocm-7.1/x skip "` +
				`rocblas_set_device_memory_size does nothing in rocBLAS 5.1.0" faults every = 1`}},
		{"a platform for which it is not", func(cfg *config.Config, sc *Scenario) {
			sc.Declared.Platforms = []string{"amd"}
			sc.Settings.Skip = []config.Exception{{Match: "man", Reason: "slow"}}
		}, []string{`a/s[scheme=managed] skip "for the platforms amd"`,
			`a/s[scheme=manual] skip "for the platforms amd"`}},
		{"a broken script", func(cfg *config.Config, sc *Scenario) {
			sc.Broken = &record.End{Message: "broken"}
			cfg.Baseline, cfg.Faults.Every, cfg.Tolerance = "kept", 1, map[string]string{"x": "1"}
			sc.Settings.Matrix, sc.Settings.Repeat = map[string]any{"q": "1:2"}, 5
		}, []string{"a/s baseline kept/a/s.toml"}},
		{"a broken script that is skipped", func(cfg *config.Config, sc *Scenario) {
			sc.Broken = &record.End{Message: "broken"}
			cfg.Baseline = "kept"
			sc.Settings.Skip = []config.Exception{{Match: "s", Reason: "slow"}}
		}, []string{`a/s skip "slow"`}},
	} {
		cfg, sc := config.New("s.lua"), scenarioOf("managed", "manual")
		test.change(cfg, sc)
		p, err := New(cfg, []*Scenario{sc})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var have []string
		for _, c := range p.Cases {
			have = append(have, describeCase(c))
		}
		if diff := cmp.Diff(test.want, have); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
}

// TestTextsOfCases checks that reports show no text of a case as it is that outputs must not have, and that the script
// gets its parameters as they are.
func TestTextsOfCases(t *testing.T) {
	dirty := "\x1b"
	sp := &Space{Scenario: dirty, Script: dirty, About: dirty, Source: dirty, Tags: []string{dirty}, Repeat: 1,
		Steps: []map[string]any{{dirty: dirty}}, Schemes: []string{dirty},
		Targets: []SpaceTarget{{Skip: dirty,
			Target: config.Target{Platform: dirty, Profile: dirty, Arch: dirty}}},
		KnownFailures: []config.Exception{{Match: "@", Reason: dirty}}}
	if err := sp.prepare(); err != nil {
		t.Fatal(err)
	}
	c := sp.caseAt(0)
	const clean = `\x1b`
	want := result.Case{ID: `\x1b[scheme=\x1b,\x1b=\x1b]@\x1b/\x1b/\x1b`, Scenario: clean, Script: clean, About: clean,
		Source: clean, Tags: []string{clean}, Scheme: clean, Params: map[string]any{clean: clean}, Platform: clean,
		Profile: clean, Arch: clean, KnownFailure: clean}
	if diff := cmp.Diff(want, c.Case); diff != "" || c.Skip != clean {
		t.Errorf("skip %q, (-want +have):\n%s", c.Skip, diff)
	}
	if diff := cmp.Diff(map[string]any{dirty: dirty}, c.Input.Params); diff != "" || c.Input.Scheme != dirty {
		t.Errorf("scheme %q, (-want +have):\n%s", c.Input.Scheme, diff)
	}
	if sp.Tags[0] != dirty || sp.Steps[0][dirty] != dirty {
		t.Errorf("the space has changed: %q, %q", sp.Tags, sp.Steps)
	}
}

const wrongTolerance = `tolerance: x: "wide" is not a tolerance; write a number such as "1e-12", ` +
	`a percentage such as "10%", a time such as "2ms", or "ignore"`

func TestWrongSettings(t *testing.T) {
	for _, test := range []struct {
		change func(*config.Config, *Scenario)
		want   string
	}{
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Schemes = []string{"stream"} },
			`scenario a/s: scheme stream is not one of its schemes (managed, manual)`},
		{func(_ *config.Config, sc *Scenario) { sc.Declared.Schemes, sc.Settings.Bytes = nil, 1 },
			`scenario a/s: bytes has no effect, because it opens its own handles`},
		{func(_ *config.Config, sc *Scenario) {
			sc.Declared.Schemes, sc.Settings.Schemes = nil, []string{"manual"}
		},
			`scenario a/s: scheme manual is not one of its schemes (it opens its own handles)`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Params = map[string]any{"m": 1.0} },
			`scenario a/s has no parameter "m" (has flag, n, type)`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Params = map[string]any{"n": "s"} },
			`scenario a/s: parameter n is s, must be a number like its default 1`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Matrix = map[string]any{"n": []any{}} },
			`scenario a/s: matrix: n has no values`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Matrix = map[string]any{"n": "1:2:3:4"} },
			`scenario a/s: matrix: n: "1:2:3:4" is not a range; write FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Matrix = map[string]any{"faults.nth": 0.0} },
			`scenario a/s: axis faults.nth: 0, must be a whole number from 1`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Matrix = map[string]any{"faults.nth": 0x1p53 + 2} },
			`scenario a/s: axis faults.nth: 9.007199254740994e+15, must be a whole number from 1`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Zip = map[string]any{"n": "1,2", "type": []any{"s"}} },
			`scenario a/s: zip: n has 2 values, type has 1; they step together`},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Zip = map[string]any{"n": true} },
			`scenario a/s: parameter n is true, must be a number like its default 1`},
		{func(cfg *config.Config, _ *Scenario) { cfg.Tolerance = map[string]string{"x": "wide"} },
			wrongTolerance},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.Skip = []config.Exception{{Match: "/(/"}} },
			"error parsing regexp: missing closing ): `(`"},
		{func(_ *config.Config, sc *Scenario) { sc.Settings.KnownFailures = []config.Exception{{Match: "/[/"}} },
			"error parsing regexp: missing closing ]: `[`"},
	} {
		cfg, sc := config.New("s.lua"), scenarioOf("managed", "manual")
		test.change(cfg, sc)
		if _, err := New(cfg, []*Scenario{sc}); err == nil || err.Error() != test.want {
			t.Errorf("have %v\nwant %s", err, test.want)
		}
	}
}

// TestAxesInOutlines reads the values of axes as they were written.
func TestAxesInOutlines(t *testing.T) {
	for _, values := range [][]any{{1.0, 2.0, 3.0, 4.0}, {8.0, 6.0, 0.0, -2.0}, {0.5, 1.5}, {1.0, "4", true},
		{0x1p53 - 1, 0x1p53, -0x1p53}, {"s", "d"}, {true, false}} {
		sp := repeated("a", 1)
		sp.Axes = []Axis{{"n", values}}
		text, err := json.Marshal(Outline{Parts: []Part{{Spaces: []*Space{sp}}}})
		if err != nil {
			t.Fatal(err)
		}
		var read Outline
		if err := errors.Join(result.Decode(text, &read), read.Restore()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sp.Axes, read.Parts[0].Spaces[0].Axes); diff != "" {
			t.Errorf("%s is read as (-want +have):\n%s", text, diff)
		}
	}
}

// repeated returns a space whose number of cases is one for each repetition.
func repeated(name string, n int) *Space {
	sp := &Space{Scenario: name, Script: name + ".lua", Steps: []map[string]any{{}}, Schemes: []string{""}, Repeat: n,
		Targets: []SpaceTarget{{Target: config.Target{Platform: "cpu", Profile: "rocm-7.2", Arch: "gfx90a"}}}}
	if err := sp.prepare(); err != nil {
		panic(err)
	}
	return sp
}

// TestSizes counts the cases of spaces, up to a limit.
func TestSizes(t *testing.T) {
	sp := repeated("s", 5)
	sp.Axes = []Axis{{Name: "n", Values: []any{1.0, 2.0, 3.0}}}
	sp.Steps = []map[string]any{{}, {}}
	for limit, want := range map[int]int{100: 30, 30: 30, 29: 30, 7: 8, 6: 7, 5: 6} {
		if have := sp.size(limit); have != want {
			t.Errorf("up to %d: %d cases, want %d", limit, have, want)
		}
	}
	sp.Schemes = nil
	if have := sp.size(100); have != 0 {
		t.Errorf("%d cases without a scheme", have)
	}
}

func TestOutlines(t *testing.T) {
	for _, test := range []struct {
		name string
		o    Outline
		want int // cases
		err  string
	}{
		{"no parts", Outline{}, 0, ""},
		{"one part", Outline{Parts: []Part{{Spaces: []*Space{repeated("a", 3)}}}}, 3, ""},
		{"two scenarios", Outline{Parts: []Part{{Spaces: []*Space{repeated("a", 2), repeated("b", 1)}}}}, 3, ""},
		{"too many of two scenarios",
			Outline{Parts: []Part{{Spaces: []*Space{repeated("a", maxCases), repeated("b", 2)}}}}, 0,
			"scenario b: repeat(2) = 2 cases; a plan can have at most 1000000 with all its scenarios: " +
				"choose fewer values, as in --axis n=64:8192:x2, or fewer repetitions"},
		{"two scenarios of one name",
			Outline{Parts: []Part{{Spaces: []*Space{repeated("a", 1), repeated("b", 1), repeated("a", 2)}}}}, 0,
			"two cases are called a@cpu/rocm-7.2/gfx90a: a.lua and a.lua; " +
				"give one another script name or other parameters"},
		{"two parts", Outline{Parts: []Part{{Spaces: []*Space{repeated("a", maxSelected-1)}},
			{Spaces: []*Space{repeated("b", 1)}}}}, maxSelected, ""},
		{"too many of two parts", Outline{Parts: []Part{{Spaces: []*Space{repeated("a", maxCases)}},
			{Spaces: []*Space{repeated("b", 1)}}}}, 0, "the plan has more than 1000000 cases"},
	} {
		c, _, err := test.o.Cases(Shard{})
		if err == nil && test.err != "" || err != nil && !strings.HasPrefix(err.Error(), stdcmp.Or(test.err, "-")) {
			t.Errorf("%s: %v, want %s", test.name, err, test.err)
		} else if err == nil && len(c) != test.want {
			t.Errorf("%s: %d cases, want %d", test.name, len(c), test.want)
		}
	}
	for name, change := range map[string]func(*Space){
		"steps":    func(sp *Space) { sp.Steps = nil },
		"schemes":  func(sp *Space) { sp.Schemes = nil },
		"targets":  func(sp *Space) { sp.Targets = nil },
		"repeat":   func(sp *Space) { sp.Repeat = 0 },
		"axes":     func(sp *Space) { sp.Axes = []Axis{{Name: "n", Values: []any{1.0}}, {Name: "m"}} },
		"a change": func(sp *Space) { sp.Tolerance = map[string]string{"x": "wide"} },
		"nothing":  func(*Space) {},
	} {
		sp := repeated("s", 1)
		change(sp)
		err := (&Outline{Parts: []Part{{Spaces: []*Space{sp}}}}).Restore()
		want := "scenario s has no cases"
		switch name {
		case "nothing":
			want = ""
		case "a change":
			want = wrongTolerance
		}
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
