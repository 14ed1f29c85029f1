package worker

import (
	"bytes"
	"encoding/gob"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
)

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
	if err := errors.Join(gob.NewEncoder(&pipe).Encode(reply{Record: &want}),
		gob.NewDecoder(&pipe).Decode(&have)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, have.Record); diff != "" {
		t.Error(diff)
	}
}

// TestPartsAreSentOnce sends requests through the protocol: what the worker knows is not sent again, and it gets every
// job whole.
func TestPartsAreSentOnce(t *testing.T) {
	var sent sent
	var known received
	job := func(script, source string, seed uint64) *Job {
		return &Job{ID: "x", Script: script, Source: []byte(source), Library: []string{"lib"}, BLAS: "go",
			Threads: 2, Env: map[string]string{"A": "b"},
			Case:   luabind.Case{Seed: seed, Params: map[string]any{"n": 4.0}},
			Limits: luabind.Limits{Heap: 7}}
	}
	var pipe bytes.Buffer
	encoder, decoder := gob.NewEncoder(&pipe), gob.NewDecoder(&pipe)
	for i, test := range []struct {
		*Job
		common, script bool // are sent
	}{
		{job("a.lua", "1", 1), true, true},
		{job("a.lua", "1", 2), false, false},
		{job("b.lua", "1", 2), false, true},
		{job("a.lua", "1", 3), false, false},
		{job("a.lua", "2", 3), false, true},
		{&Job{Script: "a.lua", Source: []byte("2"), Library: []string{"lib"}}, true, false},
	} {
		r := sent.job(test.Job, false, false)
		if (r.Common != nil) != test.common || (r.Script != nil) != test.script || r.Number != uint32(i+1) {
			t.Errorf("%d: sent %+v", i, r)
		}
		have := &request{}
		if err := errors.Join(encoder.Encode(r), decoder.Decode(have)); err != nil {
			t.Fatal(err)
		}
		known.add(have)
		if diff := cmp.Diff(test.Job, known.job(have)); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
	}
	for i := range 3 * scriptsKept {
		r := sent.job(job(string(rune('A'+i)), "x", 1), false, false)
		known.add(r)
		if have := known.job(r); have.Script != string(rune('A'+i)) {
			t.Errorf("script %d is %q", i, have.Script)
		}
	}
}
