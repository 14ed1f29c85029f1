package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/luabind/record"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

// caseOf returns a result of a scenario on a target, "cpu/rocm-7.2/gfx90a".
func caseOf(scenario string, n int, target string, record record.Record) *result.Result {
	place := strings.Split(target, "/")
	return &result.Result{Record: &record, Case: &result.Case{
		ID:       fmt.Sprintf("%s[n=%d]@%s", scenario, n, target),
		Scenario: scenario, Script: scenario + ".lua", Scheme: "managed", Params: map[string]any{"n": int64(n)},
		Platform: place[0], Profile: place[1], Arch: place[2]}}
}

// reportWith returns a report of results.
func reportWith(results ...*result.Result) *Report {
	return &Report{Version: "v1", Argv: []string{"roclua", "run"}, Config: config.New("solve.lua"), Exit: exit.Failed,
		Started: time.Unix(0, 0), Seconds: 1.25, Results: results,
		Environment: func() *record.Environment { return &record.Environment{OS: "linux", CPUArch: "amd64", CPUs: 2} }}
}

const target = "cpu/rocm-7.2/gfx90a"

// failedCheck returns a record with a check that failed, and a log.
func failedCheck(have int, log string) record.Record {
	return record.Record{Log: log, Seconds: 0.5, Checks: []record.Check{
		{Text: "first", Where: "solve.lua:3", Passed: true},
		{Text: "equal", Where: "solve.lua:7", Have: fmt.Sprint(have), Want: "1"}}}
}

// outcomes has a case of every outcome, and of most kinds of problems.
func outcomes() *Report {
	changed := caseOf("changed", 1, target, record.Record{})
	changed.Changes = []baseline.Change{{Kind: baseline.More, Case: changed.ID, Name: "bytes", Old: 64.0, New: 128.0}}
	known := caseOf("known", 1, target, failedCheck(5, ""))
	known.KnownFailure = "issue | 5"
	faulty := caseOf("faulty", 1, target, record.Record{Log: "a log\n",
		Stats: trace.Stats{Counts: trace.Counts{Injected: 4}},
		End: &record.End{Kind: record.EndScript, Message: "boom\nagain", Where: "faulty.lua:4", File: "faulty.lua",
			Line: 4, Traceback: "faulty.lua:4: in f\nfaulty.lua:9"},
		Faults: []record.Fault{{Call: "hipMalloc", Bytes: 64, Why: "every", Cause: trace.CauseScript},
			{Call: "hipMallocAsync", Bytes: 128, Why: "nth = 2", Cause: "growth", Stream: 3,
				Origin: "faulty.lua:3"}}})
	faulty.InjectsFaults = true
	unmet := caseOf("unmet", 1, target, record.Record{Log: "not shown\n"})
	unmet.InjectsFaults = true
	skippedFaults := caseOf("skipped", 4, target, record.Record{Skipped: "other"})
	skippedFaults.InjectsFaults = true
	passed := record.Record{Log: "printed\n\nmore\n", Seconds: 0.25, Metrics: []record.Metric{
		{Name: "bytes", Value: int64(64), Unit: "bytes"}, {Name: "x", Value: 3.14159, Unit: "s"},
		{Name: "text", Value: "a|b"}}}
	r := reportWith(caseOf("solve", 1, target, passed),
		caseOf("solve", 1, "cpu/rocm-6.4/gfx90a", record.Record{}),
		caseOf("solve", 2, target, failedCheck(2, "line 1\n\nline 2\n")), changed, known, faulty, unmet,
		caseOf("skipped", 1, target, record.Record{Skipped: "no GPU"}),
		caseOf("skipped", 2, target, record.Record{Skipped: "other"}),
		caseOf("skipped", 3, target, record.Record{Skipped: "no GPU"}), skippedFaults,
		caseOf("leaks", 1, target, record.Record{Problems: []string{"64 bytes leaked", "a stream leaked"}}),
		caseOf("ends", 1, target, record.Record{End: &record.End{Kind: record.EndCanceled}}),
		caseOf("ends", 2, target,
			record.Record{End: &record.End{Kind: record.EndDied, Message: "exited with code 3"}}))
	r.Overall = []record.Check{{Text: "faster", Have: "2 s", Want: "1 s"}, {Text: "fewer", Passed: true, Have: "1"}}
	r.Gone = []baseline.Change{{Kind: baseline.Gone, Case: "old[n=1]@" + target},
		{Kind: baseline.Gone, Case: "old[n=2]@" + target}}
	r.Updated = "baseline: 1 case was written\n"
	return r
}

