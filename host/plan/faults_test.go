package plan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	_ "roclua/hip/cpu"
	"roclua/host/config"
	"roclua/luabind/record"
)

// TestFaultsAreSimulated skips cases with faults on real devices.
func TestFaultsAreSimulated(t *testing.T) {
	for _, test := range []struct {
		platform string
		faults   config.Faults
		skip     string
	}{
		{"cpu", config.Faults{Every: 1}, ""}, {"cpu", config.Faults{}, ""}, {"nvidia", config.Faults{}, ""},
		{"amd", config.Faults{Nth: config.Numbers{2}}, onlySimulated},
		{"nvidia", config.Faults{Over: 1}, onlySimulated},
	} {
		sp := &Space{Scenario: "s", Steps: []map[string]any{nil}, Schemes: []string{""}, Repeat: 1, Faults: test.faults,
			Targets: []SpaceTarget{{Target: config.Target{Platform: test.platform}}}}
		if err := sp.prepare(); err != nil {
			t.Fatal(err)
		}
		c := sp.caseAt(0)
		if c.Skip != test.skip || c.InjectsFaults == test.faults.IsZero() {
			t.Errorf("%s with %s: skipped %q, want %q", test.platform, test.faults.Plan(), c.Skip, test.skip)
		}
	}
}

func TestFaultsOfConfigurations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	text := "[faults]\nnth = [3, 5]\nover = '16MiB'\n[[scenario]]\nscript = 's'\nfaults = { nth = 1, streams = [2] }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.Apply(config.Overrides{Getenv: func(string) string { return "" }, Set: []string{"faults.every=7"},
		Flags: pflag.NewFlagSet("", 0)}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Faults{Nth: config.Numbers{3, 5}, Over: 16 << 20, Every: 7}, cfg.Faults); diff != "" {
		t.Error(diff)
	}
	sc := &Scenario{Name: "s", Settings: cfg.Scenarios[0], File: "s.lua",
		Declared: &record.Scenario{Params: []record.Param{{Name: "n", Value: 4.0}}}}
	sp, err := newSpace(cfg, sc)
	if err != nil {
		t.Fatal(err)
	}
	sp.params = []paramText{{name: "faults.nth"}, {name: "faults.over"}, {name: "n"}}
	have, params := sp.faults(map[string]any{"n": 4.0, "faults.nth": 9.0, "faults.over": 100.0})
	if diff := cmp.Diff(&config.Faults{Nth: config.Numbers{9}, Over: 100, Streams: []int{2}}, have); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"n": 4.0}, params); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []any{0.0, 1.5, -1.0, "x", "0:2", true} {
		sc.Settings.Matrix = map[string]any{"faults.every": wrong}
		if _, err := newSpace(cfg, sc); err == nil {
			t.Errorf("an axis takes %v", wrong)
		}
	}
}
