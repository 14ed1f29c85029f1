package host

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/luabind"
)

// TestFaultsAreSimulated leaves out cases with faults where nobody can make allocations fail.
func TestFaultsAreSimulated(t *testing.T) {
	for _, test := range []struct {
		platform string
		faults   config.Faults
		skip     string
	}{
		{"cpu", config.Faults{Every: 1}, ""}, {"cpu", config.Faults{}, ""}, {"nvidia", config.Faults{}, ""}, {"amd", config.Faults{Nth: config.Numbers{2}}, onlySimulated},
		{"nvidia", config.Faults{Over: 1}, onlySimulated},
	} {
		c := &plannedCase{target: config.Target{Platform: test.platform}}
		c.inject(test.faults, nil)
		if c.skip != test.skip {
			t.Errorf("%s with %s: skipped %q, want %q", test.platform, test.faults.Plan(), c.skip, test.skip)
		}
	}
}

func TestFaultsOfConfigurations(t *testing.T) {
	cfg, err := config.Load(writeConfig(t, "[faults]\nnth = [3, 5]\nover = \"16MiB\"\n[[scenario]]\nscript = \"s\"\nfaults = { nth = 1, streams = [2] }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.Apply(config.Overrides{Getenv: func(string) string { return "" }, Set: []string{"faults.every=7"}, Flags: pflag.NewFlagSet("", 0)}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Faults{Nth: config.Numbers{3, 5}, Over: 16 << 20, Every: 7}, cfg.Faults); diff != "" {
		t.Error(diff)
	}
	sc := &scenario{name: "s", settings: cfg.Scenarios[0]}
	have, params, err := sc.faults(cfg.Faults, map[string]any{"n": 4.0, "faults.nth": 9.0, "faults.over": 100.0})
	if diff := cmp.Diff(config.Faults{Nth: config.Numbers{9}, Over: 100, Streams: []int{2}}, have); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff(map[string]any{"n": 4.0}, params); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []any{0.0, 1.5, -1.0, "3", true} {
		if _, _, err := sc.faults(cfg.Faults, map[string]any{"faults.every": wrong}); err == nil {
			t.Errorf("an axis takes %v", wrong)
		}
	}
}

// TestFaultsTravel takes failed allocations through a worker's reply and through a result file.
func TestFaultsTravel(t *testing.T) {
	want := []hip.Call{
		{Name: "hipMallocAsync", Bytes: 64, HasBytes: true, Stream: 2, HasStream: true, Result: driver.ErrorOutOfMemory, Cause: "workspace_allocation", Origin: "a.lua:3", Injected: "allocation 1"},
		{Name: "hipMalloc", Bytes: 32, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: "script", Injected: "allocation 2"},
	}
	record := &luabind.Record{Faults: want, Stats: hip.Stats{Allocations: 3, Injected: 2}}
	var pipe bytes.Buffer
	var got reply
	if err := errors.Join(gob.NewEncoder(&pipe).Encode(reply{Record: record}), gob.NewDecoder(&pipe).Decode(&got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Record.Faults); diff != "" {
		t.Error(diff)
	}
	text, err := json.Marshal(jsonCase{Faults: faultsJSON(want), HIP: jsonHIP{Allocations: 3, Injected: 2}})
	if err != nil {
		t.Fatal(err)
	}
	var c jsonCase
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	restored, err := c.record()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, restored.Faults); diff != "" || restored.Stats.Injected != 2 || restored.Stats.Allocations != 3 {
		t.Error(diff, restored.Stats)
	}
}

// writeConfig writes a configuration into a separate folder.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
