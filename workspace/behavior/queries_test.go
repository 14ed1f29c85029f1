package behavior_test

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

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// The recorded results in testdata come from the real libraries over a HIP runtime without a GPU. For rocBLAS the
// releases agree, so testdata/rocblas has each result once; testdata/rocsolver has those on which they agree. The
// environment variable ROCLUA_GOLDEN names a folder with further results: PROFILE/queries*.jsonl[.gz], which may
// contain functions that are not in the table. ROCLUA_TUNING names the tuning files of gemm_ex, as RELEASE=PATH,... in
// which the releases are separated by commas; without them the results of files queries-gemm* are not compared.

type record struct {
	Fn     string
	Args   map[string]json.Number
	Status string
	Bytes  uint64
}

func readQueries(t *testing.T, path string, each func(line int, q *record)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		q := &record{}
		if err := json.Unmarshal(lines.Bytes(), q); err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
		each(n, q)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// archOf returns the architecture in the name of a file, such as queries-gfx942-5502.jsonl.
func archOf(file string) *arch.Arch {
	for _, name := range arch.Names() {
		if strings.Contains(filepath.Base(file), name) {
			return arch.Of(name)
		}
	}
	return arch.Default()
}

// otherwise are the families with a size rule that have no recorded size queries, and the reason.
var otherwise = map[routine.FamilyID]string{
	routine.HalfGemv:        "it has the size rule of gemv; testdata/calls has its calls",
	routine.HalfSingleGemv:  "it has the size rule of gemv; testdata/calls has its calls",
	routine.SyrkEx:          "package workspace has its recorded calls, in waits.jsonl.gz",
	routine.GemmEx3:         "its size is not known",
	routine.CsrrfAnalysis:   "its size is not known",
	routine.CsrrfSplitlu:    "TestSplitLU has its queries",
	routine.CsrrfRefactlu:   "its size is not known",
	routine.CsrrfRefactchol: "its size is not known",
	routine.CsrrfSolve:      "its size is not known",
}

// TestGoldenQueries compares recorded size queries, of every family that has a size rule.
func TestGoldenQueries(t *testing.T) {
	releases := release.All()
	if testing.Short() {
		releases = []*release.Release{release.Default()}
	}
	// Of rocBLAS and rocSOLVER, where the releases agree.
	agreed, err := filepath.Glob(filepath.Join("testdata", "roc[bs]*", "queries*.gz"))
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[*routine.Family]bool{}
	for _, file := range agreed {
		t.Run(file, func(t *testing.T) { goldenFile(t, releases, file, recorded) })
	}
	for _, r := range releases {
		files, _ := filepath.Glob(filepath.Join("testdata", r.Name, "queries*.gz"))
		isOther := func(file string) bool { return strings.Contains(file, "gfx") }
		if slices.ContainsFunc(files, isOther) != (r.Recorded == "") {
			t.Errorf("%s has results of %v, and says %q", r.Name, files, r.Recorded)
		}
		if fresh := os.Getenv("ROCLUA_GOLDEN"); fresh != "" {
			drawn, _ := filepath.Glob(filepath.Join(fresh, r.Name, "queries*.jsonl*"))
			files = append(files, slices.DeleteFunc(drawn, func(file string) bool {
				return strings.Contains(file, "queries-gemm") && tuningFiles(r) == ""
			})...)
		}
		if n := len(agreed) + len(files); n < 5 {
			t.Fatalf("only %d files of recorded results of %s; see \"Add a release\" in CONTRIBUTING.md", n, r.Name)
		}
		for _, file := range files {
			t.Run(r.Name+"/"+filepath.Base(file), func(t *testing.T) {
				goldenFile(t, []*release.Release{r}, file, recorded)
			})
		}
	}
	for _, f := range routine.Families() {
		if _, ok := otherwise[f.ID]; len(f.Buffers) > 0 && recorded[f] == ok {
			t.Errorf("%s: has recorded size queries: %v, a reason for none: %v; "+
				"see \"Add a routine\" in CONTRIBUTING.md", f.Name, recorded[f], ok)
		}
	}
}

// tuningFiles returns the path of the tuning files of a release; "" if there are none.
func tuningFiles(r *release.Release) string {
	for _, entry := range strings.Split(os.Getenv("ROCLUA_TUNING"), ",") {
		if name, path, _ := strings.Cut(entry, "="); name == r.Name {
			return path
		}
	}
	return ""
}

// target returns the target of the results in a file.
func target(t *testing.T, r *release.Release, file string) *behavior.Target {
	t.Helper()
	to := &behavior.Target{Release: r, Arch: archOf(file)}
	path := tuningFiles(r)
	if path == "" || !strings.Contains(file, "queries-gemm") {
		return to
	}
	files, err := tuning.OpenPath(path, to.Arch.Name)
	if err != nil {
		t.Fatal(err)
	}
	const units = 104 // of the HIP runtime without a GPU
	to.Products = behavior.Products{Tuning: files, Deterministic: !r.AtomicsAllowed,
		Device: tuning.Device{Arch: to.Arch.Name, ComputeUnits: units}}
	return to
}

// goldenFile compares the results in a file, which all of the releases have, and notes their families.
func goldenFile(t *testing.T, on []*release.Release, file string, recorded map[*routine.Family]bool) {
	t.Helper()
	rows, failed := 0, 0
	targets := map[*release.Release]*behavior.Target{}
	for _, release := range on {
		targets[release] = target(t, release, file)
	}
	differing := map[string]int{}
	readQueries(t, file, func(line int, q *record) {
		r, ok := routine.Lookup(q.Fn)
		if !ok {
			if strings.HasPrefix(file, "testdata") {
				t.Errorf("line %d: %s is not in the table", line, q.Fn)
			}
			return
		}
		recorded[r.Family] = true
		for _, release := range on {
			rows++
			st, bytes := query(targets[release], r, q.Args)
			if st.Short() != q.Status || bytes != q.Bytes {
				differing[r.Family.Name]++
				if failed++; differing[r.Family.Name] <= 3 {
					t.Errorf("line %d, %s %v on %s: %s with %d bytes, the library returned %s with %d",
						line, q.Fn, q.Args, release.Name, st.Short(), bytes, q.Status, q.Bytes)
				}
			}
		}
	})
	t.Logf("%d of %d results agree", rows-failed, rows)
	if failed > 0 {
		t.Logf("differing results by family: %v", differing)
	}
}

// query returns the result of a size query of one call.
func query(t *behavior.Target, r *routine.Routine, args map[string]json.Number) (status.Status, uint64) {
	a := r.New()
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		case p.Kind == routine.Output:
			a.SetInt(p.Slot, routine.Host)
		case p.Kind == routine.Real:
			v, _ := args[p.Name].Float64()
			a.SetReal(p.Slot, v)
		case !p.Kind.IsPointer():
			v, _ := args[p.Name].Int64()
			a.SetInt(p.Slot, v)
		}
	}
	if d := behavior.Decide(a, behavior.Mode{Query: true}); d.Ends() {
		return d.Status, 0
	}
	d := behavior.Of(t, a)
	if r.Family.RunsInQueries || d.RunsInQuery {
		return status.Success, d.Optimal.Total()
	}
	if total := d.Optimal.Total(); total > 0 {
		return status.SizeIncreased, total
	}
	return status.SizeUnchanged, 0
}
