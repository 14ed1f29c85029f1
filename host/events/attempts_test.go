package events

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/shard"
	"roclua/luabind/record"
)

func part(index, count int, by string) *Part {
	return &Part{shard.Shard{Index: index, Count: count}, by}
}

// writeRun writes the events of a run that began at a second and some of whose cases ended, each after one second.
func writeRun(t *testing.T, path string, p *plan.Plan, part *Part, second int64, ended ...int) {
	t.Helper()
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	b := Begin{Version: "v1", Argv: []string{path}, Started: time.Unix(second, 0), Plan: id, Part: part,
		Cases: len(cases)}
	logs, err := Open(Options{Files: []string{path}}, b, cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range ended {
		logs.Finished(&result.Result{Case: &cases[i].Case, Started: time.Unix(second, 0),
			Record: &record.Record{Seconds: 1, Metrics: []record.Metric{{Name: "begin", Value: second}}}})
	}
	for _, l := range logs.list {
		l.Close()
	}
}

// TestCheckPart compares the part of a plan in a file with a run's part.
func TestCheckPart(t *testing.T) {
	p := twoCases(t)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	for _, test := range []struct {
		file, run *Part
		want      string
	}{
		{nil, nil, ""}, {part(1, 2, ""), part(1, 2, ""), ""}, {part(1, 2, "x"), part(1, 2, "x"), ""},
		{part(1, 2, ""), nil, "has the events of shard 1/2, this is the whole plan; " +
			"give each shard its file, such as jsonl=" + strings.TrimSuffix(path, ".jsonl") + "-1.jsonl"},
		{nil, part(2, 3, ""), "has the events of the whole plan, this is shard 2/3; " +
			"give each shard its file, such as jsonl=" + strings.TrimSuffix(path, ".jsonl") + "-2.jsonl"},
		{part(1, 2, ""), part(2, 2, ""), "has the events of shard 1/2, this is shard 2/2"},
		{part(1, 2, ""), part(1, 3, ""), "has the events of shard 1/2, this is shard 1/3"},
		{part(1, 2, "x"), part(1, 2, ""), "the cases of shard 1/2 were divided by other durations (--shard-by)"},
	} {
		writeRun(t, path, p, test.file, 100)
		err := CheckPart(path, test.run)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %v: %v", test.file, test.run, err)
		}
	}
	other := filepath.Join(t.TempDir(), "other.jsonl")
	if err := CheckPart(other, part(1, 2, "")); err != nil {
		t.Errorf("a file that does not exist: %v", err)
	}
	for _, text := range []string{"", "{", `{"event":"begin","tool":"another"}` + "\n", "text\n"} {
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := CheckPart(other, part(1, 2, "")); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNewAttempt creates files for attempts of two shards. Each gets the first free number.
func TestNewAttempt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	for _, want := range []string{"1-of-2.1.jsonl", "1-of-2.2.jsonl", "1-of-2.3.jsonl"} {
		if path, err := NewAttempt(folder, part(1, 2, "")); err != nil || path != filepath.Join(folder, want) {
			t.Errorf("%s, %v, want %s", path, err, want)
		}
	}
	if path, err := NewAttempt(folder, part(2, 2, "")); err != nil || filepath.Base(path) != "2-of-2.1.jsonl" {
		t.Errorf("%s, %v", path, err)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if path, err := NewAttempt(file, part(1, 2, "")); err == nil {
		t.Errorf("below a file: %s", path)
	}
}

// TestAttempts reads the files of several attempts; some were killed before or within their first line.
func TestAttempts(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "with [brackets] * and ?")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	p := twoCases(t)
	cases := allOf(t, p)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	this := part(1, 2, "")
	read := func(version string, part *Part) (*Resumed, error) {
		now := planned(version, id, cases)
		now.Part = part
		return Attempts(folder, now)
	}
	if r, err := read("v1", this); r != nil || err != nil {
		t.Errorf("no attempts: %v, %v", r, err)
	}
	attempt := func(name string) string { return filepath.Join(folder, name) }
	writeRun(t, attempt("1-of-2.1.jsonl"), p, this, 200, 0)
	writeRun(t, attempt("1-of-2.2.jsonl"), p, this, 100, 0, 1)
	writeRun(t, attempt("1-of-2.3.jsonl"), p, this, 300)
	writeRun(t, attempt("2-of-2.1.jsonl"), p, part(2, 2, ""), 50, 0, 1)
	for name, text := range map[string]string{"1-of-2.4.jsonl": "", "1-of-2.5.jsonl": `{"event":"beg`} {
		if err := os.WriteFile(attempt(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := read("v1", this)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 2 || r.Results[0].Record.Metrics[0].Value != int64(200) ||
		r.Results[1].Record.Metrics[0].Value != int64(100) {
		t.Errorf("results %v", r.Results)
	}
	if !r.Started.Equal(time.Unix(100, 0)) || !slices.Equal(r.Argv, []string{attempt("1-of-2.2.jsonl")}) ||
		r.Elapsed != 2*time.Second {
		t.Errorf("%q began at %s and took %s", r.Argv, r.Started, r.Elapsed)
	}
	if _, err := read("v2", this); err == nil || !strings.Contains(err.Error(),
		"another folder keeps the runs apart") {
		t.Errorf("another version: %v", err)
	}
	if _, err := read("v1", part(1, 2, "x")); err == nil || !strings.Contains(err.Error(),
		"--shard-by") {
		t.Errorf("other durations: %v", err)
	}
	past := `{"event":"begin","tool":"roclua"}` + "\n"
	if err := os.WriteFile(attempt("1-of-2.6.jsonl"), []byte(past), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read("v1", this); err == nil || !strings.Contains(err.Error(),
		"schema_version 0") {
		t.Errorf("another format: %v", err)
	}
}
