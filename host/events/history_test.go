package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/trace"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// TestHistories writes cases with and without their history and restores them.
func TestHistories(t *testing.T) {
	p := twoCases(t)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	for _, history := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		logs, err := Open(Options{Files: []string{path}, History: history}, Begin{Version: "v1", Plan: id,
			Cases: 2}, cases)
		if err != nil {
			t.Fatal(err)
		}
		logs.Finished(&result.Result{Case: &cases[0].Case, Record: &record.Record{History: trace.History{Capacity: 7}}})
		logs.Finished(&result.Result{Case: &cases[1].Case, Record: &record.Record{}, HistoryMissing: true})
		for _, l := range logs.list {
			l.Close()
		}
		r, err := Resume(atomicfile.OS, path, planned("v1", id, cases))
		if err != nil {
			t.Fatal(err)
		}
		a, b := r.Results[0], r.Results[1]
		if a.HistoryMissing == history || (a.Record.History.Capacity == 7) != history || !b.HistoryMissing {
			t.Errorf("history %t: missing %t and %t, capacity %d", history, a.HistoryMissing, b.HistoryMissing,
				a.Record.History.Capacity)
		}
		r.file.Close()
	}
}

// TestKnownFailures restores cases that fail: one that is known to fail did not fail, which its check shows.
func TestKnownFailures(t *testing.T) {
	p := twoCases(t)
	for i, c := range allOf(t, p) {
		known := i == 0
		if known {
			c.KnownFailure = "a defect"
		}
		for _, outcome := range []result.Outcome{result.Passed, result.Failed} {
			r := Restored(c, &result.Line{Entry: result.Entry{Outcome: outcome}})
			if r.PassedUnexpectedly != (known && outcome == result.Failed) {
				t.Errorf("known %t, %s: %v", known, outcome, r)
			}
		}
	}
}

// TestResumedFileIsContinued names the file of the resumed run as output, too. It is continued, and not replaced.
func TestResumedFileIsContinued(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "run.jsonl"), filepath.Join(folder, "other.jsonl")
	p := twoCases(t)
	for _, l := range started(t, path, p).list {
		l.Close()
	}
	if err := os.WriteFile(other, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	r, err := Resume(atomicfile.OS, path, planned("v1", id, cases))
	if err != nil {
		t.Fatal(err)
	}
	kept := Kept{Count: 1, Each: func(f func(*result.Result) error) error { return f(r.Results[0]) }}
	logs, err := Open(Options{Files: []string{path, other}, Resumed: r, Kept: kept}, Begin{Version: "v1", Plan: id,
		Cases: 2}, cases)
	if err != nil {
		t.Fatal(err)
	}
	if err := logs.End(Summary{}); err != nil {
		t.Error(err)
	}
	for file, begins := range map[string]int{path: 2, other: 1} {
		text, err := os.ReadFile(file)
		if err != nil || strings.Count(string(text), `{"event":"begin"`) != begins ||
			strings.Count(string(text), `{"event":"case"`) != 1 {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}

// counted counts how often it is written to disk.
type counted struct {
	stream
	syncs int
}

func (c *counted) Sync() error { c.syncs++; return nil }

// TestSync writes the first line to disk, and no line that follows at once.
func TestSync(t *testing.T) {
	out := &counted{stream: stream{&strings.Builder{}}}
	l := &log{lines: out}
	for range 3 {
		l.write(End{})
	}
	if l.err != nil || out.syncs != 1 {
		t.Errorf("%d times, %v", out.syncs, l.err)
	}
}
