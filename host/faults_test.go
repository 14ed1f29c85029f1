package host

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
)

// TestFaultsAreSimulated leaves out cases with faults where nobody can make allocations fail.
func TestFaultsAreSimulated(t *testing.T) {
	for _, test := range []struct {
		platform string
		faults   Faults
		skip     string
	}{
		{"cpu", Faults{Every: 1}, ""}, {"cpu", Faults{}, ""}, {"nvidia", Faults{}, ""}, {"amd", Faults{Nth: Numbers{2}}, onlySimulated},
		{"nvidia", Faults{Over: 1}, onlySimulated},
	} {
		c := &plannedCase{target: Target{Platform: test.platform}}
		c.inject(test.faults, nil)
		if c.skip != test.skip {
			t.Errorf("%s with %s: skipped %q, want %q", test.platform, test.faults.plan(), c.skip, test.skip)
		}
	}
}

func TestFaultsOfConfigurations(t *testing.T) {
	cfg, err := loadConfig(write(t, "[faults]\nnth = [3, 5]\nover = \"16MiB\"\n[[scenario]]\nscript = \"s\"\nfaults = { nth = 1, streams = [2] }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.set("faults.every=7"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Faults{Nth: Numbers{3, 5}, Over: 16 << 20, Every: 7}, cfg.Faults); diff != "" {
		t.Error(diff)
	}
	sc := &scenario{name: "s", settings: cfg.Scenarios[0]}
	have, params, err := sc.faults(cfg.Faults, map[string]any{"n": 4.0, "faults.nth": 9.0, "faults.over": 100.0})
	if diff := cmp.Diff(Faults{Nth: Numbers{9}, Over: 100, Streams: []int{2}}, have); err != nil || diff != "" {
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

// TestFaultsTravel takes failed allocations through a worker's answer and through a result file.
func TestFaultsTravel(t *testing.T) {
	want := []hip.Call{
		{Name: "hipMallocAsync", Bytes: 64, HasBytes: true, Stream: 2, HasStream: true, Result: driver.ErrorOutOfMemory, Cause: "loan", Origin: "a.lua:3", Injected: "allocation 1"},
		{Name: "hipMalloc", Bytes: 32, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: "script", Injected: "allocation 2"},
	}
	record := &luabind.Record{Faults: want, Stats: hip.Stats{Allocations: 3, Injected: 2}}
	if diff := cmp.Diff(want, pack(record, false).record().Faults); diff != "" {
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
