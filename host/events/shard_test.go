package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

func part(index, count int) plan.Shard { return plan.Shard{Index: index, Count: count} }

// writeRun writes the events of a run that began at a second and some of whose cases ended, each after one second.
func writeRun(t *testing.T, path string, p *plan.Plan, part plan.Shard, second int64, ended ...int) {
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
		file, run plan.Shard
		want      string
	}{
		{plan.Shard{}, plan.Shard{}, ""}, {part(1, 2), part(1, 2), ""},
		{part(1, 2), plan.Shard{}, "has the events of shard 1/2, this is the whole plan; " +
			"give each shard its file, such as jsonl=" + strings.TrimSuffix(path, ".jsonl") + "-1.jsonl"},
		{plan.Shard{}, part(2, 3), "has the events of the whole plan, this is shard 2/3; " +
			"give each shard its file, such as jsonl=" + strings.TrimSuffix(path, ".jsonl") + "-2.jsonl"},
		{part(1, 2), part(2, 2), "has the events of shard 1/2, this is shard 2/2"},
		{part(1, 2), part(1, 3), "has the events of shard 1/2, this is shard 1/3"},
	} {
		writeRun(t, path, p, test.file, 100)
		err := CheckPart(path, test.run)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %v: %v", test.file, test.run, err)
		}
	}
	other := filepath.Join(t.TempDir(), "other.jsonl")
	if err := CheckPart(other, part(1, 2)); err != nil {
		t.Errorf("a file that does not exist: %v", err)
	}
	for _, text := range []string{"", "{", `{"event":"begin","tool":"another"}` + "\n", "text\n"} {
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := CheckPart(other, part(1, 2)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestShardBegins resumes the file of a shard as a scheduler does that starts each task by one command: before the file
// exists, after a kill within its first line, and after a kill between cases.
func TestShardBegins(t *testing.T) {
	p := twoCases(t)
	cases := allOf(t, p)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	now := planned("v1", id, cases)
	now.Part = part(1, 2)
	path := filepath.Join(t.TempDir(), "1.jsonl")
	for _, kill := range []string{"", `{"event":"beg`} {
		if kill != "" {
			if err := os.WriteFile(path, []byte(kill), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Resume(atomicfile.OS, path, now)
		if err != nil || r.Results != nil || !r.Started.IsZero() {
			t.Fatalf("%q: %v, %v", kill, r, err)
		}
		if _, err := Resume(atomicfile.OS, path, now); err == nil || !strings.Contains(err.Error(),
			"a running roclua writes") {
			t.Errorf("a file in use: %v", err)
		}
		logs, err := Open(Options{Resumed: r}, Begin{Version: "v1", Started: time.Unix(100, 0), Plan: id,
			Part: now.Part, Cases: 2}, cases)
		if err != nil {
			t.Fatal(err)
		}
		logs.Finished(&result.Result{Case: &cases[0].Case, Started: time.Unix(100, 0), Record: &record.Record{}})
		logs.list[0].Close()
		r, err = Resume(atomicfile.OS, path, now)
		if err != nil || count(r.Results) != 1 || !r.Started.Equal(time.Unix(100, 0)) {
			t.Errorf("after %q: %v, %v", kill, r, err)
		}
		r.file.Close()
	}
	if err := os.WriteFile(path, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(atomicfile.OS, path, now); err == nil || !strings.Contains(err.Error(), "no events of") {
		t.Errorf("another file: %v", err)
	}
}
