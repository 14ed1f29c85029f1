package run

import (
	"context"
	"testing"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/vm/bounds"
)

// TestAPanicEndsOneCase runs a case without a scenario: the panic becomes its result.
func TestAPanicEndsOneCase(t *testing.T) {
	cfg := config.New("")
	r := &Runner{Config: cfg, Jobs: 1}
	broken := &plan.Case{Case: result.Case{ID: "broken"}, Target: &cfg.Targets[0]}
	results := r.Run(t.Context(), plan.List{broken, {Case: result.Case{ID: "skipped"}, Skip: "for a reason"}})
	if results[0].Outcome() != result.Internal || results[1].Outcome() != result.Skipped || result.ExitCode(results,
		nil, nil) != exit.Defect {
		t.Errorf("outcomes %s and %s", results[0].Outcome(), results[1].Outcome())
	}
}

func TestInterruptedCasesAreNotStarted(t *testing.T) {
	cfg := config.New("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Runner{Config: cfg, Jobs: 2}
	results := r.Run(ctx, plan.List{{Target: &cfg.Targets[0]}, {Target: &cfg.Targets[0]}})
	if result.ExitCode(results, nil, nil) != exit.Interrupted {
		t.Errorf("outcomes %s and %s", results[0].Outcome(), results[1].Outcome())
	}
}

// TestDefaultJobs checks how many cases run in parallel on a machine with eight processors.
func TestDefaultJobs(t *testing.T) {
	for _, test := range []struct {
		change func(*config.Config)
		want   int
	}{
		{func(*config.Config) {}, 8},
		{func(c *config.Config) { c.Sandbox = bounds.SandboxFull }, 1},
		{func(c *config.Config) { c.Sandbox, c.Jobs = bounds.SandboxFull, 3 }, 3},
		{func(c *config.Config) { c.Targets[0].Platform = "nvidia" }, 1},
	} {
		cfg := config.New("")
		test.change(cfg)
		if have := DefaultJobs(cfg, 8); have != test.want {
			t.Errorf("%s, %s, jobs %d: %d, want %d", cfg.Sandbox, cfg.Targets[0].Platform, cfg.Jobs, have, test.want)
		}
	}
}
