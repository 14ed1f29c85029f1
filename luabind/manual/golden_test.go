package manual_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind/manual"
)

var update = flag.Bool("update", false, "rewrite the expected pages and annotations")

// program is a small program.
var program = manual.Program{
	Exits: []manual.ExitCode{{Code: 0, Meaning: "pass"}, {Code: 3, Meaning: "a case failed"}},
	Topics: []manual.Topic{
		{Name: "axes", About: "parameters with several values", Text: func() string { return "An axis is a list.\n" }},
		{Name: "slurm", About: "a script", Text: func() string { return "#!/bin/sh\n" }},
	},
	Computes: func(r *routine.Routine) []manual.Computation {
		return []manual.Computation{{Platform: "nvidia", By: "cublas_" + r.Name},
			{Platform: "cpu", Reason: "no kernel"}}
	},
}

// compare compares text with a file of testdata, which -update rewrites.
func compare(t *testing.T, name string, have []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, have, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Errorf("differs from %s (%v):\n%s", path, err, have)
	}
}

// TestPages compares pages of every kind with testdata.
func TestPages(t *testing.T) {
	var all bytes.Buffer
	for _, name := range []string{
		"dgetrf_batched", "gemm_ex", "daxpy", "bfdot", "rot_ex", "rocsolver", "os", "allocation", "hazard",
		"array:norm",
		"operation", "status", "memory_error", "hip.error_not_ready", "exit", "axes", "slurm", "hip.malloc",
		"hip.device_synchronize", "t:log", "array", "handle", "operation_none", "",
	} {
		fmt.Fprintf(&all, "-- %s --\n", name)
		for _, page := range manual.Find(name, program) {
			page(&all)
		}
	}
	fmt.Fprint(&all, "-- overview --\n")
	manual.Overview(&all, program)
	compare(t, "pages.txt", all.Bytes())
}

// platforms is what the reference says of the platforms that compute a routine.
var platforms = regexp.MustCompile(`(?m)^\nOn \w+: .*\n`)

// TestReference compares the reference with the page of the documentation, less what it shows of a program.
func TestReference(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := strings.Cut(platforms.ReplaceAllString(string(page), ""), "\n## Exit codes")
	var text bytes.Buffer
	manual.Reference(&text, program)
	have, rest, _ := strings.Cut(text.String(), "\n## Exit codes")
	if lines := platforms.FindAllString(have, -1); len(lines) != 2*len(routine.Families()) {
		t.Errorf("the reference has %d lines about platforms, want 2 for each family", len(lines))
	}
	if platforms.ReplaceAllString(have, "") != want {
		t.Error("the reference differs from docs/reference.md, which make docs writes")
	}
	compare(t, "reference_end.txt", []byte(rest))
}

// stubs are the annotations, which take long to write.
var stubs = sync.OnceValue(manual.Stubs)

// TestStubs compares the names of the files and annotations of every kind with testdata.
func TestStubs(t *testing.T) {
	files := slices.Sorted(maps.Keys(stubs()))
	var all bytes.Buffer
	fmt.Fprintf(&all, "%s\n", strings.Join(files, "\n"))
	for _, c := range []struct{ file, mark, text string }{
		{"os", "\n\n", "---@class oslib"},
		{"os", "\n\n", "function os.getenv("},
		{"hip", "\n\n", "---@class hip"},
		{"rocsolver", "\n\n", "---@class rocsolver\n"},
		{"rocsolver-64", "\n\n", "---@class rocsolver\n"},
		{"rocsolver", "\n\n", "@class rocsolver.getrf.args"},
		{"rocsolver", "\n\n", "function rocsolver.dgetrf("},
		{"hip-try", "\n\n", "---@class hip.try"},
		{"rocblas-try", "\n", "---@field create_handle "},
		{"rocblas-try", "\n", "---@field dgemm "},
		{"rocsolver-try", "\n", "---@field dgetrf_batched_64 "},
		{"rocblas-level1", "\n\n", "@class rocblas.dot.args"},
		{"rocblas-level1", "\n\n", "function rocblas.zdotu_batched("},
		{"rocblas-level3-64", "\n\n", "@class rocblas.gemm_ex_64.args"},
		{"rocblas-level3-64", "\n\n", "function rocblas.gemm_ex_64("},
		{"rocblas", "\n\n", "@alias rocblas.operation"},
		{"classes", "\n\n", "@class roclua.pointer"},
		{"classes", "\n\n", "@alias roclua.element"},
		{"classes", "\n\n", "@class roclua.test"},
		{"classes", "\n\n", "@class roclua.hazard"},
		{"classes", "\n\n", "function array:convert("},
		{"classes", "\n\n", "function array:norm("},
		{"classes", "\n\n", "function t:log("},
		{"handle", "\n", "---@field zdotu "},
		{"handle", "\n\n", "function handle:set_stream("},
	} {
		fmt.Fprintf(&all, "-- %s --\n%s\n", c.file, part(stubs()[c.file+".lua"], c.mark, c.text))
	}
	compare(t, "stubs.txt", all.Bytes())
}

// part returns the first part of a file that contains text; a mark ends each part.
func part(file, mark, text string) string {
	for p := range strings.SplitSeq(file, mark) {
		if strings.Contains(p, text) {
			return p
		}
	}
	return "none"
}

// TestStubsOfRoutines checks which file declares a routine, and that each is declared once.
func TestStubsOfRoutines(t *testing.T) {
	definition := regexp.MustCompile(`(?m)^function (roc\w+)\.(\w+)\(handle, `)
	declared := map[string][]string{} // the files, by the name in C
	for name, text := range stubs() {
		for _, m := range definition.FindAllStringSubmatch(text, -1) {
			declared[m[1]+"_"+m[2]] = append(declared[m[1]+"_"+m[2]], name)
		}
	}
	for _, r := range routine.All() {
		file := fmt.Sprintf("rocblas-level%d", r.Family.Level)
		if r.Library == routine.RocSOLVER {
			file = "rocsolver"
		}
		switch {
		case r.Wide:
			file += "-64"
		case r.Library == routine.RocSOLVER && r.Variant == routine.StridedBatched:
			file += "-strided"
		case r.Library == routine.RocSOLVER && r.Variant != routine.Plain:
			file += "-batched"
		}
		if have := declared[r.CName()]; !slices.Equal(have, []string{file + ".lua"}) {
			t.Errorf("%v declare %s, want %s.lua", have, r.CName(), file)
		}
	}
}
