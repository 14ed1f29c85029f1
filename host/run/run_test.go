package run

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind"
)

// TestAPanicEndsOneCase runs a case without a scenario: the panic becomes its result.
func TestAPanicEndsOneCase(t *testing.T) {
	cfg := config.New("")
	r := &Runner{Config: cfg, Jobs: 1}
	broken := &plan.Case{Case: result.Case{ID: "broken"}, Target: cfg.Targets[0]}
	results := r.Run(t.Context(), []*plan.Case{broken, {Case: result.Case{ID: "skipped"}, Skip: "for a reason"}})
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
	results := r.Run(ctx, []*plan.Case{{Target: cfg.Targets[0]}, {Target: cfg.Targets[0]}})
	if result.ExitCode(results, nil, nil) != exit.Interrupted {
		t.Errorf("outcomes %s and %s", results[0].Outcome(), results[1].Outcome())
	}
}

// TestRepliesKeepRecords sends a record through the protocol of worker processes.
func TestRepliesKeepRecords(t *testing.T) {
	want := luabind.Record{Stats: hip.Stats{Allocations: 3, Injected: 2}, Metrics: []luabind.Metric{{Name: "n",
		Value: int64(7)}},
		End: &luabind.End{Kind: luabind.EndLimit, Where: "a.lua:3", Limit: &luabind.LimitUse{Name: "heap", Max: 1,
			Used: 2}},
		Faults: []hip.Call{
			{Name: "hipMallocAsync", Bytes: 64, HasBytes: true, Stream: 2, HasStream: true,
				Result: driver.ErrorOutOfMemory, Cause: "growth",
				Origin: "a.lua:3", Injected: "allocation 1"},
			{Name: "hipMalloc", Bytes: 32, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: "script",
				Injected: "allocation 2"},
		}}
	var pipe bytes.Buffer
	var have reply
	if err := errors.Join(gob.NewEncoder(&pipe).Encode(reply{Record: want}),
		gob.NewDecoder(&pipe).Decode(&have)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have.Record); diff != "" {
		t.Error(diff)
	}
}
