package merge

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"roclua/host/result"
	"roclua/luabind/record"
)

// threeCases writes one file with three cases and an end.
func threeCases(t *testing.T) *planned {
	t.Helper()
	p := newRun(t, "a", "b", "c")
	p.write(t, attempt{file: "1", started: 100, seconds: 1,
		results: []*result.Result{p.ended(0, "a"), p.ended(1, "b"), p.ended(2, "c")}})
	return p
}

// TestDamagedFiles merges files with missing, cut or changed lines.
func TestDamagedFiles(t *testing.T) {
	cut := func(n int) func([]string) []string {
		return func(lines []string) []string {
			lines[n] = lines[n][:len(lines[n])/2] + "\n"
			return lines
		}
	}
	change := func(n int, old, text string) func([]string) []string {
		return func(lines []string) []string {
			lines[n] = strings.Replace(lines[n], old, text, 1)
			return lines
		}
	}
	for name, test := range map[string]struct {
		change   func(lines []string) []string
		want     string // values of the cases; "-" for a lost one
		warnings []string
	}{
		"whole": {func(lines []string) []string { return lines }, "abc", nil},
		"cut in the last line": {func(lines []string) []string {
			return append(lines[:3], lines[3][:len(lines[3])-1])
		}, "ab-", nil},
		"killed before a case": {func(lines []string) []string { return lines[:1] }, "---", nil},
		"a line in the middle": {cut(2), "a-c", []string{"1.jsonl:3: 1 line cannot be read and is left out"}},
		"two lines": {func(lines []string) []string { return cut(2)(cut(1)(lines)) }, "--c",
			[]string{"1.jsonl:2: 2 lines cannot be read and are left out"}},
		"an unknown event": {change(2, `"event":"case"`, `"event":"new"`), "a-c",
			[]string{"1.jsonl:3: 1 line cannot be read and is left out"}},
		"an unknown case": {change(2, p1ID("b"), p1ID("x")), "a-c",
			[]string{"1.jsonl: 1 case is not in the plan and left out"}},
		"two unknown cases": {func(lines []string) []string {
			return change(1, p1ID("a"), p1ID("y"))(change(2, p1ID("b"), p1ID("x"))(lines))
		}, "--c", []string{"1.jsonl: 2 cases are not in the plan and left out"}},
		"a case that cannot be decoded": {change(2, `"hip":{`, `"hip":{{`), "a-c",
			[]string{"1.jsonl:3: 1 line cannot be read and is left out"}},
		"a case with a value of another type": {change(2, `"value":"b"`, `"value":{}`), "a-c",
			[]string{"1.jsonl:3: 1 line cannot be read and is left out"}},
		"a case with two ids": {change(2, `"hip":{`, `"id":"`+p1ID("x")+`","hip":{`), "a-c",
			[]string{"1.jsonl: 1 case is not in the plan and left out"}},
		"a line with a tail":    {change(2, "}\n", "} \n"), "abc", nil},
		"another order of keys": {change(2, `{"event":"case",`, `{ "event":"case",`), "abc", nil},
		"an empty line": {func(lines []string) []string {
			return append([]string{lines[0], "\n"}, lines[1:]...)
		}, "abc", []string{"1.jsonl:2: 1 line cannot be read and is left out"}},
	} {
		p := threeCases(t)
		p.edit(t, "1", test.change)
		m := p.open(t)
		have := ""
		for _, r := range p.results(t, m) {
			if r.outcome == result.Lost {
				have += "-"
			} else {
				have += r.value.(string)
			}
		}
		if have != test.want {
			t.Errorf("%s: the cases are %s, want %s", name, have, test.want)
		}
		if p.expect(t, m, test.warnings...); t.Failed() {
			t.Fatal(name)
		}
	}
}

// p1ID is the id of the case of a scenario.
func p1ID(scenario string) string { return scenario + "@cpu/rocm-7.2/gfx90a" }

// TestEscapedIDs merges cases whose ids JSON escapes.
func TestEscapedIDs(t *testing.T) {
	p := newRun(t, "<x>", `c\d`, "é", `a"b`)
	p.write(t, attempt{file: "1", results: []*result.Result{p.ended(0, "0"), p.ended(1, "1"), p.ended(2, "2"),
		p.ended(3, "3")}})
	m := p.open(t)
	for i, r := range p.results(t, m) {
		if r.value != string(rune('0'+i)) {
			t.Errorf("%s is %v", p.cases[i].ID, r)
		}
	}
	f := m.Files[0]
	if p.expect(t, m); f.Cases != 4 || !f.Until().Equal(time.Unix(1004, 0)) {
		t.Errorf("%d cases until %s", f.Cases, f.Until())
	}
}

// TestLongLines merges lines that are longer than the buffer for reading.
func TestLongLines(t *testing.T) {
	const buffer = 1 << 18
	for _, size := range []int{buffer - 1000, 2*buffer + 17} {
		p := newRun(t, "a", "b", "c")
		long := func(i int, value string) *result.Result {
			r := p.ended(i, value)
			r.Record.Log = strings.Repeat("x", size)
			return r
		}
		p.write(t, attempt{file: "1", results: []*result.Result{long(0, "a"), p.ended(1, "b"), long(2, "c")}})
		m := p.open(t)
		for i, r := range p.results(t, m) {
			if r.value != string(rune('a'+i)) {
				t.Errorf("%d bytes: %s is %v", size, p.cases[i].ID, r)
			}
		}
		p.edit(t, "1", func(lines []string) []string {
			return append(lines[:3], lines[3][:len(lines[3])-1])
		})
		m = p.open(t)
		if have := p.results(t, m); have[1].value != "b" || have[2].outcome != result.Lost {
			t.Errorf("%d bytes, and the last line is cut: %v", size, have)
		}
		p.expect(t, m)
	}
}

