package behavior

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
)

// row is the recorded result of one call of the real library. Pointers that Null does not name were valid, and all
// equal unless Distinct; scalars that the row does not give were one. The last four fields are present in rows with
// Watched.
type row struct {
	Fn       string
	Args     map[string]json.Number
	Null     []string
	Scalars  map[string][2]float64
	Bytes    *uint64 // present in a size query; all pointers were null if Scalars are absent
	Query    bool
	Device   bool // device pointer mode
	Distinct bool
	Status   string // "crash" if the process died

	Watched bool
	Ran     bool // kernels were launched or arrays set
	Zeroed  bool // results were set to zero without a kernel
	Fetched int  // scalars copied to the host before
}

func (x *row) args(t *testing.T, r *routine.Routine) *routine.Args {
	t.Helper()
	a := r.New()
	bare := x.Bytes != nil && x.Scalars == nil && !x.Watched
	for i := range r.Params {
		p := &r.Params[i]
		null := slices.Contains(x.Null, p.Name)
		switch {
		case p.Kind == routine.Scalar:
			value, ok := x.Scalars[p.Name]
			if !ok {
				value[0] = 1
			}
			switch {
			case null:
			case x.Device:
				a.SetPtr(p.Slot, 64)
				a.SetFetched(p.Slot, complex(value[0], value[1]))
			default:
				a.SetScalar(p.Slot, complex(value[0], value[1]))
			}
		case p.Kind.IsPointer():
			if !null && !bare {
				a.SetPtr(p.Slot, 4096)
			}
			if !null && x.Distinct {
				a.SetPtr(p.Slot, 4096*uint64(1+p.Slot))
			}
		default:
			v, ok := x.Args[p.Name]
			if !ok {
				t.Fatalf("a row of %s lacks %s", x.Fn, p.Name)
			}
			setNumber(t, a, p, v)
		}
	}
	return a
}

// setNumber sets an argument that is passed by value.
func setNumber(t *testing.T, a *routine.Args, p *routine.Param, v json.Number) {
	t.Helper()
	if p.Kind == routine.Real {
		f, err := v.Float64()
		if err != nil {
			t.Fatal(err)
		}
		a.SetReal(p.Slot, f)
		return
	}
	n, err := v.Int64()
	if err != nil {
		t.Fatal(err)
	}
	a.SetInt(p.Slot, n)
}

// check compares a row with the model.
func (x *row) check(t *testing.T, r *routine.Routine) {
	t.Helper()
	a := x.args(t, r)
	mode := Mode{Query: x.Query || x.Bytes != nil, DevicePointers: x.Device}
	var copied copies
	mode.Scalars = &copied
	d := Decide(a, mode)
	st, effect, done := d.Status, d.Effect, d.Ends() || d.Effect == AfterAllocation
	if !done && mode.Query && unknowable(a) {
		return
	}
	have := st.Short()
	switch {
	case effect == Crash:
		have = "crash"
	case effect == WithoutWorkspace:
	case !done && mode.Query && x.Status == "size_unchanged":
		have = x.Status // the number of bytes is not checked here
	case !done && mode.Query && r.Family.RunsInQueries:
	case !done && mode.Query:
		have = "size_increased"
	}
	degraded := have == "success" && x.Status == "perf_degraded" // the speed is not checked here
	if want := x.Status; have != want && !degraded {
		t.Errorf("%s %v null %v scalars %v %+v: %s (%s), the library returned %s",
			x.Fn, x.Args, x.Null, x.Scalars, mode, have, d.Reason(), want)
		return
	}
	if !x.Watched {
		return
	}
	if (done || effect == WithoutWorkspace) && st.OK() && x.Ran != (effect == WithoutWorkspace) {
		t.Errorf("%s %v null %v scalars %v %+v ends with %s, but the library computing is %v",
			x.Fn, x.Args, x.Null, x.Scalars, mode, have, x.Ran)
	}
	if zeroed := effect == ZeroResult && a.Batch() > 0 && !mode.Query; done && zeroed != x.Zeroed {
		t.Errorf("%s %v %+v: zero result %v, the library %v", x.Fn, x.Args, mode, zeroed, x.Zeroed)
	}
	if effect == Crash || r.Family.ID == routine.Trsm {
		return // the copies were not recorded; trsm copies alpha while it computes
	}
	if n := ones(copied.alpha, copied.beta); n != x.Fetched {
		t.Errorf("%s %v null %v %+v fetches %d scalars, the library %d", x.Fn, x.Args, x.Null, mode, n, x.Fetched)
	}
}

// unknowable reports whether the result of a query depends on tuning files: a gemm_ex that multiplies 16-bit numbers
// and adds in 32 bits.
func unknowable(a *routine.Args) bool {
	return a.Routine.Family.ID == routine.GemmEx && !needsNoKernel.test(a)
}

func ones(flags ...bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// checkFile compares every row of a file and returns how many there were.
func checkFile(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		in = z
	}
	rows := 0
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var x row
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatalf("%s: %v in %s", path, err, lines.Text())
		}
		if r, ok := routine.Lookup(x.Fn); ok {
			x.check(t, r)
			rows++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestGolden compares recorded results, which are the same for ROCm 6.4 and 7.2. calls.jsonl.gz has random executed
// calls in host pointer mode. watched.jsonl.gz has calls and queries in both pointer modes, with null pointers,
// scalars 0, 1 and NaN and the 64-bit forms, and with the copies and kernels of the library. mixed.jsonl.gz has calls
// and queries of the _ex routines with supported and unsupported combinations of datatypes. half.jsonl.gz has executed
// calls of hdot, bfdot and hgemm. writes.jsonl.gz has calls and queries, in both pointer modes, of the routines of
// rocBLAS that need no memory, solver-*.jsonl.gz of the routines of rocSOLVER.
func TestGolden(t *testing.T) {
	for file, least := range map[string]int{
		"calls.jsonl.gz": 15360, "watched.jsonl.gz": 6000, "mixed.jsonl.gz": 7000, "half.jsonl.gz": 900,
		"writes.jsonl.gz":             6000,
		"solver-reflections.jsonl.gz": 4000,
		"solver-divide.jsonl.gz":      700, "solver-partial.jsonl.gz": 1000, "solver-eigen.jsonl.gz": 900,
		"solver-ranges.jsonl.gz":  840,
		"solver-divided.jsonl.gz": 700, "solver-blocks.jsonl.gz": 1900,
	} {
		t.Run(file, func(t *testing.T) {
			if rows := checkFile(t, filepath.Join("testdata", "calls", file)); rows < least {
				t.Errorf("%d rows, want at least %d", rows, least)
			}
		})
	}
}

// TestMoreGolden compares the recorded results of a folder: ROCLUA_GOLDEN/PROFILE/calls*.jsonl[.gz] and queries*.
func TestMoreGolden(t *testing.T) {
	folder := os.Getenv("ROCLUA_GOLDEN")
	if folder == "" {
		t.Skip("ROCLUA_GOLDEN names no folder")
	}
	for _, pattern := range []string{"calls*.jsonl", "calls*.jsonl.gz", "queries*.jsonl", "queries*.jsonl.gz"} {
		files, err := filepath.Glob(filepath.Join(folder, "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			t.Log(checkFile(t, file), "rows of", file)
		}
	}
}
