package config

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	_ "roclua/hip/cpu"
)

// TestOverrides applies the environment, --set and flags: each overrides the ones before it.
func TestOverrides(t *testing.T) {
	for _, test := range []struct {
		name      string
		variables map[string]string
		set       []string
		args      []string
		key       string // of Settings
		value     string
		source    string
		err       string
	}{
		{name: "a default", key: "seed", value: "1", source: "default"},
		{name: "a variable", variables: map[string]string{"ROCLUA_SEED": "5"}, key: "seed", value: "5",
			source: "ROCLUA_SEED"},
		{name: "--set", variables: map[string]string{"ROCLUA_SEED": "5"}, set: []string{"seed=6"}, key: "seed",
			value: "6", source: "--set seed=6"},
		{name: "a flag", variables: map[string]string{"ROCLUA_SEED": "5"}, set: []string{"seed=6"},
			args: []string{"--seed=7"}, key: "seed", value: "7", source: "--seed"},
		{name: "a switch", args: []string{"--shuffle"}, key: "shuffle", value: "true", source: "--shuffle"},
		{name: "a switch that is off", args: []string{"--memory-checks=false"}, key: "memory_checks", value: "false",
			source: "--memory-checks"},
		{name: "a time", args: []string{"--timeout", "90s"}, key: "limits.timeout", value: "1m30s",
			source: "--timeout"},
		{name: "faults", set: []string{"faults.every=3"}, key: "faults", value: "every = 3",
			source: "--set faults.every=3"},
		{name: "faults after another key", set: []string{"isolation=case", "faults.every=3"}, key: "faults",
			value: "every = 3", source: "--set faults.every=3"},
		{name: "faults as a table", set: []string{"isolation=case", "faults={ every = 3 }"}, key: "faults",
			value: "every = 3", source: "--set faults={ every = 3 }"},
		{name: "a word", set: []string{"isolation=case"}, key: "isolation", value: "case",
			source: "--set isolation=case"},
		{name: "a target", args: []string{"--arch", "gfx942"}, key: "target 1",
			value:  "cpu, rocm-7.2, gfx942, 68719476736 bytes",
			source: "--arch"},
		{name: "the default target", key: "target 1",
			value: "cpu, rocm-7.2, gfx90a, 68719476736 bytes", source: "default"},
		{name: "a second target", args: []string{"--arch", "gfx90a,gfx942"}, key: "target 2",
			value: "cpu, rocm-7.2, gfx942, 68719476736 bytes", source: "--arch"},
		{name: "a wrong variable", variables: map[string]string{"ROCLUA_SEED": "x"},
			err: `ROCLUA_SEED: "x" is not an integer`},
		{name: "a wrong flag", args: []string{"--timeout", "x"},
			err: `--timeout: "x" is not a time; write a number with a unit, such as "30s" or "2m"`},
		{name: "a negative flag", args: []string{"--seed=-1"}, err: `--seed: "-1" must not be negative`},
		{name: "a large flag", args: []string{"--jobs=99999999999999999999"},
			err: `--jobs: "99999999999999999999" is too large`},
		{name: "a number for a word", set: []string{"isolation=7"},
			err: `--set isolation=7: isolation: "7" (have auto, case, worker)`},
		{name: "a fraction for a number", set: []string{"seed=1.5"},
			err: "--set seed=1.5: seed: 1.5 is not an integer"},
		{name: "a wrong value", set: []string{"isolation=none"},
			err: `--set isolation=none: isolation: "none" (have auto, case, worker)`},
		{name: "a wrong value of a flag", args: []string{"--isolation", "none"},
			err: `--isolation: "none" (have auto, case, worker)`},
		{name: "a wrong value of a variable", variables: map[string]string{"ROCLUA_JOBS": "-1"},
			err: "ROCLUA_JOBS: -1, must not be negative"},
		{name: "an unknown profile", args: []string{"--profile", "rocm-7.2,rocm-7.3"},
			err: `--profile: unknown profile "rocm-7.3", did you mean "rocm-7.1" or "rocm-7.2"? ` +
				"(have rocm-6.4, rocm-7.1, rocm-7.1.1, rocm-7.2, cuda)"},
		{name: "full access from a variable", variables: map[string]string{"ROCLUA_SANDBOX": "full"},
			err: `ROCLUA_SANDBOX: "full" gives scripts all your permissions, so it is accepted only on the command ` +
				"line: --sandbox full"},
		{name: "a wrong table", set: []string{"faults.every=-1"},
			err: "--set faults.every=-1: faults.every: -1, must not be negative"},
		{name: "no key", set: []string{"=3"},
			err: "--set =3: want KEY=VALUE, such as limits.timeout=30s or params.n=512"},
		{name: "a key that is not one", set: []string{"a b=3"},
			err: "--set a b=3: expected '.' or '=', but got 'b' instead"},
		{name: "no value", set: []string{"isolation"},
			err: "--set isolation: want KEY=VALUE, such as limits.timeout=30s or params.n=512"},
	} {
		cfg, flags := New("s.lua"), pflag.NewFlagSet("", pflag.ContinueOnError)
		AddFlags(flags)
		if err := flags.Parse(test.args); err != nil {
			t.Fatal(err)
		}
		err := cfg.Apply(Overrides{Getenv: func(name string) string { return test.variables[name] }, Set: test.set,
			Flags: flags})
		if err != nil || test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v, want %s", test.name, err, test.err)
			}
			continue
		}
		list := cfg.Settings()
		i := slices.IndexFunc(list, func(s Setting) bool { return s.Key == test.key })
		if i < 0 || list[i].Value != test.value || list[i].Source != test.source {
			t.Errorf("%s: %+v", test.name, list)
		}
		hasFaults := slices.ContainsFunc(list, func(s Setting) bool { return s.Key == "faults" })
		if hasFaults != (test.key == "faults") {
			t.Errorf("%s: faults are a setting: %t", test.name, hasFaults)
		}
	}
}

func TestSomeFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", 0)
	AddFlags(flags, "seed", "arch")
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if !slices.Equal(names, []string{"arch", "seed"}) {
		t.Errorf("flags %v", names)
	}
}

func TestSizesInJSON(t *testing.T) {
	var s Size
	if err := json.Unmarshal([]byte("64"), &s); err != nil || s != 64 {
		t.Errorf("64: %d, %v", s, err)
	}
	for _, text := range []string{"true", `"x"`, "-1"} {
		var s Size
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s is read as %d", text, s)
		}
	}
	cfg, err := FromJSON(map[string]any{"seed": 7, "limits": map[string]any{"heap": 1024}})
	if err != nil || cfg.Seed != 7 || cfg.Limits.Heap != 1024 || cfg.Path("a") != "a" || !cfg.Isolates() {
		t.Errorf("%+v, %v", cfg, err)
	}
	for _, wrong := range []any{func() {}, map[string]any{"seed": "x"}} {
		if _, err := FromJSON(wrong); err == nil {
			t.Errorf("%T is a configuration", wrong)
		}
	}
}
