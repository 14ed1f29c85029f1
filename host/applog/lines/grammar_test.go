package lines_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// recorded is a library call with its log lines.
type recorded struct {
	Function string         `json:"fn"`
	Args     map[string]any `json:"args"`
	Status   string         `json:"status"`
	Trace    []string       `json:"trace"`
	Bench    []string       `json:"bench"`
}

// loss is the information missing from the lines of some functions, with the reason.
type loss struct {
	function string // a regular expression of C names
	kind     string // trace or bench
	args     string // a regular expression of the arguments; "" if the line is not read as the function
	why      string
}

// losses lists all information about a call that its line lacks.
var losses = []loss{
	{`rocblas_trsm(_batched|_strided_batched)?_ex`, "trace", "", "logged as strsm: invA is not in the log"},
	{`rocblas_trsm(_batched|_strided_batched)?_ex`, "bench", "", "logged as trsm of type s"},
	{`rocblas_[cz]dotc(_batched|_strided_batched)?(_64)?`, "bench", "", "logged as dot, as dotu is"},
	{`rocblas_[sdcz]gemmt(_batched|_strided_batched)?_64`, "bench", "", "logged without --api 1"},
	{`rocsolver_\w+_64`, "bench", "", "logged as the form with 32-bit integers"},
	{`rocsolver_\w+_64`, "trace", "", "logged as the form with 32-bit integers"},
	{`rocblas_[sdcz](syr|syr2|spr|spr2|her2|hpr|hpr2)_batched(_64)?`, "trace", "batch_count", "not in the line"},
	{`rocblas_[sdcz]syr_strided_batched(_64)?`, "trace", "stridex|strideA", "not in the line"},
	{`rocblas_[cz]hpr2?_strided_batched(_64)?`, "trace", "stride_A", "not in the line"},
	{`rocblas_[sd]rotm_strided_batched(_64)?`, "trace", "stride_param", "not in the line"},
	{`rocblas_[sd]rotm_strided_batched(_64)?`, "bench", "stride_param", "not in the line"},
	{`rocblas_(\w*rot|rot)(_batched|_strided_batched)?(_ex)?(_64)?`, "bench", "c|s", "a pointer to the rotation"},
	{`rocblas_gemm\w*_ex(_64)?`, "trace", "flags", "any value that is not 0 is logged as invalid"},
	{`rocsolver_[sdcz](sy|he)g(s2|st|v|vd|vdj|vdx|vj|vx)(_batched|_strided_batched)?`, "bench", "itype",
		"logged as a zero byte"},
	{`rocsolver_[sdcz](gesvdx(_batched|_strided_batched)?|bdsvdx)`, "bench", "srange", "logged as a zero byte"},
	{`rocsolver_[sd]bdsvdx`, "bench", "svect", "logged as a zero byte"},
	{`rocsolver_[sdcz]lasr`, "bench", "pivot", "logged as a zero byte"},
	{`rocsolver_[sdcz]laswp`, "bench", "incx", "not in the line"},
	{`rocsolver_\w+batched`, "trace", `stride\w`, "not in the tree"},
}

// addresses are places of addresses in the recorded lines.
var addresses = regexp.MustCompile(`<\w+>`)

// TestGrammar reads the lines that the libraries wrote about a call of every function. The arguments must equal the
// call's, except for the listed losses.
func TestGrammar(t *testing.T) {
	files, err := filepath.Glob("testdata/grammar.*.jsonl.gz")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	used := map[int]bool{}
	for _, file := range files {
		counts := map[string]int{}
		for _, call := range readCalls(t, file) {
			for kind, text := range map[string][]string{"trace": call.Trace, "bench": call.Bench} {
				if len(text) > 0 {
					counts[checkCall(t, call, kind, text, used)]++
				}
			}
		}
		t.Log(filepath.Base(file), counts)
	}
	for i, l := range losses {
		if !used[i] {
			t.Errorf("nothing is lost as listed: %+v", l)
		}
	}
}

