package events

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "roclua/hip/cpu"
	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// twoCases plans two cases of a script, whose ids are A and B.
func twoCases(t *testing.T) *plan.Plan {
	t.Helper()
	source := []byte("return { run = print }")
	p, err := plan.New(config.New("solve.lua"), []*plan.Scenario{
		{Name: "a", File: "solve.lua", Source: source, Declared: &record.Scenario{}},
		{Name: "b", File: "solve.lua", Source: source, Declared: &record.Scenario{}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func allOf(_ *testing.T, p *plan.Plan) plan.List { return p.Cases }

// started writes the events of a run whose first case has ended.
func started(t *testing.T, path string, p *plan.Plan) *Logs {
	t.Helper()
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	cases := allOf(t, p)
	b := Begin{Version: "v1", Argv: []string{"roclua", "run"}, Started: time.Unix(100, 0), Plan: id,
		Cases: len(cases)}
	logs, err := Open(Options{Files: []string{path}}, b, cases)
	if err != nil {
		t.Fatal(err)
	}
	logs.Finished(&result.Result{Case: &cases[0].Case, Started: time.Unix(101, 0), Record: &record.Record{Seconds: 2,
		Metrics: []record.Metric{{Name: "n", Value: int64(7)}}}})
	return logs
}

// planned is a run that resumes another.
func planned(version string, id *Identity, cases plan.List) Planned {
	return Planned{Version: version, Plan: id, Cases: cases, Keep: func(*plan.Case, *result.Result) {}}
}

// count returns the number of cases that have a result.
func count(results []*result.Result) int {
	return len(slices.DeleteFunc(slices.Clone(results), func(r *result.Result) bool { return r == nil }))
}

func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	p := twoCases(t)
	cases := allOf(t, p)
	logs := started(t, path, p)
	id, err := Identify(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(atomicfile.OS, path, planned("v1", id, cases)); err == nil || !strings.Contains(err.Error(),
		"a running roclua writes") {
		t.Errorf("a file in use: %v", err)
	}
	for _, l := range logs.list { // as the exit of the program does
		l.Append([]byte(`{"event":"case","id":"b@`))
		l.Close()
	}
	r, err := Resume(atomicfile.OS, path, planned("v1", id, cases))
	if err != nil {
		t.Fatal(err)
	}
	a := r.Results[0]
	if count(r.Results) != 1 || a == nil || a.Outcome() != result.Passed || a.Record.Metrics[0].Value != int64(7) {
		t.Errorf("restored %v", r.Results)
	}
	if r.Elapsed != 3*time.Second || !r.Started.Equal(time.Unix(100, 0)) || !slices.Equal(r.Argv, []string{"roclua",
		"run"}) {
		t.Errorf("the run took %s from %s as %q", r.Elapsed, r.Started, r.Argv)
	}
	again, err := Open(Options{Resumed: r, Kept: Kept{Count: count(r.Results)}}, Begin{Version: "v1", Plan: id,
		Started: time.Unix(200, 0), Cases: len(cases)}, cases)
	if err != nil {
		t.Fatal(err)
	}
	b := &result.Result{Case: &cases[1].Case, Started: time.Unix(200, 0), Record: &record.Record{Seconds: 1}}
	again.Finished(b)
	failures := make([]output.Failure, failuresListed+5)
	if err := again.End(Summary{Results: []*result.Result{a, b}, Seconds: 4, Failures: failures}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	past, err := Parse(path, bytes.NewReader(text))
	if err != nil || !past.Ended || len(past.Cases) != 2 || strings.Count(string(text), "\n") != 5 ||
		strings.Count(string(text), `"title"`) != failuresListed+1 || !strings.Contains(string(text), `"5 more"`) {
		t.Errorf("%v, ended %v, %d cases in\n%s", err, past.Ended, len(past.Cases), text)
	}
}

func TestResumeRejectsAnotherRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	p := twoCases(t)
	for _, l := range started(t, path, p).list {
		l.Close()
	}
	changed := *p.Config
	changed.Seed = 9
	for _, test := range []struct {
		version string
		cfg     *config.Config
		args    []string
		want    string
	}{
		{"v2", p.Config, nil, "version v1 of the program wrote the events, this is v2"},
		{"v1", &changed, nil, "seed: was 1, is 9"},
		{"v1", p.Config, []string{"x"}, `arguments of scripts: were [], are ["x"]`},
	} {
		other := *p
		other.Config = test.cfg
		id, err := Identify(test.args, &other)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Resume(atomicfile.OS, path, planned(test.version, id, allOf(t, p)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// FuzzParse reads event files. Text that cannot be read is an error that names the file.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"event":"begin","schema_version":1,"tool":"roclua","cases":2}` + "\n" + `{"event":"case","id":"a"}` + "\n" +
			`{"ev`,
		`{"event":"begin","schema_version":2,"tool":"roclua"}` + "\n", "", "[]\n", `{"event":"end"}` + "\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		past, err := Parse("fuzz.jsonl", bytes.NewReader(text))
		if err != nil && !strings.HasPrefix(err.Error(), "fuzz.jsonl:") {
			t.Errorf("the error names no file: %v", err)
		}
		if past.whole > int64(len(text)) {
			t.Errorf("%d bytes are complete, of %d", past.whole, len(text))
		}
	})
}

// TestModuleDigests digests modules in a folder, and files to which links lead out of it or that do not end.
func TestModuleDigests(t *testing.T) {
	outside, folder := filepath.Join(t.TempDir(), "secret"), t.TempDir()
	inside := filepath.Join(folder, "lib.lua")
	for _, path := range []string{outside, inside} {
		if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var paths []string
	for name, target := range map[string]string{"out.lua": outside, "zero.lua": "/dev/zero"} {
		paths = append(paths, filepath.Join(folder, name))
		if err := os.Symlink(target, paths[len(paths)-1]); err != nil {
			t.Skip(err)
		}
	}
	digests := fileDigests(append(paths, inside, outside, folder), []string{folder})
	if digests[inside] != digest([]byte("text")) {
		t.Errorf("the module has the digest %q", digests[inside])
	}
	delete(digests, inside)
	for path, digest := range digests {
		if digest != "" {
			t.Errorf("%s has the digest %s", path, digest)
		}
	}
}

// endless is a file of one byte over and over.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestLongLines reads lines that no run writes: of events until they are too long, of other text to their end.
func TestLongLines(t *testing.T) {
	begin := func(limits string) *Past {
		p := &Past{}
		line := `{"event":"begin","tool":"roclua","plan":{"config":{` + limits + `}}}`
		if err := p.add([]byte(line)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for limits, want := range map[string]int{`"limits":{"output":1048576}`: maxHistory + 8<<20,
		`"limits":{"output":0}`: math.MaxInt, "": math.MaxInt} {
		if have := begin(limits).longest(); have != want {
			t.Errorf("%s: %d, want %d", limits, have, want)
		}
	}
	if have := (&Past{}).longest(); have != maxBegin {
		t.Errorf("a begin: %d", have)
	}
	event := io.MultiReader(strings.NewReader(`{"event":"case","id":"`), endless('x'))
	_, err := readLine(bufio.NewReader(event), 1<<20)
	if !isRefused(err) || err.Error() != "the line has more than 1048576 bytes" {
		t.Error(err)
	}
	other := bufio.NewReader(io.MultiReader(io.LimitReader(endless(0), 8<<20), strings.NewReader("\n{}\n")))
	if line, err := readLine(other, 1<<20); err != nil || len(line) > 1<<16 {
		t.Errorf("other text: %d bytes, %v", len(line), err)
	}
	if line, err := readLine(other, 1<<20); err != nil || string(line) != "{}" {
		t.Errorf("the line after it: %q, %v", line, err)
	}
}
