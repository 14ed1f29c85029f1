package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

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
		switch r.IntN(4) {
		case 0:
			p.Filter = "n=[2-5]"
		case 1:
			p.Only = []string{p.ID(r.IntN(p.Len())), p.ID(0), "none"}
		case 2:
			p.Parts[0].ID = p.ID(r.IntN(p.Len()))
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
		again, err := read.Cases()
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := json.Marshal(read); !bytes.Equal(second, text) {
			t.Errorf("seed %d: the outline is written as\n%s\nand then as\n%s", seed, text, second)
		}
		if again.Len() != p.Len() {
			t.Fatalf("seed %d: %d cases, of %d", seed, again.Len(), p.Len())
		}
		for i := range p.Len() {
			a, b := p.Case(i), again.Case(i)
			x, _ := json.Marshal(a.Case)
			y, _ := json.Marshal(b.Case)
			shown, _ := json.Marshal(again.Shown(i))
			if !bytes.Equal(x, y) || !bytes.Equal(x, shown) || a.Skip != b.Skip || a.First != b.First ||
				a.ID != p.ID(i) {
				t.Fatalf("seed %d, case %d: %s, %s, %s", seed, i, x, y, shown)
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

// million returns a scenario with a million cases.
func million(tb testing.TB) (*config.Config, []*Scenario) {
	sc := &Scenario{Name: "s", File: "s.lua", Declared: &record.Scenario{Params: []record.Param{
		{Name: "n", Value: 1.0}, {Name: "m", Value: 1.0}, {Name: "type", Value: "d"}}}}
	sc.Settings.Matrix = map[string]any{"n": "1:1000", "m": "1:250", "type": []any{"s", "d", "c", "z"}}
	return config.New("s.lua"), []*Scenario{sc}
}

// TestMillionCases plans a million cases and makes a thousand of them.
func TestMillionCases(t *testing.T) {
	cfg, list := million(t)
	began := time.Now()
	p, err := New(cfg, list)
	if err != nil || p.Len() != 1_000_000 {
		t.Fatal(p.Len(), err)
	}
	cases := slices.Collect(func(yield func(*Case) bool) {
		for i := 6; i < p.Len() && yield(p.Case(i)); i += 1000 {
		}
	})
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d cases in %s, heap %d MiB", len(cases), time.Since(began), m.HeapAlloc>>20)
	if m.HeapAlloc > 100<<20 {
		t.Errorf("the plan takes %d bytes", m.HeapAlloc)
	}
	if last := p.ID(999_999); last != "s[m=250,n=1000,type=z]@cpu/rocm-7.2/gfx90a" {
		t.Error(last)
	}
	sc := list[0]
	sc.Settings.Matrix["k"] = "1:1000"
	sc.Declared.Params = append(sc.Declared.Params, record.Param{Name: "k", Value: 1.0})
	if _, err := New(cfg, list); err == nil {
		t.Error("a plan has a thousand million cases")
	}
}

// BenchmarkMillionIDs lists the ids of a million cases, as a filter or a merge does.
func BenchmarkMillionIDs(b *testing.B) {
	cfg, list := million(b)
	for b.Loop() {
		p, err := New(cfg, list)
		if err != nil {
			b.Fatal(err)
		}
		for i := range p.Len() {
			p.ID(i)
		}
	}
}
