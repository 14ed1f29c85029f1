package run

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// baselineFile is a baseline of three cases.
const baselineFile = `["a@cpu"]
kernels = 0
peak_bytes = 0
x = 1

["b@cpu"]
skipped = "no device"

["old@cpu"]
x = 1
`

// header begins a baseline that the program wrote.
const header = "# Reviewed values of cases. Written by roclua run --update; review changes as you review code.\n\n"

// openBaselines opens files of the current folder. The first one is written.
func openBaselines(t *testing.T, paths ...string) *Baselines {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(paths[0], []byte(baselineFile), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := OpenBaselines(paths)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// caseOf returns a case with the file "a.toml" of baselines. first is the id of its first repetition.
func caseOf(id, first string) *plan.Case {
	return &plan.Case{Case: result.Case{ID: id}, First: first, Baseline: "a.toml",
		Target: &config.New("").Targets[0]}
}

// measured returns a record with a metric x.
func measured(x int64) record.Record {
	return record.Record{Metrics: []record.Metric{{Name: "x", Value: x}}}
}

func TestCompareWithBaselines(t *testing.T) {
	b := openBaselines(t, "a.toml")
	without := caseOf("a@cpu", "a@cpu")
	without.Baseline = ""
	failed, ended := measured(2), measured(2)
	failed.Checks, ended.End = []record.Check{{}}, &record.End{}
	for _, test := range []struct {
		name string
		b    *Baselines
		c    *plan.Case
		r    record.Record
		want []string
	}{
		{"equal", b, caseOf("a@cpu", "a@cpu"), measured(1), nil},
		{"changed", b, caseOf("a@cpu", "a@cpu"), measured(2), []string{`a@cpu: x: 1 -> 2 (+1)`}},
		{"a repetition", b, caseOf("a[repeat=2]@cpu", "a@cpu"), measured(2),
			[]string{`a[repeat=2]@cpu: x: 1 -> 2 (+1)`}},
		{"new", b, caseOf("c@cpu", "c@cpu"), measured(2),
			[]string{`c@cpu: the case is not in the baseline; roclua run --update adds it`}},
		{"skipped as before", b, caseOf("b@cpu", "b@cpu"), record.Record{Skipped: "no device"}, nil},
		{"skipped for another reason", b, caseOf("b@cpu", "b@cpu"), record.Record{Skipped: "slow"},
			[]string{`b@cpu: skipped: "no device" -> "slow"`}},
		{"not skipped any more", b, caseOf("b@cpu", "b@cpu"), measured(1),
			[]string{`b@cpu: skipped: "no device" -> false`}},
		{"skipped now", b, caseOf("a@cpu", "a@cpu"), record.Record{Skipped: "slow"},
			[]string{`a@cpu: skipped: false -> "slow"`}},
		{"failed", b, caseOf("a@cpu", "a@cpu"), failed, nil},
		{"ended early", b, caseOf("a@cpu", "a@cpu"), ended, nil},
		{"no baselines", nil, caseOf("a@cpu", "a@cpu"), measured(2), nil},
		{"a case without a baseline", b, without, measured(2), nil},
	} {
		r := &result.Result{Case: &test.c.Case, Record: &test.r}
		test.b.Compare(test.c, r)
		var have []string
		for _, change := range r.Changes {
			have = append(have, change.Case+": "+change.String())
		}
		if diff := cmp.Diff(test.want, have); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
}

func TestFilesOfBaselines(t *testing.T) {
	var none *Baselines
	if none.Paths() != nil || !none.IsEmpty() || !(&Baselines{}).IsEmpty() {
		t.Error("no baselines are not empty")
	}
	b := openBaselines(t, "b.toml", "a.toml")
	if diff := cmp.Diff([]string{"a.toml", "b.toml"}, b.Paths()); diff != "" || b.IsEmpty() {
		t.Error(diff)
	}
	if err := os.WriteFile("wrong.toml", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBaselines([]string{"b.toml", "wrong.toml"}); err == nil {
		t.Error("a file that is not a baseline was opened")
	}
}

func TestGoneCases(t *testing.T) {
	b := openBaselines(t, "a.toml")
	casesOf := func(ids ...string) (list plan.List) {
		for _, id := range ids {
			list = append(list, &plan.Case{Case: result.Case{ID: id}})
		}
		return list
	}
	gone := b.Gone(casesOf("a@cpu", "new@cpu"))
	want := []baseline.Change{{Kind: baseline.Gone, Case: "b@cpu"}, {Kind: baseline.Gone, Case: "old@cpu"}}
	if diff := cmp.Diff(want, gone); diff != "" {
		t.Error(diff)
	}
	if gone := b.Gone(casesOf("a@cpu", "b@cpu", "old@cpu")); gone != nil {
		t.Errorf("cases that are gone: %v", gone)
	}
	empty, err := OpenBaselines([]string{"none.toml"})
	if err != nil {
		t.Fatal(err)
	}
	if gone := empty.Gone(casesOf("a@cpu")); gone != nil {
		t.Errorf("cases that are gone: %v", gone)
	}
}

// broken is a system whose files cannot be opened.
type broken struct{ atomicfile.System }

func (broken) Open(string, int, os.FileMode) (atomicfile.File, error) {
	return nil, errors.New("no space")
}

func TestUpdateBaselines(t *testing.T) {
	old := []baseline.Change{{Kind: baseline.Gone, Case: "old@cpu"}}
	failed := measured(9)
	failed.Checks = []record.Check{{}}
	type one struct {
		id, first string
		r         record.Record
	}
	for _, test := range []struct {
		name  string
		paths []string
		cases []one
		gone  []baseline.Change
		want  string // text
		file  string
	}{
		{"nothing changed", []string{"a.toml"}, []one{{"a@cpu", "a@cpu", measured(1)},
			{"b@cpu", "b@cpu", record.Record{Skipped: "no device"}}}, nil,
			"baselines: 0 of 1 file written\n", baselineFile},
		{"all kinds", []string{"a.toml", "b.toml"}, []one{{"a@cpu", "a@cpu", measured(2)},
			{"c@cpu", "c@cpu", measured(3)}, {"a[repeat=2]@cpu", "a@cpu", measured(7)},
			{"b@cpu", "b@cpu", failed}}, old,
			`baselines: 1 of 2 files written
  changed  a@cpu
             x: 1 -> 2 (+1)
  new      c@cpu
  gone     old@cpu
  1 case did not pass and stays as before
`, header + `["a@cpu"]
kernels = 0
peak_bytes = 0
x = 2

["b@cpu"]
skipped = "no device"

["c@cpu"]
kernels = 0
peak_bytes = 0
x = 3
`},
		{"two failed", []string{"a.toml"}, []one{{"a@cpu", "a@cpu", failed}, {"b@cpu", "b@cpu", failed}}, nil,
			"baselines: 0 of 1 file written\n  2 cases did not pass and stay as before\n", baselineFile},
		{"an own baseline of a repetition", []string{"a.toml"}, []one{{"b@cpu", "a@cpu", measured(4)}}, nil,
			`baselines: 1 of 1 file written
  changed  b@cpu
             kernels: new, 0
  changed  b@cpu
             peak_bytes: new, 0
  changed  b@cpu
             skipped: gone, was "no device"
  changed  b@cpu
             x: new, 4
`, header + `["a@cpu"]
kernels = 0
peak_bytes = 0
x = 1

["b@cpu"]
kernels = 0
peak_bytes = 0
x = 4

["old@cpu"]
x = 1
`},
	} {
		b := openBaselines(t, test.paths...)
		each := func(f func(*plan.Case, *result.Result) error) error {
			for _, o := range test.cases {
				c := caseOf(o.id, o.first)
				if err := f(c, &result.Result{Case: &c.Case, Record: &o.r}); err != nil {
					return err
				}
			}
			c := caseOf("without@cpu", "without@cpu")
			c.Baseline = ""
			return f(c, &result.Result{Case: &c.Case, Record: &record.Record{}})
		}
		text, err := b.Update(atomicfile.OS, each, test.gone, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, text); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
		if have, err := os.ReadFile("a.toml"); err != nil || string(have) != test.file {
			t.Errorf("%s: the file is\n%s%v", test.name, have, err)
		}
	}
}

func TestFailedUpdates(t *testing.T) {
	b := openBaselines(t, "a.toml")
	c := caseOf("a@cpu", "a@cpu")
	r := measured(5)
	each := func(f func(*plan.Case, *result.Result) error) error {
		return f(c, &result.Result{Case: &c.Case, Record: &r})
	}
	text, err := b.Update(broken{atomicfile.OS}, each, nil, nil)
	if err == nil || err.Error() != "cannot write the baseline: write a.toml: no space" ||
		text != "baselines: 0 of 1 file written\n  changed  a@cpu\n             x: 1 -> 5 (+4)\n" {
		t.Errorf("%v, %s", err, text)
	}
	wrong := errors.New("cannot be restored")
	none := func(func(*plan.Case, *result.Result) error) error { return wrong }
	if _, err := b.Update(atomicfile.OS, none, nil, nil); err != wrong {
		t.Error(err)
	}
}

// TestUpdatesAtATime updates one file by several runs, which have all read it before one has written it.
func TestUpdatesAtATime(t *testing.T) {
	first := openBaselines(t, "a.toml")
	const runs = 8
	var all sync.WaitGroup
	for i := range runs {
		b, err := OpenBaselines(first.Paths())
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			c := caseOf(fmt.Sprintf("run%d@cpu", i), "")
			c.First = c.ID
			r := measured(int64(i))
			_, err := b.Update(atomicfile.OS, func(f func(*plan.Case, *result.Result) error) error {
				return f(c, &result.Result{Case: &c.Case, Record: &r})
			}, []baseline.Change{{Kind: baseline.Gone, Case: "old@cpu"}}, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f, err := baseline.Read("a.toml")
	if err != nil || len(f.Cases) != 2+runs || f.Cases["run7@cpu"]["x"] != int64(7) || f.Cases["old@cpu"] != nil {
		t.Errorf("%v: %v", err, f.Cases)
	}
}
