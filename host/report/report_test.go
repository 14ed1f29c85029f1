package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/report/page"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/internal/revision"
	"roclua/luabind/record"
)

// sample is a report of a case that passed, one that failed, and one that was skipped.
func sample() *Report {
	of := func(scheme string, record record.Record) *result.Result {
		return &result.Result{Record: &record, Case: &result.Case{ID: "solve[scheme=" + scheme +
			"]@cpu/rocm-7.2/gfx90a",
			Scenario: "solve", Script: "solve.lua", Scheme: scheme, Platform: "cpu", Profile: "rocm-7.2",
			Arch: "gfx90a"}}
	}
	return &Report{Version: "v1", Argv: []string{"roclua", "run"}, Config: config.New("solve.lua"), Exit: exit.Failed,
		Started: time.Unix(0, 0), Environment: func() *record.Environment { return &record.Environment{} },
		Results: []*result.Result{
			of("managed", record.Record{Metrics: []record.Metric{{Name: "bytes", Value: int64(64), Unit: "bytes"}}}),
			of("manual", record.Record{Checks: []record.Check{{Text: "equal", Where: "solve.lua:7", Have: "1",
				Want: "2"}}}),
			of("user_owned", record.Record{Skipped: "no reason"}),
		}}
}

// write writes a report in a format.
func write(r *Report, w io.Writer, format string) error {
	return output.Write([]output.Output{{Format: format}}, r, output.Destination{Stdout: w, System: atomicfile.OS})
}

