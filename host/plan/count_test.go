package plan

import (
	"runtime"
	"strings"
	"testing"

	"roclua/host/config"
	"roclua/luabind/record"
)

// TestPlansAreBounded makes sure that a plan of too many cases is an error before the cases are made.
func TestPlansAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it plans millions of cases")
	}
	thousand := make([]any, 1000)
	for i := range thousand {
		thousand[i] = float64(i)
	}
	for _, test := range []struct {
		settings config.Scenario
		want     string
	}{
		{config.Scenario{Repeat: 1_000_000_000}, "scenario s: repeat(1000000000) = 1000000000 cases; " +
			"a plan can have at most 1000000 with all its scenarios: choose fewer values"},
		{config.Scenario{Matrix: map[string]any{"n": "1:20000000"}}, "20000000 values, at most 1000000 are possible"},
		{config.Scenario{Matrix: map[string]any{"n": "1:20000", "m": thousand}}, "m(1000) x n(20000) = 20000000 cases"},
		{config.Scenario{Matrix: map[string]any{"n": "1:1000000"}, Repeat: 1 << 60},
			"n(1000000) x repeat(1152921504606846976) = 1152921504606846976000000 cases"},
		{config.Scenario{Zip: map[string]any{"n": "1:1000", "m": thousand}, Repeat: 20000},
			"m and n(1000) x repeat(20000) = 20000000 cases"},
		{config.Scenario{Matrix: map[string]any{"n": "1:500000"}, Repeat: 20,
			Schemes: []string{"managed", "manual"}}, "2 schemes x n(500000) x repeat(20) = 20000000 cases"},
		{config.Scenario{Matrix: map[string]any{"n": "1:201", "m": thousand}},
			"201000 cases are selected, a run can have at most 200000: select some with --filter"},
		{config.Scenario{Matrix: map[string]any{"n": "1:2000", "m": thousand}},
			"m(1000) x n(2000) = 2000000 cases"},
	} {
		sc := &Scenario{Name: "s", File: "s.lua", Settings: test.settings,
			Declared: &record.Scenario{Schemes: []string{"managed", "manual"}, Params: []record.Param{
				{Name: "m", Value: 1.0}, {Name: "n", Value: 1.0}}}}
		if sc.Settings.Schemes == nil {
			sc.Settings.Schemes = []string{"managed"}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := New(config.New(""), []*Scenario{sc})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 { // in total; a part of it at a time
			t.Errorf("%s: %d MiB were allocated", test.want, used>>20)
		}
	}
}
