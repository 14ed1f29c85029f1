package routine

import (
	"bufio"
	"compress/gzip"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// notComputing are the functions of hipBLAS that are not routines.
var notComputing = regexp.MustCompile(`^hipblas([SG]et[A-Z]|Destroy)`)

// TestHipBLASMatchesHeader compares the functions with the header of 7.2: 6.4 declares the same with other complex
// types.
func TestHipBLASMatchesHeader(t *testing.T) {
	f, err := os.Open("testdata/hipblas.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		name, rest, _ := strings.Cut(strings.TrimSuffix(lines.Text(), ")"), "(")
		names[name] = true
		r, ok := LayerNamed(name)
		switch {
		case !ok && strings.HasSuffix(name, "geqrfBatched"): // rocBLAS's table does not have its routine
		case !ok && !notComputing.MatchString(name):
			t.Errorf("%s is not in the table", name)
		case ok:
			compareHipBLAS(t, r, strings.Split(rest, ", ")[1:])
		}
	}
	for _, r := range HipBLAS.Routines() {
		if !names[r.CName()] {
			t.Errorf("the header does not declare %s", r.CName())
		}
	}
	t.Logf("%d functions", len(HipBLAS.Routines()))
}

// otherNames are the names in the header of parameters with another name in the table. The header is not consistent: a
// matrix is A or AP, its operation trans or transA.
var otherNames = map[string][]string{"A": {"AP"}, "B": {"BP"}, "C": {"CP"}, "batchCount": {"batch_count"},
	"results": {"result"}, "trans": {"transA"}, "tau": {"ipiv"}, "m": {"n"}, "n": {"k"}}

// compareHipBLAS compares parameters with a header.
func compareHipBLAS(t *testing.T, r *Routine, want []string) {
	t.Helper()
	if len(want) != len(r.Params) {
		t.Errorf("%s: %d parameters, want %d", r.CName(), len(r.Params), len(want))
		return
	}
	for i := range r.Params {
		p := &r.Params[i]
		space := strings.LastIndex(want[i], " ")
		typ, name := want[i][:space], want[i][space+1:]
		if folded(name) != folded(p.Name) && !slices.Contains(otherNames[p.Name], name) {
			t.Errorf("%s: parameter %d is %s, want %s", r.CName(), i+1, p.Name, name)
		}
		want := strings.Replace(typ, "long long", "hipblasStride", 1)
		if have := normalize(r.CType(p)); have != normalize(want) && !strings.Contains(r.Name, "trtriBatched") {
			t.Errorf("%s: %s is %q, want %q", r.CName(), p.Name, have, normalize(want))
		}
	}
}

// TestOtherNamesMakeNoLayers makes sure, in a fresh process, that a name of no library above rocBLAS and rocSOLVER is
// not looked up in the tables of these libraries, which take most of a short command to make.
func TestOtherNamesMakeNoLayers(t *testing.T) {
	const fresh = "ROCLUA_TEST_FRESH"
	if os.Getenv(fresh) == "" {
		c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		c.Env = append(os.Environ(), fresh+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, isLayer := LayerNamed("dgetrf")
	_, isSize := BufferSize("dgetrf")
	runtime.ReadMemStats(&after)
	if made := after.Mallocs - before.Mallocs; isLayer || isSize || made > 100 {
		t.Errorf("dgetrf is found: %v, %v, with %d allocations", isLayer, isSize, made)
	}
}