// junitSuites is the part of a JUnit report that tests read.
type junitSuites struct {
	Tests  int `xml:"tests,attr"`
	Suites []struct {
		Name  string      `xml:"name,attr"`
		Cases []junitCase `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	Time       string           `xml:"time,attr"`
	Properties *junitProperties `xml:"properties"`
	Failure    *junitMessage    `xml:"failure"`
	Error      *junitMessage    `xml:"error"`
	Skipped    *junitMessage    `xml:"skipped"`
	Out        *junitText       `xml:"system-out"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// TestFormats writes the sample in every format. The failed case is in each of them.
func TestFormats(t *testing.T) {
	valid := map[string]func([]byte) error{
		"json":  func(text []byte) error { return json.Unmarshal(text, &map[string]any{}) },
		"trace": func(text []byte) error { return json.Unmarshal(text, &map[string]any{}) },
		"junit": func(text []byte) error { return xml.Unmarshal(text, &junitSuites{}) },
		"csv": func(text []byte) error {
			_, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			return err
		},
	}
	for _, f := range output.Formats {
		if f.Write == nil {
			continue
		}
		var out bytes.Buffer
		err := write(sample(), &out, f.Name)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if !strings.Contains(out.String(), "manual") {
			t.Errorf("%s has no line about the failed case:\n%s", f.Name, &out)
		}
		if check := valid[f.Name]; check != nil {
			if err := check(out.Bytes()); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		merged := sample() // of files that do not say where they ran
		merged.Environment = func() *record.Environment { return nil }
		err = write(merged, io.Discard, f.Name)
		if err != nil {
			t.Errorf("%s without environment: %v", f.Name, err)
		}
	}
}

// TestOneFailingOutputDoesNotPreventOthers writes to a folder that does not exist, and to a file.
func TestOneFailingOutputDoesNotPreventOthers(t *testing.T) {
	folder := t.TempDir()
	outs := []output.Output{{Format: "csv", File: filepath.Join(folder, "missing", "x.csv")},
		{Format: "tap", File: filepath.Join(folder, "x.tap")}}
	err := output.Write(outs, sample(), output.Destination{Stdout: io.Discard, System: atomicfile.OS})
	if !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "--out csv: ") {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(outs[1].File); err != nil || !strings.HasPrefix(string(text),
		"TAP version 14\n1..3\n") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestColumnsOfCSV writes parameters and metrics. One metric has the name of a parameter.
func TestColumnsOfCSV(t *testing.T) {
	r := sample()
	r.Results[0].Params = map[string]any{"n": int64(64), "scheme": "x", "type": "d"}
	r.Results[1].Params = map[string]any{"n": 0.5}
	r.Results[1].Record.Metrics = []record.Metric{{Name: "type", Value: "z"}}
	var out bytes.Buffer
	if err := write(r, &out, "csv"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{
		{"n", "param.scheme", "param.type", "bytes", "type"}, {"64", "x", "d", "64", ""}, {"0.5", "", "", "", "z"},
		{"", "", "", "", ""},
	} {
		if have := rows[i][len(caseColumns):]; !slices.Equal(have, want) {
			t.Errorf("row %d: %q, want %q", i, have, want)
		}
	}
}

func TestMetricsAreJUnitProperties(t *testing.T) {
	var out bytes.Buffer
	if err := write(sample(), &out, "junit"); err != nil {
		t.Fatal(err)
	}
	var doc junitSuites
	if err := xml.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	cases := doc.Suites[0].Cases
	if p := cases[0].Properties; p == nil || !slices.Equal(p.List, []junitProperty{{"bytes", "64"}}) {
		t.Errorf("properties %+v", p)
	}
	if cases[1].Properties != nil || strings.Count(out.String(), "<properties>") != 1 {
		t.Errorf("properties of a case without metrics:\n%s", &out)
	}
}

func TestTAPEscapesText(t *testing.T) {
	r := sample()
	r.Results[0].ID, r.Results[2].Record.Skipped = `a\b # TODO`, "not # this\none"
	var out bytes.Buffer
	if err := write(r, &out, "tap"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"TAP version 14\n1..3\n", "\nok 1 - a\\\\b \\# TODO\n",
		" # SKIP not \\# this one\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// TestPageOfFailures checks the header and the failures of the page.
func TestPageOfFailures(t *testing.T) {
	r := sample()
	r.Profiles = []record.Profile{{Name: "rocm-6.4", Distribution: "Debian sid", Packages: []string{"a 1", "b 2"}}}
	r.Environment = func() *record.Environment {
		return &record.Environment{OS: "linux", CPUArch: "amd64", CPUs: 1, Host: "builder",
			Revision: &revision.Revision{Commit: strings.Repeat("a", 40), Branch: "main"}}
	}
	const machine = "host builder · linux/amd64, 1 processor · git revision aaaaaaaaaaaa (main)"
	const build = "rocm-6.4 reproduces a 1 and b 2 of Debian sid"
	var markdown strings.Builder
	if err := r.WriteMarkdown(&markdown); err != nil ||
		!strings.HasSuffix(markdown.String(), "\n"+build+"\n") {
		t.Errorf("%v: markdown does not end with the build:\n%s", err, &markdown)
	}
	if have := machineText(r.Environment()); have != machine {
		t.Errorf("machine %q, want %q", have, machine)
	}
	var written strings.Builder
	if err := r.WriteHTML(&written); err != nil || !strings.Contains(written.String(), `"builds":["`+build+`"]`) {
		t.Errorf("%v: the page does not have the build:\n%.2000s", err, &written)
	}
	want := []page.Failure{{Outcome: "failed", Headline: "solve.lua:7: equal: have 1, want 2", Cases: []int{1},
		Names: []string{"solve[scheme=manual]@cpu/rocm-7.2/gfx90a"},
		Text:  "solve.lua:7: equal\n  have 1\n  want 2"}}
	if diff := cmp.Diff(want, r.pageFailures()); diff != "" {
		t.Error(diff)
	}
	r.Gone = []baseline.Change{{Case: "a[n=1]@cpu/p/g"}, {Case: "a[n=2]@cpu/p/g"}}
	if have := r.pageFailures(); len(have) != 2 || !slices.Equal(have[1].Names, []string{"a[n={1,2}]@cpu/p/g"}) {
		t.Errorf("cases of a baseline: %+v", have)
	}
}

// TestReasonsInAllFormats has one reason at a time why a run does not pass. The exit code and each format say so, and
// none does for a run that passes.
func TestReasonsInAllFormats(t *testing.T) {
	passed := func() *result.Result { return caseOf("solve", 1, target, record.Record{}) }
	flaky := func(fails bool) *result.Result {
		c := caseOf("flaky", 1, target, record.Record{Retried: []string{"flaky.lua:7: equal: have 1, want 2"}})
		c.FailsIfFlaky = fails
		return c
	}
	runs := map[string]*Report{
		"passed": reportWith(passed()), "flaky": reportWith(flaky(false)), "--fail-on-flaky": reportWith(flaky(true)),
		"gone": reportWith(passed()), "overall": reportWith(passed()), "overall passes": reportWith(passed())}
	runs["gone"].Gone = []baseline.Change{{Kind: baseline.Gone, Case: "old@" + target}}
	runs["overall"].Overall = []record.Check{{Text: "max(x) < 1", Have: "2", Want: "< 1"}}
	runs["overall passes"].Overall = []record.Check{{Text: "max(x) < 1", Have: "0", Passed: true}}
	codes := map[string]exit.Code{"--fail-on-flaky": exit.Failed, "gone": exit.Baseline, "overall": exit.Failed}
	for _, c := range outcomes().Results {
		name := fmt.Sprintf("%s, %s", c.ID, c.Outcome())
		runs[name] = reportWith(c)
		switch {
		case c.Outcome() == result.Skipped:
			codes[name] = exit.Nothing
		case c.FailsRun():
			codes[name] = result.ExitCode(runs[name].Results, nil, nil)
		}
	}
	for name, r := range runs {
		r.Exit = result.ExitCode(r.Results, r.Overall, r.Gone)
		if r.Exit != codes[name] {
			t.Errorf("%s: exit %d, want %d", name, r.Exit, codes[name])
		}
		for format, failure := range map[string]string{"junit": `<(failure|error) message="[^"]`,
			"tap": `(?m)^not ok \d+ - [^#\n]*$`, "github": `^::error .*title=.*::.`,
			"markdown": `\| case \| outcome \| \|`,
			"html":     `"(failures|overall)":\[\{("text":"max[^}]*"passed":false|"outcome":")`,
			"text":     `(?m)^(FAILED|GONE|NOTHING RAN|[A-Z][A-Z ]+ [a-z]+\[n=|  FAILED max)`,
			"json":     `"failures": \[\n`} {
			var out bytes.Buffer
			if err := write(r, &out, format); err != nil {
				t.Fatal(err)
			}
			if have := regexp.MustCompile(failure).Match(out.Bytes()); have != (r.Exit != exit.Pass) {
				t.Errorf("%s, exit %d: %s shows a failure: %v\n%s", name, r.Exit, format, have,
					out.Bytes()[:min(out.Len(), 1000)])
			}
		}
	}
}

// TestReportsNameBuilds checks that each format with a place for it names the build that a profile reproduces.
func TestReportsNameBuilds(t *testing.T) {
	const build = "a 1 and b # 2 of Debian sid"
	summary := filepath.Join(t.TempDir(), "summary.md")
	for format, want := range map[string]string{
		"text":     "\n\nrocm-6.4 reproduces " + build + "\n3 cases: ",
		"tap":      "TAP version 14\n1..4\n# rocm-6.4 reproduces a 1 and b \\# 2 of Debian sid\nok 1",
		"junit":    `<properties>` + "\n      " + `<property name="rocm-6.4" value="` + build + `"></property>`,
		"markdown": "\n\n`rocm-6.4 reproduces " + build + "`\n",
		"json":     `"distribution": "Debian sid"`,
		"html":     build,
	} {
		r := sample()
		r.Verbose = true
		r.Overall = []record.Check{{Text: "faster", Passed: true, Have: "1"}}
		r.Profiles = []record.Profile{{Name: "rocm-6.4", Distribution: "Debian sid",
			Packages: []string{"a 1", "b # 2"}}}
		r.Environment = func() *record.Environment {
			if format != "json" && format != "html" {
				t.Errorf("%s describes the machine, for which it opens the libraries of the platforms", format)
			}
			return &record.Environment{Profiles: r.Profiles}
		}
		var out bytes.Buffer
		if err := write(r, &out, format); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s does not have %q:\n%s", format, want, &out)
		}
		if n := strings.Count(out.String(), want); format == "junit" && n != 2 {
			t.Errorf("%d suites of 2 have the build:\n%s", n, &out)
		}
		if format != "text" {
			continue
		}
		to := output.Destination{Stdout: io.Discard, System: atomicfile.OS, Summary: summary}
		err := output.Write([]output.Output{{Format: "github"}}, r, to)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), build) {
			t.Errorf("the summary of the step (%v):\n%s", err, text)
		}
	}
}

// TestTraceShowsHazards checks that a hazard is an instant event with the names of both calls.
func TestTraceShowsHazards(t *testing.T) {
	r := sample()
	r.Results[0].Record.History.Hazards = []trace.Hazard{{Seconds: 0.5,
		Earlier: driver.Use{Call: "hipMemsetAsync", Stream: 1, Write: true, Origin: "x.lua:2"},
		Later:   driver.Use{Call: "rocblas_dgemm", Stream: 2, Origin: "x.lua:3"}}}
	var out bytes.Buffer
	if err := write(r, &out, "trace"); err != nil {
		t.Fatal(err)
	}
	var trace struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal(out.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(trace.TraceEvents, func(e traceEvent) bool { return e.Category == "hazard" })
	if i < 0 {
		t.Fatalf("no event of the hazard: %s", &out)
	}
	e := trace.TraceEvents[i]
	if e.Name != "hazard: hipMemsetAsync and rocblas_dgemm" || e.Phase != "i" || e.Scope == "" || e.Process != 1 {
		t.Errorf("the event is %+v", e)
	}
	const text = "rocblas_dgemm in stream 2 (x.lua:3) uses memory that hipMemsetAsync in stream 1 (x.lua:2) " +
		"may still be using"
	if e.Args["text"] != text {
		t.Errorf("the text is %q", e.Args["text"])
	}
}

// TestLongLogs shows the beginning and the end of a long log of a case that failed, and with --verbose all of it. JUnit
// has it once, and a long value does not widen the table.
func TestLongLogs(t *testing.T) {
	log := "first\n" + strings.Repeat("a line in the middle\n", 20_000) + "last\n"
	for _, verbose := range []bool{false, true} {
		c := failedCheck(2, log)
		r := reportWith(caseOf("solve", 2, target, c), caseOf("other", 1, target,
			record.Record{Metrics: []record.Metric{{Name: "m", Value: log, Unit: log}}}))
		r.Verbose = verbose
		var text, junit bytes.Buffer
		if err := errors.Join(write(r, &text, "text"), write(r, &junit, "junit")); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text.String(), "  log: a line in the middle\n")
		note := "  log: … 354475 bytes are left out; --verbose and --out json have them\n"
		cut := strings.Contains(text.String(), note)
		if !strings.Contains(text.String(), "  log: first\n") || !strings.Contains(text.String(), "  log: last\n") ||
			cut == verbose || verbose != (lines == 20_000) {
			t.Errorf("verbose %t: %d lines, cut %t\n%.2000s", verbose, lines, cut, &text)
		}
		if longest := slices.MaxFunc(strings.Split(text.String(), "\n"), func(a, b string) int {
			return len(a) - len(b)
		}); len(longest) > 1000 {
			t.Errorf("a line of %d bytes: %.200s", len(longest), longest)
		}
		if n := strings.Count(junit.String(), "\nlast\n"); n != 1 {
			t.Errorf("the log is %d times in JUnit", n)
		}
	}
}