func readCalls(t *testing.T, name string) []recorded {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var calls []recorded
	for in := bufio.NewScanner(unzipped); in.Scan(); {
		var call recorded
		if err := json.Unmarshal(in.Bytes(), &call); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	return calls
}

// checkCall reads the lines of one call and returns the outcome for each.
func checkCall(t *testing.T, call recorded, kind string, text []string, used map[int]bool) string {
	t.Helper()
	r, known := routine.Lookup(call.Function)
	var have []string
	p := lines.NewParser()
	for _, line := range text {
		line = addresses.ReplaceAllString(line, "0x7f0000000000")
		for rest := []byte(line); rest != nil; {
			var piece lines.Piece
			piece, rest = lines.Find(rest)
			res := p.Parse(piece, true)
			switch {
			case res.State == lines.Full && known:
				have = append(have, compare(call, r, kind, &res, used)...)
			case res.State != lines.NoCall:
				have = append(have, fmt.Sprintf("%s %d", res.Name, res.State))
			}
		}
	}
	name := strings.TrimPrefix(call.Function, "rocblas_")
	switch {
	case !known && len(have) == 0:
		return "not a routine, no call"
	case !known && slices.Equal(have, []string{fmt.Sprintf("%s %d", call.Function, lines.Unknown)}):
		return "not a routine, named"
	case !known:
		t.Errorf("%s: %s", name, have)
		return "wrong"
	}
	have = slices.DeleteFunc(have, func(s string) bool {
		return s == fmt.Sprintf("%s %d", call.Function, lines.Repeated) ||
			s == fmt.Sprintf("%s %d", call.Function, lines.Empty) && call.Status != "success"
	})
	if !slices.Equal(have, []string{"read"}) && !(len(have) == 0 && call.Status != "success") {
		t.Errorf("%s: %s: %q (%s)\n%q", call.Function, kind, have, call.Status, text)
		return "wrong"
	}
	return "read"
}

// compare compares arguments, and returns "read" or the differences.
func compare(call recorded, r *routine.Routine, kind string, res *lines.Result, used map[int]bool) (list []string) {
	if res.Name != call.Function {
		if lost(call.Function, kind, "", used) {
			return []string{"read"}
		}
		return []string{"as " + res.Name}
	}
	for _, name := range slices.Sorted(maps.Keys(call.Args)) {
		p, ok := r.Param(name)
		if !ok {
			list = append(list, "no parameter "+name)
			continue
		}
		same := matches(call.Args[name], res.Call.Args, p)
		if p.Kind == routine.Output || pointless(p, kind, r) {
			same = !res.Call.Known.Has(p.Slot)
		} else if !res.Call.Known.Has(p.Slot) {
			same = false
		}
		if !same && !lost(call.Function, kind, name, used) {
			list = append(list, fmt.Sprintf("%s is %v, want %v", name, res.Call.Args.Int(p.Slot), call.Args[name]))
		}
	}
	if list == nil {
		list = []string{"read"}
	}
	return list
}

// pointless reports whether the lines of a kind have no addresses: commands and trace trees.
func pointless(p *routine.Param, kind string, r *routine.Routine) bool {
	return p.Kind.IsPointer() && p.Kind != routine.Scalar && (kind == "bench" || r.Library == routine.RocSOLVER)
}

func matches(want any, a *routine.Args, p *routine.Param) bool {
	switch v := want.(type) {
	case float64:
		if p.Kind == routine.Real {
			return a.Real(p.Slot) == v
		}
		return a.Int(p.Slot) == int64(v)
	case string:
		return !a.Null(p.Slot)
	}
	return false
}

func lost(function, kind, arg string, used map[int]bool) bool {
	for i, l := range losses {
		if l.kind == kind && regexp.MustCompile("^("+l.function+")$").MatchString(function) &&
			(l.args == "" && arg == "" || l.args != "" && arg != "" &&
				regexp.MustCompile("^("+l.args+")$").MatchString(arg)) {
			used[i] = true
			return true
		}
	}
	return false
}
