package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/sequence"
)

var record = flag.String("conformance.record", "",
	"folder in which to write the library's results at thresholds, as in workspace/behavior/testdata")

// TestThresholds compares the bytes of every call at and next to a threshold of a size rule, each in its own query.
// With -conformance.record it writes the library's results.
func TestThresholds(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	begin(t, library, model)
	defer end(t, library, model)
	arch := library.Runtime.Device().Properties().Arch
	results, queries := map[routine.Library][]resultsOfRoutine{}, 0
	_, all := admitted()
	for _, r := range all {
		if arch != "gfx90a" && !dependsOnArchitecture(r.Family) {
			continue
		}
		out := newResults(r)
		for _, d := range threshold(r) {
			queries++
			bytes, err := queryOne(library, model, d)
			if err != nil && !errors.Is(err, sequence.ErrNotComparable) {
				t.Errorf("%s: %v", d, err)
			}
			if err == nil || !errors.Is(err, sequence.ErrNotComparable) {
				out.add(d, bytes)
			}
		}
		if len(out.Rows) > 0 {
			results[r.Library] = append(results[r.Library], out)
		}
	}
	t.Logf("%d queries", queries)
	for lib, list := range results {
		writeResults(t, lib, library.Profile.Name, arch, list)
	}
}

// threshold returns the calls at the thresholds of one routine.
func threshold(r *routine.Routine) []*sequence.Call {
	of := thresholds[r.Family.ID]
	if of == nil {
		return nil
	}
	arguments, combinations := behavior.Datatypes(r)
	if len(combinations) == 0 {
		combinations = [][]int64{nil}
	}
	var list []*sequence.Call
	for _, types := range combinations {
		for _, g := range of(r) {
			for i, s := range arguments {
				g[s] = types[i : i+1]
			}
			g.each(r, func(ints map[routine.Slot]int64) { list = append(list, complete(r, ints)) })
		}
	}
	return list
}

// each calls a function with every combination of the values of a routine's arguments.
func (g grid) each(r *routine.Routine, call func(map[routine.Slot]int64)) {
	slots := slices.Sorted(maps.Keys(g))
	slots = slices.DeleteFunc(slots, func(s routine.Slot) bool { _, ok := r.ParamAt(s); return !ok })
	values := map[routine.Slot]int64{}
	var choose func(i int)
	choose = func(i int) {
		if i == len(slots) {
			call(maps.Clone(values))
			return
		}
		for _, v := range g[slots[i]] {
			values[slots[i]] = v
			choose(i + 1)
		}
	}
	choose(0)
}

// complete returns a call with defaults for the other arguments.
func complete(r *routine.Routine, ints map[routine.Slot]int64) *sequence.Call {
	d := sequence.NewCall(r, map[routine.Slot]int64{})
	d.Null[routine.InvA] = true
	a := WithDefaults(r, ints)
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Kind == routine.Scalar:
			d.Scalars[p.Slot] = 1
		case isWhole(p):
			d.Ints[p.Slot] = a.Int(p.Slot)
		}
	}
	return d
}

// queryOne compares one call in its own query and returns the library's bytes.
func queryOne(library, model *sequence.Side, d *sequence.Call) (bytes uint64, err error) {
	want, wantStatus, unknown := needs(model, d)
	have, haveStatus, failed := needs(library, d)
	switch {
	case failed != nil || unknown != nil:
		return 0, errors.Join(failed, unknown)
	case have != want || haveStatus != wantStatus:
		return have, fmt.Errorf("the model: %s %d, the library: %s %d", wantStatus, want, haveStatus, have)
	}
	return have, nil
}

// needs queries the bytes of one call.
func needs(s *sequence.Side, d *sequence.Call) (bytes uint64, st string, err error) {
	if err := s.Handle.StartQuery(); err != nil {
		return 0, "", err
	}
	result, err := s.Run(&sequence.Operation{Call: d, Unlogged: true})
	bytes, stopped := s.Handle.StopQuery(false)
	return bytes, result.Status, errors.Join(err, stopped)
}

// resultsOfRoutine are the library's results for the calls to one routine. A row has the named arguments, and the
// bytes. The other arguments have the defaults of complete.
type resultsOfRoutine struct {
	Fn   string          `json:"fn"`
	Args []string        `json:"args"`
	Rows [][]json.Number `json:"rows"`

	slots []routine.Slot
}

func newResults(r *routine.Routine) resultsOfRoutine {
	out := resultsOfRoutine{Fn: r.CName()}
	for i := range r.Params {
		if p := &r.Params[i]; !p.Kind.IsPointer() && p.Kind != routine.Real {
			out.Args, out.slots = append(out.Args, p.Name), append(out.slots, p.Slot)
		}
	}
	return out
}

func (x *resultsOfRoutine) add(d *sequence.Call, bytes uint64) {
	var row []json.Number
	for _, s := range x.slots {
		row = append(row, json.Number(fmt.Sprint(d.Ints[s])))
	}
	x.Rows = append(x.Rows, append(row, json.Number(fmt.Sprint(bytes))))
}

// dropDefaults removes the arguments with their default in every row.
func (x *resultsOfRoutine) dropDefaults(r *routine.Routine) {
	for i := len(x.slots) - 1; i >= 0; i-- {
		isDefault := func(row []json.Number) bool {
			ints := map[routine.Slot]int64{}
			for j, s := range x.slots {
				if v, err := row[j].Int64(); err == nil && i != j {
					ints[s] = v
				}
			}
			have, err := row[i].Int64()
			return err == nil && complete(r, ints).Ints[x.slots[i]] == have
		}
		if slices.ContainsFunc(x.Rows, func(row []json.Number) bool { return !isDefault(row) }) {
			continue
		}
		x.Args, x.slots = slices.Delete(x.Args, i, i+1), slices.Delete(x.slots, i, i+1)
		for j := range x.Rows {
			x.Rows[j] = slices.Delete(x.Rows[j], i, i+1)
		}
	}
}

// writeResults writes the results of one library.
func writeResults(t *testing.T, lib routine.Library, profile, arch string, list []resultsOfRoutine) {
	t.Helper()
	if *record == "" {
		return
	}
	folder, name := filepath.Join(*record, profile), "thresholds.json.gz"
	if lib == routine.RocBLAS {
		folder = filepath.Join(*record, "rocblas")
	}
	if arch != "gfx90a" {
		name = "thresholds-" + arch + ".json.gz"
	}
	var text bytes.Buffer
	zip, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	for i := range list {
		r, _ := routine.Lookup(list[i].Fn)
		list[i].dropDefaults(r)
		err = errors.Join(err, json.NewEncoder(zip).Encode(list[i]))
	}
	err = errors.Join(err, zip.Close(), os.MkdirAll(folder, 0o755),
		os.WriteFile(filepath.Join(folder, name), text.Bytes(), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}
