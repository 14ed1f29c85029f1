package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/host/config"
	"roclua/host/result"
	"roclua/luabind/record"
)

// randomScenarios returns scenarios with random axes, steps, schemes and repetitions.
func randomScenarios(t *testing.T, r *rand.Rand) (*config.Config, []*Scenario) {
	cfg := config.New("s.lua")
	cfg.Shuffle, cfg.Seed = r.IntN(2) == 0, r.Uint64N(100)
	cfg.Params = map[string]any{"k": int64(r.IntN(9))}
	cfg.Targets = append(cfg.Targets, config.Target{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx942"})
	var list []*Scenario
	for i := range 1 + r.IntN(3) {
		sc := &Scenario{Name: fmt.Sprint("s", i), File: "s.lua", Declared: &record.Scenario{About: "about",
			Params: []record.Param{{Name: "n", Value: 1.0}, {Name: "k", Value: 2.0}, {Name: "type", Value: "d"},
				{Name: "flag", Value: false}}}}
		sc.Settings.Repeat = r.IntN(3)
		sc.Settings.KnownFailures = []config.Exception{{Match: "n=3", Reason: "three"}}
		matrix := map[string]any{"n": "1:" + fmt.Sprint(1+r.IntN(9)), "type": []any{"s", "d"}}
		if r.IntN(2) == 0 {
			matrix["flag"] = []any{true, false}
		}
		if r.IntN(2) == 0 {
			sc.Declared.Schemes = []string{"managed", "manual"}
		}
		if r.IntN(2) == 0 {
			delete(matrix, "type")
			sc.Settings.Zip = map[string]any{"type": []any{"s", "d", "c"}, "k": []any{0.5, int64(1), "64K"}}
		}
		sc.Settings.Matrix = matrix
		list = append(list, sc)
	}
	return cfg, list
}

// TestOutlineIsThePlan compares the cases of plans with the cases of their outlines, written and read.
func TestOutlineIsThePlan(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 14))
		p, err := New(randomScenarios(t, r))
		if err != nil {
			t.Fatal(err)
		}
		switch r.IntN(5) {
		case 0:
			p.Filter = []string{"/n=[2-5]/", "n=3", "type=d", "s1", "scheme=manual,k=64K"}[r.IntN(5)]
		case 1:
			p.Only = []string{p.Cases[r.IntN(len(p.Cases))].ID, p.Cases[0].ID, "none"}
		case 2:
			p.Filter = p.Cases[r.IntN(len(p.Cases))].ID
		case 3:
			p.Parts[0].Only = []string{p.Cases[r.IntN(len(p.Cases))].ID}
		}
		if p, err = p.complete(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(p.Outline)
		if err != nil {
			t.Fatal(err)
		}
		var read Outline
		if err := result.Decode(text, &read); err != nil {
			t.Fatal(err)
		}
		if err := read.Restore(); err != nil {
			t.Fatal(err)
		}
		again, _, err := read.Cases(Shard{})
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := json.Marshal(read); !bytes.Equal(second, text) {
			t.Errorf("seed %d: the outline is written as\n%s\nand then as\n%s", seed, text, second)
		}
		if len(again) != len(p.Cases) {
			t.Fatalf("seed %d: %d cases, of %d", seed, len(again), len(p.Cases))
		}
		for i, a := range p.Cases {
			b := again[i]
			x, _ := json.Marshal(a.Case)
			y, _ := json.Marshal(b.Case)
			if !bytes.Equal(x, y) || a.Skip != b.Skip || a.First != b.First {
				t.Fatalf("seed %d, case %d: %s, %s", seed, i, x, y)
			}
		}
	}
}

// TestCaseIDsAreUnique finds cases of one id in all the places where they may come from.
func TestCaseIDsAreUnique(t *testing.T) {
	for name, change := range map[string]func(*config.Config, *Scenario){
		"axis":    func(_ *config.Config, sc *Scenario) { sc.Settings.Matrix["n"] = []any{1.0, 2.0, 1.0} },
		"steps":   func(_ *config.Config, sc *Scenario) { sc.Settings.Zip = map[string]any{"k": []any{1.0, 1.0}} },
		"schemes": func(_ *config.Config, sc *Scenario) { sc.Declared.Schemes = []string{"manual", "manual"} },
		"targets": func(cfg *config.Config, _ *Scenario) { cfg.Targets = append(cfg.Targets, cfg.Targets[0]) },
		"text": func(_ *config.Config, sc *Scenario) {
			sc.Settings.Matrix["type"] = []any{"a", "a,u=b"}
			sc.Settings.Matrix["u"] = []any{"b", "b,u=b"}
		},
	} {
		cfg := config.New("s.lua")
		sc := &Scenario{Name: "s", File: "s.lua", Declared: &record.Scenario{Params: []record.Param{
			{Name: "n", Value: 1.0}, {Name: "k", Value: 2.0}, {Name: "type", Value: "d"}, {Name: "u", Value: "d"}}}}
		sc.Settings.Matrix = map[string]any{"n": []any{1.0, 2.0}}
		if _, err := New(cfg, []*Scenario{sc}); err != nil {
			t.Fatal(err)
		}
		change(cfg, sc)
		if _, err := New(cfg, []*Scenario{sc}); err == nil {
			t.Errorf("two cases have one id: %s", name)
		}
	}
	cfg, list := randomScenarios(t, rand.New(rand.NewPCG(1, 1)))
	if _, err := New(cfg, append(list, list[0])); err == nil {
		t.Error("two scenarios have one name")
	}
}

// BenchmarkPlan lists 200,000 cases.
func BenchmarkPlan(b *testing.B) {
	sc := &Scenario{Name: "s", File: "s.lua", Declared: &record.Scenario{Params: []record.Param{
		{Name: "n", Value: 1.0}, {Name: "m", Value: 1.0}, {Name: "type", Value: "d"}}}}
	sc.Settings.Matrix = map[string]any{"n": "1:1000", "m": "1:50", "type": []any{"s", "d", "c", "z"}}
	for b.Loop() {
		if _, err := New(config.New("s.lua"), []*Scenario{sc}); err != nil {
			b.Fatal(err)
		}
	}
}
