package worker

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/luabind/record"
)

// TestMessages sends messages, a long one among them, and receives them and the rest of the last one.
func TestMessages(t *testing.T) {
	var pipe bytes.Buffer
	out := newSender(&pipe)
	lengths := []int{0, 1, keptMessage, 3, keptMessage * 2, 0}
	for i, n := range lengths {
		r := &reply{Number: uint32(i), Printed: bytes.Repeat([]byte{'x'}, n)}
		if err := errors.Join(out.send(r), out.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	sent := pipe.Bytes()
	in := newReceiver(bytes.NewReader(sent))
	for i, n := range lengths {
		var r reply
		if err := in.receive(&r); err != nil || r.Number != uint32(i) || len(r.Printed) != n {
			t.Errorf("message %d: %d bytes, %v", i, len(r.Printed), err)
		}
	}
	if err := in.receive(&reply{}); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for _, damaged := range []string{string(sent[:1]), string(sent[:2]), "m\xff", "m\x01",
		"m\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "m\x03\xff\xff\xff"} {
		if err := newReceiver(strings.NewReader(damaged)).receive(&reply{}); err == nil || err == io.EOF {
			t.Errorf("%q: %v", damaged, err)
		}
	}
	foreign := append([]byte{0x80}, sent...) // a library wrote a byte before the first message
	if err := newReceiver(bytes.NewReader(foreign)).receive(&reply{}); err == nil ||
		!strings.Contains(err.Error(), "starts with the byte 0x80") {
		t.Errorf("after a byte that is not of a message: %v", err)
	}
	bad := &reply{Record: &record.Record{Metrics: []record.Metric{{Value: struct{ x int }{}}}}}
	if err := out.send(bad); err == nil || out.Buffered() > 0 {
		t.Errorf("a value of another type was sent: %v", err)
	}
}

// TestPartsAreSentOnce sends requests through the protocol: what the worker knows is not sent again, and it gets every
// job whole.
func TestPartsAreSentOnce(t *testing.T) {
	var sent sent
	var known received
	job := func(script, source string, seed uint64) *Job {
		return &Job{Work{ID: "x", Case: record.Case{Seed: seed, Params: map[string]any{"n": 4.0}}},
			File{Script: script, Source: []byte(source), Library: []string{"lib"}},
			Settings{Threads: 2, Env: map[string]string{"A": "b"}, Limits: record.Limits{Heap: 7}}}
	}
	var pipe bytes.Buffer
	out, in := newSender(&pipe), newReceiver(&pipe)
	for i, test := range []struct {
		*Job
		settings, script bool // are sent
	}{
		{job("a.lua", "1", 1), true, true},
		{job("a.lua", "1", 2), false, false},
		{job("b.lua", "1", 2), false, true},
		{job("a.lua", "1", 3), false, false},
		{job("a.lua", "2", 3), false, true},
		{&Job{File: File{Script: "a.lua", Source: []byte("2"), Library: []string{"lib"}}}, true, false},
	} {
		r := sent.request(test.Settings, &test.File, &test.Work, false, false)
		if (r.Settings != nil) != test.settings || (r.File != nil) != test.script || r.Number != uint32(i+1) {
			t.Errorf("%d: sent %+v", i, r)
		}
		have := &request{}
		if err := errors.Join(out.send(r), out.Flush(), in.receive(have)); err != nil {
			t.Fatal(err)
		}
		known.add(have)
		if diff := cmp.Diff(test.Job, known.job(have)); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
	}
	for i := range 3 * filesKept {
		j := job(string(rune('A'+i)), "x", 1)
		r := sent.request(j.Settings, &j.File, &j.Work, false, false)
		known.add(r)
		if have := known.job(r); have.Script != string(rune('A'+i)) {
			t.Errorf("script %d is %q", i, have.Script)
		}
	}
}
