package host

import (
	"context"
	"errors"
	"testing"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/luabind"
	"roclua/workspace"
)

func TestTheGravestOutcomeDecidesTheExitCode(t *testing.T) {
	record := func(err error) *result {
		return &result{plannedCase: &plannedCase{}, record: &luabind.Record{End: luabind.EndOf(err)}}
	}
	pass, skip := record(nil), &result{plannedCase: &plannedCase{}, record: &luabind.Record{Skipped: "no such scheme"}}
	check := &result{plannedCase: &plannedCase{}, record: &luabind.Record{Checks: []luabind.Check{{}}}}
	leak := &result{plannedCase: &plannedCase{}, record: &luabind.Record{Problems: []string{"leak"}}}
	script := record(&luabind.Error{Message: "broken"})
	timeout := record(context.DeadlineExceeded)
	cancelled := record(context.Canceled)
	panicked := record(&luabind.InternalError{Where: "hip.malloc"})
	abort := record(&luabind.Abort{Abort: &workspace.Abort{}})
	missing := &result{plannedCase: &plannedCase{}, record: &luabind.Record{End: unavailableEnd(errors.New("no device"))}}
	for _, test := range []struct {
		results []*result
		want    exit.Code
	}{
		{[]*result{pass, skip}, exit.Pass}, {[]*result{pass, check}, exit.Failed}, {[]*result{leak}, exit.Failed}, {[]*result{abort}, exit.Failed},
		{[]*result{check, timeout}, exit.Timeout}, {[]*result{timeout, script}, exit.Script}, {[]*result{script, missing}, exit.Unavailable},
		{[]*result{missing, cancelled}, exit.Interrupted}, {[]*result{cancelled, panicked, check}, exit.Defect},
	} {
		if have := exitCode(test.results, nil, nil); have != test.want {
			t.Errorf("%d results: exit %d, want %d", len(test.results), have, test.want)
		}
	}
}

// TestAPanicCostsOneCase runs a case whose scenario is broken inside: the panic becomes its result.
func TestAPanicCostsOneCase(t *testing.T) {
	cfg := config.New("")
	r := &runner{cfg: cfg, jobs: 1, finished: func(*result) {}}
	broken := &plannedCase{id: "broken", target: cfg.Targets[0]}
	results := r.run(t.Context(), []*plannedCase{broken, {id: "skipped", skip: "for a reason"}})
	if results[0].outcome() != defect || results[1].outcome() != skippedCase || exitCode(results, nil, nil) != exit.Defect {
		t.Errorf("outcomes %s and %s", results[0].outcome(), results[1].outcome())
	}
}

func TestInterruptedCasesAreNotStarted(t *testing.T) {
	cfg := config.New("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &runner{cfg: cfg, jobs: 2, finished: func(*result) {}}
	results := r.run(ctx, []*plannedCase{{id: "a", target: cfg.Targets[0]}, {id: "b", target: cfg.Targets[0]}})
	if exitCode(results, nil, nil) != exit.Interrupted {
		t.Errorf("outcomes %s and %s", results[0].outcome(), results[1].outcome())
	}
}
