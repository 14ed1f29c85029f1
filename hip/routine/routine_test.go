package routine

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// signature is a function of the libraries' headers: its parameters, name and C type, and the only release that has it.
type signature struct {
	Args [][2]string
	Only string // "" if both recorded releases have the function
}

// signatures reads every function that the libraries' headers declare.
func signatures(t *testing.T) map[string]signature {
	t.Helper()
	f, err := os.Open("testdata/signatures.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]signature
	if err := json.NewDecoder(z).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTableMatchesHeaders(t *testing.T) {
	headers := signatures(t)
	for _, r := range All() {
		want, ok := headers[r.CName()]
		if !ok {
			t.Errorf("%s: no header declares it", r.CName())
			continue
		}
		if handle := want.Args[0][1]; handle != "rocblas_handle" {
			t.Errorf("%s: its first parameter is %s, not the handle", r.CName(), handle)
		}
		compareSignature(t, r, want.Args[1:])
	}
}

// TestIndexes checks that each routine has its index and is found by its name.
func TestIndexes(t *testing.T) {
	all, unlisted := All(), 0
	for id := endOfListed; id < endOfFamilies; id++ {
		unlisted += id.Family().count()
	}
	if len(all)+unlisted != Count() {
		t.Fatalf("%d routines, and %d that are not listed; Count is %d", len(all), unlisted, Count())
	}
	for i, r := range all {
		found, ok := Find(r.Library, r.Name)
		if !ok || found != r || r.Index != i || len(r.Params) == 0 {
			t.Errorf("%s: index %d, want %d; %d parameters", r.CName(), r.Index, i, len(r.Params))
		}
	}
}

// notRoutines are the functions that work on handles, on other objects or on host memory: they are not in the table.
var notRoutines = regexp.MustCompile(`_handle$|_log_|stream|_memory|workspace|_solutions|_version_|_commit_|_mode$|` +
	`_metric$|_events$|_fitness_|_rfinfo$|_initialize$|device_malloc|_[sg]et_(vector|matrix)|status_to|_abort$`)

// TestUndeclared checks that the table has every routine of the headers.
func TestUndeclared(t *testing.T) {
	missing := map[string]int{}
	count := 0
	for name := range signatures(t) {
		if _, ok := Lookup(name); !ok && !notRoutines.MatchString(name) {
			library, short, _ := strings.Cut(name, "_")
			short = strings.NewReplacer("_strided_batched", "", "_batched", "", "_64", "").Replace(short)
			missing[library+"_"+short]++
			count++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Logf("%s: %d functions", name, missing[name])
	}
	if count > 0 {
		t.Errorf("%d functions are not in the table", count)
	}
}

// compareSignature compares a routine's parameters with names and types from a header.
func compareSignature(t *testing.T, r *Routine, want [][2]string) {
	t.Helper()
	if len(want) != len(r.Params) {
		t.Errorf("%s: table has %d parameters, header %d", r.CName(), len(r.Params), len(want))
		return
	}
	for i, p := range r.Params {
		if p.Name != want[i][0] {
			t.Errorf("%s: parameter %d is %s in the table, %s in the header", r.CName(), i+1, p.Name, want[i][0])
		}
		if have, want := normalize(r.CType(&p)), normalize(want[i][1]); have != want {
			t.Errorf("%s: %s is %q in the table, %q in the header", r.CName(), p.Name, have, want)
		}
	}
}

// normalize drops the parts that headers spell in several ways: const, spaces, and the second star of an array of
// pointers declared with brackets.
func normalize(c string) string {
	pointers := strings.Contains(c, "* const")
	c = strings.NewReplacer("const", "", " ", "", "*", "").Replace(c)
	if pointers {
		return c + "[]"
	}
	return c
}

func TestNamesAndSlotsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.CName()] {
			t.Errorf("%s is twice in the table", r.CName())
		}
		seen[r.CName()] = true
		slots := map[Slot]bool{}
		for _, p := range r.Params {
			if slots[p.Slot] {
				t.Errorf("%s: two parameters share a slot, %s the second", r.CName(), p.Name)
			}
			slots[p.Slot] = true
		}
		if found, ok := Find(r.Library, r.Name); !ok || found != r {
			t.Errorf("Find(%s, %s) does not find it", r.Library, r.Name)
		}
	}
	if len(seen) < 384 {
		t.Errorf("the table has %d routines, fewer than the 384 of the documentation's table", len(seen))
	}
}