// TestFilesThatAreNotEvents refuses a file of something else, and leaves out one without a whole line.
func TestFilesThatAreNotEvents(t *testing.T) {
	p := threeCases(t)
	other := p.path("other")
	whole, err := os.ReadFile(p.path("1"))
	noError(t, err)
	begin, _, _ := strings.Cut(string(whole), "\n")
	for _, text := range []string{"text\n", "{}\n", "\n",
		strings.Replace(begin, `"tool":"roclua"`, `"tool":"x"`, 1) + "\n",
		strings.TrimPrefix(string(whole), begin), "{\"event\":\"end\"}\ntext\n",
		`{"event":"begin","started":7}` + "\n"} {
		noError(t, os.WriteFile(other, []byte(text), 0o600))
		if _, err := Open(t.Context(), []string{p.folder}, "v1"); err == nil ||
			err.Error() != other+": no events of roclua run --out jsonl" {
			t.Errorf("%q: %v", text[:min(len(text), 40)], err)
		}
	}
	for _, text := range []string{"", "{", begin} {
		noError(t, os.WriteFile(other, []byte(text), 0o600))
		m := p.open(t)
		if p.expect(t, m, "other.jsonl: the attempt ended before it wrote its first event"); len(m.Files) != 1 {
			t.Errorf("%d files", len(m.Files))
		}
		want := "there are no events to merge; " + other + ": the attempt ended before it wrote its first event"
		if _, err := Open(t.Context(), []string{other}, "v1"); err == nil || err.Error() != want {
			t.Errorf("only %q: %v", text[:min(len(text), 40)], err)
		}
	}
}

// TestOtherRuns refuses files of another plan, another version or another format.
func TestOtherRuns(t *testing.T) {
	for name, test := range map[string]struct {
		change func(p *planned)
		want   string
	}{
		"another format": {func(p *planned) { p.replace(t, "1", 0, `"schema_version":1`, `"schema_version":2`) },
			"1.jsonl: the events have schema_version 2, this program reads 1"},
		"no plan": {func(p *planned) {
			p.edit(t, "1", func(lines []string) []string {
				return []string{lines[0][:strings.Index(lines[0], `,"plan"`)] + "}\n"}
			})
		}, "1.jsonl: the events do not have the plan of the run"},
		"no outline": {func(p *planned) { p.replace(t, "1", 0, `"outline":`, `"other":`) },
			"1.jsonl: the events do not have the plan of the run"},
		"another program": {func(p *planned) { p.replace(t, "1", 0, `"version":"v1"`, `"version":"v2"`) },
			"1.jsonl: version v2 of the program wrote the events, this is v1"},
		"two programs": {func(p *planned) { p.write(t, attempt{file: "2", started: 200, version: "v0"}) },
			"the events are of different versions of the program: 1.jsonl of v1, 2.jsonl of v0"},
		"another configuration": {func(p *planned) {
			p.plan.Config.Seed = 77
			p.write(t, attempt{file: "2", started: 200})
		}, "the events are of different runs:\n  seed: was 1, is 77\nwas in 1.jsonl, is in 2.jsonl"},
		"other cases": {func(p *planned) {
			p.plan.Outline.Only = []string{p.cases[0].ID}
			p.write(t, attempt{file: "2", started: 200})
		}, "the events are of different runs:\n  cases: others are selected\nwas in 1.jsonl, is in 2.jsonl"},
		"a plan that cannot be read": {func(p *planned) { p.replace(t, "1", 0, `"parts":`, `"filter":"/(/","parts":`) },
			"1.jsonl: the plan cannot be read: "},
	} {
		p := threeCases(t)
		test.change(p)
		_, err := Open(t.Context(), []string{p.folder}, "v1")
		if err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), p.folder+"/", ""), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResumedFile merges a file to which a second run appended. A line of another run in it is damage.
func TestResumedFile(t *testing.T) {
	p := threeCases(t)
	again := &planned{p.plan, p.cases, t.TempDir()}
	again.write(t, attempt{file: "1", started: 5000, results: []*result.Result{p.endedBy(2, record.EndTimeout)}})
	more, err := os.ReadFile(again.path("1"))
	noError(t, err)
	p.edit(t, "1", func(lines []string) []string { return append(lines[:2], string(more)) })
	m := p.open(t)
	have := p.results(t, m)
	want := []result.Outcome{result.Passed, result.Lost, result.Timeout}
	for i, r := range have {
		if r.outcome != want[i] {
			t.Errorf("the results are %v, want %v", have, want)
		}
	}
	f := m.Files[0]
	if p.expect(t, m); f.Ended || f.Cases != 2 || !f.Begin.Started.Equal(time.Unix(100, 0)) {
		t.Errorf("%+v", f)
	}
	p.edit(t, "1", func(lines []string) []string {
		return append(lines, `{"event":"end","seconds":4}`+"\n")
	})
	if f = p.open(t).Files[0]; !f.Ended || !f.Until().Equal(time.Unix(5004, 0)) {
		t.Errorf("ended: %v at %s", f.Ended, f.Until())
	}
	var identity struct {
		Plan struct{ Digest string }
	}
	noError(t, json.Unmarshal(more[:strings.IndexByte(string(more), '\n')], &identity))
	for _, change := range [][2]string{{`"tool":"roclua"`, `"tool":"x"`}, {identity.Plan.Digest, "other"}} {
		p.replace(t, "1", 2, change[0], change[1])
		m := p.open(t)
		p.expect(t, m, "1.jsonl:3: 1 line cannot be read and is left out")
		p.replace(t, "1", 2, change[1], change[0])
	}
}
