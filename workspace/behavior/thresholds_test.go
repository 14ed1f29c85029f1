package behavior_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/tests/conformance"
	"roclua/workspace/behavior"
)

// testdata/**/thresholds*.json.gz has results of the real libraries at and next to every threshold of a size rule.
// testdata/small-lu.json.gz has the sizes for which a small LU kernel needs no memory. make thresholds draws them.

// resultsOfRoutine are the results for one routine. A row has the named arguments and the bytes.
type resultsOfRoutine struct {
	Fn   string
	Args []string
	Rows [][]json.Number
}

// readRecorded calls a function with every value of a compressed file.
func readRecorded[T any](t *testing.T, path string, each func(T)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for values := json.NewDecoder(text); ; {
		var v T
		if err := values.Decode(&v); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		each(v)
	}
}

func TestThresholds(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes many sizes in one goroutine")
	}
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		files, err := filepath.Glob(filepath.Join("testdata", "rocblas", "thresholds*.gz"))
		if err != nil {
			t.Fatal(err)
		}
		own, _ := filepath.Glob(filepath.Join("testdata", name, "thresholds*.gz"))
		for _, file := range append(files, own...) {
			target := &behavior.Target{Release: find(t, name), Arch: archOf(file)}
			rows := 0
			readRecorded(t, file, func(x resultsOfRoutine) {
				rows += len(x.Rows)
				x.compare(t, target)
			})
			t.Logf("%s: %d results of %s", name, rows, file)
		}
		if len(files) < 3 || len(own) < 3 {
			t.Errorf("%s: files %v and %v; make thresholds draws them", name, files, own)
		}
	}
}

func (x *resultsOfRoutine) compare(t *testing.T, target *behavior.Target) {
	t.Helper()
	r, ok := routine.Lookup(x.Fn)
	if !ok {
		t.Fatalf("%s is not in the table", x.Fn)
	}
	failed := 0
	for _, row := range x.Rows {
		given := map[routine.Slot]int64{}
		for i, name := range x.Args {
			p, _ := r.Param(name)
			given[p.Slot], _ = row[i].Int64()
		}
		a := withDefaults(r, given)
		have, want := uint64(0), row[len(x.Args)].String()
		if d := behavior.Decide(a, behavior.Mode{Query: true}); !d.Ends() {
			d := behavior.Of(target, a)
			have = d.Optimal.Total()
		}
		if strconv.FormatUint(have, 10) != want {
			if failed++; failed <= 5 {
				t.Errorf("%s on %s, %s %v %v: %d bytes, the library needs %s",
					target.Release, target.Arch, x.Fn, x.Args, row, have, want)
			}
		}
	}
}

// withDefaults returns a call as the conformance tests draw it, with pointers.
func withDefaults(r *routine.Routine, given map[routine.Slot]int64) *routine.Args {
	a := conformance.WithDefaults(r, given)
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		case p.Kind.IsPointer() && p.Slot != routine.InvA:
			a.SetPtr(p.Slot, 4096)
		}
	}
	return a
}

// smallLU are the sizes for which a routine needs no memory: for every n from 1 on, spans of m.
type smallLU struct {
	Fn    string
	Spans [][][2]int64
}

func TestSmallLU(t *testing.T) {
	const rows = 1026
	target, routines := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}, 0
	readRecorded(t, filepath.Join("testdata", "small-lu.json.gz"), func(x smallLU) {
		routines++
		r, ok := routine.Lookup(x.Fn)
		if !ok {
			t.Fatalf("%s is not in the table", x.Fn)
		}
		for i, spans := range x.Spans {
			n := int64(i + 1)
			a := withDefaults(r, map[routine.Slot]int64{routine.M: rows, routine.N: n})
			for m := int64(1); m <= rows && min(m, n) <= unblocked(r); m++ {
				a.SetInt(routine.M, m) // with a larger leading dimension than it needs
				d := behavior.Of(target, a)
				have := d.Optimal.Total() == 0
				want := slices.ContainsFunc(spans, func(s [2]int64) bool { return s[0] <= m && m <= s[1] })
				if have != want {
					t.Fatalf("%s m=%d n=%d: no memory %v, in the library %v", x.Fn, m, n, have, want)
				}
			}
		}
	})
	if routines != 12 {
		t.Errorf("%d routines, want 12", routines)
	}
}

// unblocked is the largest min(m, n) for which the results of getrf were drawn: it is in one block up to there.
func unblocked(r *routine.Routine) int64 {
	switch {
	case r.Family.ID == routine.Getf2:
		return math.MaxInt64
	case r.Variant == routine.Plain:
		return 64
	case r.Type.IsComplex():
		return 20
	}
	return 40
}