// many returns a report of cases that have the same problem with different values; every third has another log.
func many(cases int, differ bool) *Report {
	var list []*result.Result
	for n := 1; n <= cases; n++ {
		have := 2
		if differ {
			have += n
		}
		c := caseOf(fmt.Sprintf("many_%c", 'a'+n), n, target, failedCheck(have, fmt.Sprintf("log %d\n", n/3)))
		c.Script = "many.lua"
		list = append(list, c)
	}
	return reportWith(list...)
}

// folders returns a report of so many scenarios that the table has a row for each folder, and rows for what is news: a
// failed case, a slow one, and one that is skipped for a reason that the last run had not. Measurements of a few cases
// and rare reasons are counted.
func folders() *Report {
	r := reportWith()
	add := func(scenario string, record record.Record) {
		for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
			r.Results = append(r.Results, caseOf(scenario, 1, "cpu/"+profile+"/gfx90a", record))
		}
	}
	for i := range wholeTable {
		add(fmt.Sprintf("query/all/q%d", i), record.Record{Seconds: 0.1})
	}
	add("query/all/slow", record.Record{Seconds: 1.5})
	add("solve/first", record.Record{Seconds: 1.5})
	add("solve/second", record.Record{Seconds: 1.4})
	add("solve/fails", failedCheck(2, ""))
	add("skips/earlier", record.Record{Skipped: "no GPU"})
	add("skips/also", record.Record{Skipped: "no GPU"})
	add("skips/new", record.Record{Skipped: "no memory"})
	for i := range maxReasons + 1 {
		add(fmt.Sprintf("skips/more%d", i), record.Record{Skipped: fmt.Sprintf("reason %d", i)})
	}
	add("alone", record.Record{})
	same := record.Distribution{Median: 1e-3, P95: 1e-3}
	for i := range foldedRows {
		r.Results[i].Record.Measurements = []record.Measurement{{Name: "first", Device: same, Host: same},
			{Name: "second", Device: same, Host: same, Notes: []string{"slow"}}}
		if i == 0 {
			r.Results[i].Record.Load = &record.Load{Clients: 2, Seconds: 1, Stopped: "count", Dropped: 1, Arrivals: 3}
		}
	}
	r.Skips = map[string][]string{"skips/earlier": {"no GPU"}, "skips/also": {"other", "no GPU"}, "skips/new": {}}
	r.Again = "roclua run --rerun-failed"
	return r
}

// severity returns a report of problems of every kind, the least severe first.
func severity() *Report {
	changed := func(scenario, name string, old, now any) *result.Result {
		c := caseOf(scenario, 1, target, record.Record{})
		c.Changes = []baseline.Change{{Kind: baseline.Changed, Case: c.ID, Name: name, Old: old, New: now}}
		return c
	}
	fresh := caseOf("new", 1, target, record.Record{})
	fresh.Changes = []baseline.Change{{Kind: baseline.New, Case: fresh.ID}}
	return reportWith(fresh, changed("time", "gemm"+baseline.MedianOf, 1.0, 2.0),
		changed("size", "bytes", int64(64), int64(128)),
		changed("status", "status.rocblas_dgemm.success", int64(1), int64(0)),
		caseOf("leak", 1, target, record.Record{Problems: []string{"64 bytes leaked"}}),
		caseOf("wrong", 1, target, failedCheck(2, "")))
}

// targets returns a report of one case on several platforms and architectures.
func targets() *Report {
	r := reportWith(caseOf("solve", 1, "cpu/rocm-7.2/gfx90a", record.Record{}),
		caseOf("solve", 1, "cpu/rocm-7.2/gfx942", record.Record{}),
		caseOf("solve", 1, "amd/rocm-7.2/gfx942", record.Record{Stats: trace.Stats{Counts: trace.Counts{Injected: 1}},
			Faults: []record.Fault{{Call: "hipMalloc", Bytes: 64, Why: "every", Cause: trace.CauseScript}}}))
	r.Results[2].InjectsFaults = true
	r.Exit = exit.Pass
	return r
}

// reports are those that testdata has, by name. Values that differ, or cases, are listed up to 9, and 8 of more.
var reports = map[string]func() *Report{
	"outcomes":   outcomes,
	"targets":    targets,
	"one":        func() *Report { return reportWith(caseOf("solve", 1, target, record.Record{})) },
	"values_9":   func() *Report { return many(9, true) },
	"values_10":  func() *Report { return many(10, true) },
	"same_in_9":  func() *Report { return many(9, false) },
	"same_in_11": func() *Report { return many(11, false) },
	"one_name": func() *Report {
		return reportWith(caseOf("solve", 2, target, failedCheck(2, "")),
			caseOf("solve", 3, target, failedCheck(2, "log\n")))
	},
	"folders":      folders,
	"severity":     severity,
	"without_logs": func() *Report { return reportWith(caseOf("solve", 2, target, failedCheck(2, ""))) },
}