// TestDefaults sets only the required arguments of a call and compares the defaults of the others with their text.
func TestDefaults(t *testing.T) {
	for _, test := range []struct {
		name, param, text string
		want              int64
	}{
		{"rocsolver_dgetrf", "lda", "max(1, m)", 7},
		{"rocsolver_dgetrf_strided_batched", "strideA", "lda * n", 7 * 5},
		{"rocsolver_dgetrf_strided_batched", "strideP", "min(m, n)", 5},
		{"rocsolver_dgetrf_strided_batched", "batch_count", "1", 1},
		{"rocblas_dgemv_strided_batched", "stridex", "(transA is none ? n : m) * |incx|", 5},
		{"rocblas_dgemv_batched", "lda", "max(1, m)", 7},
		{"rocblas_dsyrkx", "lda", "max(1, trans is none ? n : k)", 5},
		{"rocblas_dtpmv_strided_batched", "stride_A", "n * (n + 1) / 2", 15},
		{"rocblas_dtbmv", "lda", "max(1, k+1)", 4},
		{"rocblas_dtrsm", "diag", "diagonal_non_unit", DiagonalNonUnit},
		{"rocblas_dtrsm", "lda", "max(1, side is left ? m : n)", 7},
		{"rocblas_gemm_ex", "d_type", "c_type", DatatypeF64C},
		{"rocblas_gemm_ex", "algo", "gemm_algo_standard", 0},
		{"rocblas_nrm2_ex", "result_type", "x_type, real", DatatypeF64},
		{"rocblas_dot_ex", "execution_type", "x_type", DatatypeF64C},
	} {
		r, ok := Lookup(test.name)
		if !ok {
			t.Fatalf("no routine %s", test.name)
		}
		given := map[string]int64{"m": 7, "n": 5, "k": 3, "side": SideLeft, "uplo": FillUpper,
			"a_type": DatatypeF64C, "x_type": DatatypeF64C}
		a := r.New()
		text := ""
		for i := range r.Params {
			p := &r.Params[i]
			if v, ok := given[p.Name]; ok {
				a.SetInt(p.Slot, v)
				continue
			}
			d, ok := r.Default(p)
			if !ok {
				t.Fatalf("%s: %s has no default", test.name, p.Name)
			}
			d.Set(a)
			if p.Name == test.param {
				text = d.String()
			}
		}
		p, _ := r.Param(test.param)
		if have := a.Int(p.Slot); text != test.text || have != test.want {
			t.Errorf("%s: %s is %d by %q, want %d by %q", test.name, test.param, have, text, test.want, test.text)
		}
	}
}

func TestRealParameters(t *testing.T) {
	for typ, want := range map[Type]string{TypeS: "float", TypeD: "double", TypeC: "float", TypeZ: "double"} {
		f := &Family{Name: "family", types: sdcz, params: []part{single(Param{Name: "abstol", Slot: N, Kind: Real})}}
		r := f.routine(typ, Plain, false)
		r.Params = f.expand(Plain)
		p := &r.Params[0]
		if have := r.CType(p); have != want {
			t.Errorf("type %c: abstol is a %s, want %s", typ, have, want)
		}
		if p.Kind.IsPointer() || p.Kind.IsInteger() || p.Kind.IsEnum() {
			t.Errorf("a real is a pointer, an integer or an enumeration")
		}
		a := r.New()
		a.SetReal(N, 0.1)
		if a.Real(N) != 0.1 {
			t.Errorf("0.1 is read as %v", a.Real(N))
		}
		d, ok := r.Default(p)
		if !ok || d.String() != "0" {
			t.Fatalf("default of a real: %v, %v", d, ok)
		}
		if d.Set(a); a.Real(N) != 0 {
			t.Errorf("the default of a real sets %v", a.Real(N))
		}
	}
}

// TestReleases compares the releases that export each routine with the headers.
func TestReleases(t *testing.T) {
	headers := signatures(t)
	for _, r := range All() {
		for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
			only := headers[r.CName()].Only
			want := only == "" || only == release
			if have := !slices.Contains(r.Family.Without, release); have != want {
				t.Errorf("%s exports %s: %v, want %v", release, r.CName(), have, want)
			}
		}
	}
}
