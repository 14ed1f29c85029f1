package hipsolver_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// The recorded results in testdata come from the real hipSOLVER over a HIP runtime without a GPU. The environment
// variable ROCLUA_GOLDEN names a folder with further results: PROFILE/hipsolver*.jsonl[.gz].

type record struct {
	Fn     string
	Args   map[string]json.Number
	Status status.HipSOLVER
	Lwork  *int64
	Host   uint64
}

func TestGolden(t *testing.T) {
	folders := []string{"testdata"}
	if further := os.Getenv("ROCLUA_GOLDEN"); further != "" {
		folders = append(folders, further)
	}
	recorded := 0
	for _, on := range release.All() {
		compared, functions := 0, map[string]bool{}
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join(folder, on.Name, "hipsolver*.jsonl*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				read(t, file, func(r *record) {
					compared, functions[r.Fn] = compared+1, true
					r.check(t, &behavior.Target{Release: on, Arch: archOf(file)})
				})
			}
		}
		t.Logf("%s: %d results of %d functions", on.Name, compared, len(functions))
		if compared == 0 && !on.Default {
			continue
		}
		recorded++
		if len(functions) != len(routine.BufferSizes()) {
			t.Errorf("%s: results of %d functions, want all %d", on.Name, len(functions), len(routine.BufferSizes()))
		}
	}
	if recorded < 2 {
		t.Errorf("results of %d releases", recorded)
	}
}

// archOf returns the architecture in the name of a file, such as hipsolver-gfx1100.jsonl.gz.
func archOf(file string) *arch.Arch {
	for _, name := range arch.Names() {
		if strings.Contains(filepath.Base(file), name) {
			return arch.Of(name)
		}
	}
	return arch.Default()
}

// check compares a result with the model.
func (r *record) check(t *testing.T, target *behavior.Target) {
	t.Helper()
	on := target.Release
	a := r.arguments(t)
	if a == nil {
		return
	}
	var d behavior.Demand
	have, want := status.HipSOLVERSuccess, r.Status
	lwork, reason := int64(-1), ""
	refusal := hipsolver.Size(target, a, &d)
	if refusal != nil {
		have, reason = refusal.Status, refusal.Reason
	}
	if refusal == nil || d.Optimal.Overflow() { // the library returns success and the rest of the division by 2^64
		result := hipsolver.ResultOf(on, a.Routine, d.Optimal.Total())
		lwork = int64(result.Lwork)
		if result.Host && r.Host != 0 {
			t.Errorf("%s %s %v: %d bytes on the host", on.Name, r.Fn, r.Args, r.Host)
		}
	}
	switch {
	case have != want:
		t.Errorf("%s %s %v: %v (%s), want %v", on.Name, r.Fn, r.Args, have, reason, want)
	case want == status.HipSOLVERSuccess && lwork != *r.Lwork:
		t.Errorf("%s %s %v: lwork %d (%s), want %d", on.Name, r.Fn, r.Args, lwork, reason, *r.Lwork)
	}
}

// arguments returns the arguments of a call; nil after an error.
func (r *record) arguments(t *testing.T) *routine.Args {
	t.Helper()
	f, ok := routine.BufferSize(r.Fn)
	if !ok {
		t.Errorf("no function %s", r.Fn)
		return nil
	}
	a := f.New()
	for name, number := range r.Args {
		p, ok := f.Param(name)
		if !ok {
			t.Errorf("%s has no parameter %s", r.Fn, name)
			return nil
		}
		if p.Kind == routine.Real {
			v, _ := number.Float64()
			a.SetReal(p.Slot, v)
			continue
		}
		v, err := number.Int64()
		if err != nil || v > math.MaxInt32 && p.Kind == routine.Int32 && !f.Wide {
			t.Errorf("%s: %s: %s", r.Fn, name, number)
			return nil
		}
		a.SetInt(p.Slot, v)
	}
	for i := range f.Params {
		p := &f.Params[i]
		if _, given := r.Args[p.Name]; !given && !p.Kind.IsPointer() && p.Kind != routine.Real {
			t.Errorf("%s: the result has no %s", r.Fn, p.Name)
		}
	}
	return a
}

func read(t *testing.T, path string, each func(*record)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		r := &record{}
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		each(r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