// TestExpectedReports compares reports in the formats for people and CI systems with testdata, which -update rewrites.
func TestExpectedReports(t *testing.T) {
	for name, build := range reports {
		var have bytes.Buffer
		for _, format := range []string{"text", "markdown", "github", "junit", "tap"} {
			fmt.Fprintf(&have, "-- %s --\n", format)
			err := write(build(), &have, format)
			if err != nil {
				t.Error(err)
			}
		}
		for _, s := range []struct{ color, verbose bool }{{true, false}, {false, true}} {
			r := build()
			r.Verbose = s.verbose
			fmt.Fprintf(&have, "-- text, color %v, verbose %v --\n", s.color, s.verbose)
			to := output.Destination{Stdout: &have, Color: s.color}
			if err := output.Write([]output.Output{{Format: "text"}}, r, to); err != nil {
				t.Error(err)
			}
			explained, err := r.Explain(s.color)
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(&have, "-- explained, color %v, verbose %v --\n%s", s.color, s.verbose, explained)
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, have.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(have.Bytes(), want) {
			t.Errorf("differs from %s (%v):\n%s", path, err, &have)
		}
	}
}

// TestStreams checks which stream a report goes to, and which formats write workflow commands.
func TestStreams(t *testing.T) {
	for format, commands := range map[string]bool{"github": true, "tap": false} {
		for _, stderr := range []bool{false, true} {
			var out, errs bytes.Buffer
			r := outcomes()
			r.Results[0].ID = "\n::error::x@" + target
			err := output.Write([]output.Output{{Format: format, Stderr: stderr}}, r,
				output.Destination{Stdout: escape.Workflow(&out), Stderr: escape.Workflow(&errs)})
			used, unused := &out, &errs
			if stderr {
				used, unused = unused, used
			}
			if err != nil || used.Len() == 0 || unused.Len() != 0 {
				t.Errorf("%s, standard error %v: %v, %d and %d bytes", format, stderr, err, used.Len(), unused.Len())
			}
			if have := strings.Contains(used.String(), "\n::error "); have != commands {
				t.Errorf("%s, standard error %v: commands %v in\n%s", format, stderr, have, used)
			}
		}
	}
}

// TestShownResults checks that standard output has the cases that ran now, and files all.
func TestShownResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tap")
	for _, ran := range []int{0, 1} {
		r := outcomes()
		r.New = r.Results[:ran]
		var out bytes.Buffer
		to := output.Destination{Stdout: &out, System: atomicfile.OS}
		err := output.Write([]output.Output{{Format: "tap"}, {Format: "tap", File: path}}, r, to)
		file, missing := os.ReadFile(path)
		short := ran == 0 && out.Len() == 0 || strings.Contains(out.String(), "1..5\n")
		if err != nil || missing != nil || !short || !bytes.Contains(file, []byte("1..18\n")) {
			t.Errorf("%d ran: %v, %v\n%s\n%s", ran, err, missing, &out, file)
		}
	}
}

// TestSummaryOfTheStep checks that the format github appends the summary once.
func TestSummaryOfTheStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.md")
	r := outcomes()
	to := output.Destination{Stdout: io.Discard, System: atomicfile.OS, Summary: path}
	for _, format := range []string{"tap", "github"} {
		if err := output.Write([]output.Output{{Format: format}}, r, to); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || bytes.Count(text, []byte("### ❌ roclua: ")) != 1 {
		t.Errorf("%v: %s", err, text)
	}
	to.Summary = filepath.Join(path, "x")
	err := output.Write([]output.Output{{Format: "github"}}, r, to)
	if err == nil || !strings.HasPrefix(err.Error(), "the summary of the step: ") {
		t.Errorf("a summary that cannot be written: %v", err)
	}
}

// TestPageOfOutcomes checks what the page says about the run and about the history of cases.
func TestPageOfOutcomes(t *testing.T) {
	for code, want := range map[exit.Code]string{exit.Pass: `"passed":true`, exit.Failed: `"passed":false`} {
		r := reportWith(caseOf("solve", 1, target, record.Record{}),
			caseOf("solve", 2, target, record.Record{Skipped: "no GPU"}), caseOf("solve", 3, target, record.Record{}))
		r.Exit, r.Results[2].HistoryMissing = code, true
		var out bytes.Buffer
		if err := r.WriteHTML(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) || strings.Count(out.String(), "are not known: an earlier run") != 1 {
			t.Errorf("no %s, or the missing history is not shown once", want)
		}
	}
}
