package group_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/baseline"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/luabind/record"
)

// expand returns the ids of all combinations of the braces of a pattern, as a shell does.
func expand(pattern string) []string {
	before, rest, ok := strings.Cut(pattern, "{")
	if !ok {
		return []string{pattern}
	}
	values, after, _ := strings.Cut(rest, "}")
	var list []string
	for value := range strings.SplitSeq(values, ",") {
		for _, tail := range expand(after) {
			list = append(list, before+value+tail)
		}
	}
	return list
}

func texts(names []group.Name) []string {
	list := []string{}
	for _, name := range names {
		list = append(list, name.Text)
	}
	return list
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		name string
		ids  []string
		want []string
	}{
		{"none", nil, []string{}},
		{"one", []string{"a[n=1]@cpu/rocm-7.2/gfx90a"}, []string{"a[n=1]@cpu/rocm-7.2/gfx90a"}},
		{"a product", expand("a[scheme={managed,manual},n={1,2}]@cpu/{rocm-6.4,rocm-7.2}/gfx90a"),
			[]string{"a[scheme={managed,manual},n={1,2}]@cpu/{rocm-6.4,rocm-7.2}/gfx90a"}},
		{"a range", expand("a[n={8,1,2,3,4,5,6,7}]@cpu/x/y"), []string{"a[n={1..8}]@cpu/x/y"}},
		{"a range with steps", expand("a[n={64,128,192,256}]@cpu/x/y"), []string{"a[n={64..256..64}]@cpu/x/y"}},
		{"powers", expand("a[n={1024,64,128,4096}]@cpu/x/y"), []string{"a[n={64,128,1024,4096}]@cpu/x/y"}},
		{"many", expand("a[n={1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192}]@cpu/x/y"),
			[]string{"a[n={1,2,4,8,16,32,64,128,256,512,…,8192}]@cpu/x/y"}},
		{"not a product", slices.Concat(expand("a[n={1,2}]@cpu/{p,q}/y"), expand("a[n=3]@cpu/p/y")),
			[]string{"a[n={1,2}]@cpu/{p,q}/y", "a[n=3]@cpu/p/y"}},
		{"two scenarios", slices.Concat(expand("a@cpu/{p,q}/y"), expand("b@cpu/{p,q}/y")),
			[]string{"a@cpu/{p,q}/y", "b@cpu/{p,q}/y"}},
		{"repeated", []string{"a@cpu/p/y", "a[repeat=2]@cpu/p/y", "a[repeat=3]@cpu/p/y"},
			[]string{"a@cpu/p/y", "a[repeat={2,3}]@cpu/p/y"}},
		{"without targets", expand("a[n={1,2}]"), []string{"a[n={1,2}]"}},
		{"a comma in a value", []string{"a[s=x,y]@c/p/y", "a[s=z]@c/p/y"}, []string{"a[s=x,y]@c/p/y", "a[s=z]@c/p/y"}},
		{"a brace in a value", []string{"a[s={]@c/p/y", "a[s=}]@c/p/y"}, []string{"a[s={]@c/p/y", "a[s=}]@c/p/y"}},
	} {
		if diff := cmp.Diff(test.want, texts(group.Names(test.ids))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestNamesCoverEachCaseOnce names subsets of a product and expands the names.
func TestNamesCoverEachCaseOnce(t *testing.T) {
	all := expand("a[s={x,y,z},n={1,2,9}]@cpu/{p,q}/{g,h}")
	for bits := 1; bits < 1<<12; bits += 37 {
		var ids []string
		for i, id := range all {
			if bits>>(i%12)&1 == 1 {
				ids = append(ids, id)
			}
		}
		var have []string
		cases := 0
		for _, name := range group.Names(ids) {
			have = append(have, expand(name.Text)...)
			cases += name.Cases
		}
		slices.Sort(have)
		slices.Sort(ids)
		if !slices.Equal(have, ids) || cases != len(ids) {
			t.Fatalf("%d cases %q, want %q", cases, have, ids)
		}
	}
}

func TestVarying(t *testing.T) {
	all := expand("a[s={x,y},n={1,2}]@cpu/{p,q}/g")
	for _, test := range []struct{ some, all, want []string }{
		{expand("a[s=x,n={1,2}]@cpu/p/g"), all, []string{"s=x p"}},
		{expand("a[s=x,n={1,2}]@cpu/p/g"), expand("a[s=x,n={1,2,3}]@cpu/p/g"), []string{"n={1,2}"}},
		{all, all, []string{"a[s={x,y},n={1,2}]@cpu/{p,q}/g"}},
		{[]string{"b@cpu/p/g"}, []string{"a[n=1]@cpu/p/g", "b@cpu/p/g"}, []string{"b@cpu/p/g"}},
	} {
		if have := texts(group.Varying(test.some, test.all)); !slices.Equal(have, test.want) {
			t.Errorf("%q, want %q", have, test.want)
		}
	}
}

// failing returns the result of case number n.
func failing(n int, r record.Record, changes ...baseline.Change) *result.Result {
	return &result.Result{Record: &r, Changes: changes, Case: &result.Case{ID: fmt.Sprintf("a[n=%d]@cpu/p/g", n),
		Scenario: "a", Script: "a.lua", Params: map[string]any{"n": int64(n)}}}
}

// describe returns each failure on one line: outcome, cases, and the variants of each problem.
func describe(list []*group.Failure) []string {
	lines := []string{}
	for _, f := range list {
		line := fmt.Sprintf("%s %s:", f.Outcome, strings.Join(texts(group.Names(f.IDs())), " "))
		for _, p := range f.Problems {
			line += fmt.Sprintf(" %s:%d", p.File, p.Line)
			for _, v := range p.Variants {
				line += fmt.Sprintf(" (%s; %d)", strings.Join(append([]string{v.Title}, v.Details...), ", "),
					len(v.Cases))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func check(where, text, have string) record.Check {
	return record.Check{Where: where, Text: text, Have: have, Want: "1"}
}

func scriptError(text string, line int) *record.End {
	return &record.End{Kind: record.EndScript, Message: text, File: "a.lua", Line: line}
}

func TestFailures(t *testing.T) {
	moved := func(value int64) baseline.Change {
		return baseline.Change{Kind: baseline.More, Name: "bytes", Old: int64(1), New: value}
	}
	for _, test := range []struct {
		name    string
		results []*result.Result
		want    []string
	}{
		{"passed cases have none", []*result.Result{failing(1, record.Record{}),
			failing(2, record.Record{Skipped: "why"})}, []string{}},
		{"one error of three cases", []*result.Result{failing(1, record.Record{End: scriptError("bad n", 3)}),
			failing(2, record.Record{End: scriptError("bad n", 3)}), failing(3, record.Record{}),
			failing(4, record.Record{End: scriptError("bad n", 3)})},
			[]string{"error a[n={1,2,4}]@cpu/p/g: a.lua:3 (a.lua:3: bad n; 3)"}},
		{"errors at two lines, and of another message", []*result.Result{
			failing(1, record.Record{End: scriptError("bad", 3)}),
			failing(2, record.Record{End: scriptError("bad", 4)}),
			failing(3, record.Record{End: scriptError("other", 4)})},
			[]string{"error a[n=1]@cpu/p/g: a.lua:3 (a.lua:3: bad; 1)",
				"error a[n=2]@cpu/p/g: a.lua:4 (a.lua:4: bad; 1)",
				"error a[n=3]@cpu/p/g: a.lua:4 (a.lua:4: other; 1)"}},
		{"messages with other numbers", []*result.Result{
			failing(1, record.Record{End: scriptError("need 64 B", 3)}),
			failing(2, record.Record{End: scriptError("need 1.5 KiB", 3)})},
			[]string{"error a[n={1,2}]@cpu/p/g: a.lua:3 (a.lua:3: need 64 B; 1) (a.lua:3: need 1.5 KiB; 1)"}},
		{"checks with other values", []*result.Result{
			failing(1, record.Record{Checks: []record.Check{check("a.lua:7", "equal", "2")}}),
			failing(2, record.Record{Checks: []record.Check{check("a.lua:7", "equal", "3")}})},
			[]string{"failed a[n={1,2}]@cpu/p/g: a.lua:7 (a.lua:7: equal, have 2, want 1; 1) " +
				"(a.lua:7: equal, have 3, want 1; 1)"}},
		{"a line of the baseline in all cases, another in one", []*result.Result{
			failing(1, record.Record{}, moved(2)),
			failing(2, record.Record{}, moved(2), baseline.Change{Kind: baseline.New, Name: "x", New: int64(1)})},
			[]string{"changed a[n={1,2}]@cpu/p/g: a.lua:1 (baseline: bytes: 1 -> 2 (+1); 2)",
				"changed a[n=2]@cpu/p/g: a.lua:1 (baseline: x: new, 1; 1)"}},
		{"problems of the same cases", []*result.Result{failing(1, record.Record{Problems: []string{"leak", "leak"},
			Checks: []record.Check{check("a.lua:7", "equal", "2")}, End: scriptError("bad", 9)})},
			[]string{"error a[n=1]@cpu/p/g: a.lua:7 (a.lua:7: equal, have 2, want 1; 1) a.lua:9 (a.lua:9: bad; 1) " +
				"a.lua:1 (leak (2 times); 1)"}},
	} {
		if diff := cmp.Diff(test.want, describe(group.Failures(test.results))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestHeadline(t *testing.T) {
	leaking := func(n int, have string) *result.Result {
		return failing(n, record.Record{Problems: []string{"leak"},
			Checks: []record.Check{check("a.lua:7", "equal", have)}})
	}
	list := group.Failures([]*result.Result{leaking(1, "2"), leaking(2, "3")})
	const want = "a.lua:7: equal: have 2, want 1 (and 1 other value), and 1 more"
	if have := list[0].Headline(); have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

func TestChanges(t *testing.T) {
	of := func(id, name string, value any) baseline.Change {
		return baseline.Change{Kind: baseline.More, Case: id, Name: name, Old: int64(1), New: value}
	}
	var have []string
	for _, c := range group.Changes([]baseline.Change{of("a[n=1]", "x", int64(2)), of("a[n=1]", "y", int64(2)),
		of("a[n=2]", "x", int64(2)), of("a[n=2]", "y", int64(3))}) {
		have = append(have, fmt.Sprintf("%s %v %v", c.Name, c.New, c.IDs))
	}
	if diff := cmp.Diff([]string{"y 3 [a[n=2]]", "x 2 [a[n=1] a[n=2]]", "y 2 [a[n=1]]"}, have); diff != "" {
		t.Error(diff)
	}
}

// TestWorstFirst checks the order of changes, and of failures with the same rank.
func TestWorstFirst(t *testing.T) {
	of := func(kind baseline.Kind, name string, old, new any) baseline.Change {
		return baseline.Change{Kind: kind, Case: "a", Name: name, Old: old, New: new}
	}
	changes := []baseline.Change{of(baseline.Less, "kernels", int64(9), int64(8)),
		of(baseline.More, "some", int64(64), int64(16960)), of(baseline.New, "", nil, nil),
		of(baseline.More, "most", int64(64), int64(784384)), of(baseline.More, "status.failed", int64(0), int64(1)),
		of(baseline.More, "seconds", 1.0, 2e9), of(baseline.More, "hip.malloc", int64(1), int64(900000)),
		of(baseline.New, "status.rocblas_dgemm.success", nil, int64(5)),
		of(baseline.Gone, "syncs.growth", int64(1), nil),
		of(baseline.New, "status.rocblas_dgemm.memory_error", nil, int64(2))}
	var have []string
	for _, c := range group.Changes(changes) {
		have = append(have, c.Name)
	}
	want := []string{"status.rocblas_dgemm.memory_error", "status.failed", "most", "some", "kernels", "hip.malloc",
		"status.rocblas_dgemm.success", "syncs.growth", "seconds", ""}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	changed := failing(1, record.Record{})
	changed.Changes = changes[:2]
	if f := group.Failures([]*result.Result{changed}); !strings.HasPrefix(f[0].Headline(), "some: 64 -> 16960") {
		t.Errorf("the headline is %q", f[0].Headline())
	}
	list := group.Failures([]*result.Result{
		failing(1, record.Record{Checks: []record.Check{check("a.lua:1", "equal", "2")}}),
		failing(2, record.Record{End: &record.End{Kind: record.EndDied, Message: "gone"}})})
	if list[0].Outcome != result.Crashed || list[1].Outcome != result.Failed {
		t.Errorf("%s is before %s", list[0].Outcome, list[1].Outcome)
	}
}

// TestHeadlineOfChanges checks that a value that changed is one line, with the number of its cases.
func TestHeadlineOfChanges(t *testing.T) {
	changed := func(n int, values ...int64) (list []*result.Result) {
		for i := range n {
			c := &result.Result{Case: &result.Case{ID: fmt.Sprintf("s[n=%d]@cpu", i)}, Record: &record.Record{}}
			now := values[i%len(values)]
			c.Changes = []baseline.Change{{Kind: baseline.More, Name: "bytes", Old: int64(64), New: now}}
			list = append(list, c)
		}
		return list
	}
	for _, test := range []struct {
		cases []*result.Result
		want  string
	}{
		{changed(1, 128), "bytes: 64 -> 128 (+64)"},
		{changed(72, 128), "bytes: 64 -> 128 (+64) in all 72 cases"},
		{changed(9, 128, 128, 256), "bytes changed in 9 cases; in 6 of them: 64 -> 128 (+64)"},
	} {
		failures := group.Failures(test.cases)
		if len(failures) != 1 || failures[0].Headline() != test.want {
			t.Errorf("%d failures, %q, want one %q", len(failures), failures[0].Headline(), test.want)
		}
	}
}
