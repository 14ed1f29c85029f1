package merge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// planned is a plan and a folder with the events of its shards.
type planned struct {
	plan   *plan.Plan
	cases  plan.List
	folder string
}

// newRun plans one case for each scenario. Those whose name starts with "known" are known to fail.
func newRun(t *testing.T, scenarios ...string) *planned {
	t.Helper()
	var list []*plan.Scenario
	for _, name := range scenarios {
		sc := &plan.Scenario{Name: name, File: "solve.lua", Source: []byte("return { run = print }"),
			Declared: &record.Scenario{}}
		sc.Settings.KnownFailures = []config.Exception{{Match: "/^known/", Reason: "a defect"}}
		list = append(list, sc)
	}
	p, err := plan.New(config.New("solve.lua"), list)
	noError(t, err)
	return &planned{p, p.Cases, t.TempDir()}
}

// scenarios returns n names.
func scenarios(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("s%03d", i))
	}
	return names
}

// attempt is the record of one attempt of a shard.
type attempt struct {
	file        string
	shard       int   // 0 for a run that is not divided
	started     int64 // second
	version     string
	environment *record.Environment
	results     []*result.Result
	seconds     float64 // until its end; 0 when it was killed
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// path returns the path of a file of events.
func (p *planned) path(file string) string { return filepath.Join(p.folder, file+".jsonl") }

// write writes the events of attempts.
func (p *planned) write(t *testing.T, attempts ...attempt) {
	t.Helper()
	id, err := events.Identify(nil, p.plan)
	noError(t, err)
	for _, a := range attempts {
		b := events.Begin{Version: "v1", Started: time.Unix(a.started, 0).UTC(), Plan: id,
			Environment: a.environment, Cases: len(p.cases)}
		if a.version != "" {
			b.Version = a.version
		}
		if a.shard > 0 {
			b.Part = plan.Shard{Index: a.shard, Count: 9}
		}
		logs, err := events.Open(events.Options{Files: []string{p.path(a.file)}}, b, p.cases)
		noError(t, err)
		for _, r := range a.results {
			logs.Finished(r)
		}
		noError(t, logs.End(events.Summary{Seconds: a.seconds}))
		if a.seconds == 0 {
			p.edit(t, a.file, func(lines []string) []string { return lines[:len(lines)-1] })
		}
	}
}

// edit changes the lines of a file. Each has its end.
func (p *planned) edit(t *testing.T, file string, change func(lines []string) []string) {
	t.Helper()
	text, err := os.ReadFile(p.path(file))
	noError(t, err)
	lines := slices.Collect(strings.Lines(string(text)))
	noError(t, os.WriteFile(p.path(file), []byte(strings.Join(change(lines), "")), 0o600))
}

// replace replaces a part of a line, counted from 0.
func (p *planned) replace(t *testing.T, file string, line int, old, text string) {
	t.Helper()
	p.edit(t, file, func(lines []string) []string {
		if !strings.Contains(lines[line], old) {
			t.Fatalf("line %d of %s does not contain %s: %s", line, file, old, lines[line])
		}
		lines[line] = strings.Replace(lines[line], old, text, 1)
		return lines
	})
}

// ended returns the result of a case that recorded a value.
func (p *planned) ended(i int, value any) *result.Result {
	return &result.Result{Case: &p.cases[i].Case, Started: time.Unix(1000+int64(i), 0).UTC(),
		Record: &record.Record{Seconds: 1, Metrics: []record.Metric{{Name: "value", Value: value}}}}
}

// endedBy returns the result of a case that ended early.
func (p *planned) endedBy(i int, kind record.EndKind) *result.Result {
	r := p.ended(i, int64(0))
	r.Record.Metrics, r.Record.End = nil, &record.End{Kind: kind, Message: "ended"}
	return r
}

// open opens the files of the folder.
func (p *planned) open(t *testing.T) *Merge {
	t.Helper()
	m, err := Open(t.Context(), []string{p.folder}, "v1")
	noError(t, err)
	t.Cleanup(func() { m.Close() })
	return m
}

// merged is a case of a merge.
type merged struct {
	outcome  result.Outcome
	value    any // that the case recorded
	problems []string
}

// results reads all cases in their order.
func (p *planned) results(t *testing.T, m *Merge) []merged {
	t.Helper()
	var list []merged
	err := m.Each(func(i int, c *plan.Case, r *result.Result) error {
		if i != len(list) || c.ID != p.cases[i].ID || r.ID != c.ID {
			t.Errorf("case %d is %s with the result of %s, want %d, %s", i, c.ID, r.ID, len(list), p.cases[i].ID)
		}
		one := merged{outcome: r.Outcome()}
		if len(r.Record.Problems) > 0 {
			one.problems = r.Record.Problems
		}
		if len(r.Record.Metrics) > 0 {
			one.value = r.Record.Metrics[0].Value
		}
		list = append(list, one)
		return nil
	})
	noError(t, err)
	return list
}

// expect compares warnings, which start with the path of a file, without the folder.
func (p *planned) expect(t *testing.T, m *Merge, warnings ...string) {
	t.Helper()
	var have []string
	for _, w := range m.Warnings {
		have = append(have, strings.ReplaceAll(w, p.folder+string(filepath.Separator), ""))
	}
	if !slices.Equal(have, warnings) {
		t.Errorf("the warnings are %q, want %q", have, warnings)
	}
}
