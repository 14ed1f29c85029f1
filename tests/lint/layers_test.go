//go:build lint

// Package lint checks the source text: imports, wording and licenses. Its tests have a build tag, and "make lint" runs
// them.
package lint

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A layer says what packages can import from this module. The folder X/... has X and all packages below it. hostOrder
// restricts the packages below host further.
type layer struct {
	packages, imports string
	why               string
}

// layers are the architecture, from the bottom up. The first layer that has a package decides. Do not change them to
// make a test pass: change the import.
var layers = []layer{
	{"docs input internal/chart internal/ccompile internal/escape internal/nearest " +
		"internal/units", "", "leaves that know nothing of the field"},
	{"hip/cpu/vector hip/dl hip/dl/dltest hip/function hip/release hip/routine/buffer workspace/status " +
		"luabind/matrixfile", "", "leaves: tables, file formats, assembly language, and the loader of C libraries"},
	{"host/exit host/schema", "", "leaves of the program"},
	{"internal/...", "input internal/...", "helpers that know nothing of the field"},

	{"luabind/vm/...", "luabind/vm/... input internal/escape internal/units", "a bounded Lua machine, for any program"},

	{"hip/arch", "hip/release", "the table of architectures"},
	{"hip/defect", "hip/arch hip/release hip/routine/...", "the table of known defects"},
	{"hip/routine/...", "hip/arch hip/release hip/routine/...", "the table of routines"},
	{"hip/number hip/driver", "hip/routine/...", "interfaces of platforms need only the table of routines"},
	{"hip/peak", "hip/routine", "data sheets"},
	{"hip/cpu/time", "hip/peak hip/routine", "the model of time is independent of devices"},
	{"hip/trace hip/fault hip/matmul", "hip/driver hip/trace internal/nearest", "plain data"},
	{"hip", "hip/driver hip/routine hip/trace internal/nearest", "the runtime uses platforms only by their interfaces"},
	{"hip/nogpu", "internal/ccompile", "a HIP runtime in C that any program can load"},
	{"hip/native", "hip/dl hip/driver hip/routine", "devices on any C runtime"},
	{"hip/cpu/blas hip/cpu/lapack", "hip/cpu/blas hip/cpu/vector", "mathematics on slices"},
	{"hip/cpu/blas/openblastest", "hip/cpu/blas hip/dl", "the reference of tests"},
	{"hip/cpu/kernel", "hip/cpu/blas hip/cpu/lapack hip/driver hip/number hip/routine/...",
		"kernels are independent of handles and devices"},
	{"hip/cpu/order", "hip/driver", "streams and waits are independent of memory"},
	{"hip/cpu/memory", "hip/cpu/order hip/driver hip/routine/...", "memory is independent of streams and kernels"},
	{"hip/cpu/capture", "hip/cpu/memory hip/cpu/order hip/driver", "captures perform no work"},
	{"hip/cpu/...", "hip hip/arch hip/driver hip/number hip/routine/... hip/cpu/...", "a platform"},
	{"hip/amd", "hip hip/dl hip/driver hip/function hip/matmul hip/native hip/nogpu hip/number hip/release " +
		"hip/routine", "a platform"},
	{"hip/nvidia", "hip hip/dl hip/driver hip/native hip/number hip/routine/...", "a platform"},
	{"hip/drivertest", "hip hip/driver hip/routine/...", "the tests of every platform"},

	{"workspace/tuning", "internal/nearest", "tuning files know neither calls nor handles"},
	{"workspace/behavior", "hip/arch hip/release hip/routine/... workspace/status workspace/tuning",
		"what a call does depends only on its arguments"},
	{"workspace/footprint", "hip/arch hip/defect hip/release hip/routine internal/nearest internal/units workspace " +
		"workspace/behavior workspace/hipblas workspace/hipsolver workspace/status workspace/tuning",
		"planning needs neither a handle nor a device"},
	{"workspace/...",
		"hip hip/arch hip/defect hip/driver hip/number hip/release hip/routine/... hip/trace internal/nearest " +
			"internal/units workspace/...", "the memory model is independent of Lua and of platforms"},

	{"luabind/api", "hip/driver hip/function hip/routine workspace/status", "declarations do not depend on Lua"},
	{"luabind/record", "hip/defect hip/release hip/trace internal/escape internal/revision luabind/vm/bounds",
		"plain data: what a case did and measured"},
	{"luabind/load luabind/measure", "hip/routine luabind/record", "measurements depend neither on Lua nor on devices"},
	{"luabind/dense", "hip/cpu/blas", "arithmetic with matrices is independent of Lua and of devices"},
	{"luabind/manual", "hip/arch hip/defect hip/driver hip/routine luabind/api workspace/...",
		"documentation of what scripts use"},
	{"luabind/engine", "hip hip/driver hip/routine internal/nearest luabind/api luabind/vm/... workspace " +
		"workspace/status workspace/tuning", "calls of Go functions are independent of the modules"},
	{"luabind/...",
		"hip hip/defect hip/driver hip/number hip/peak hip/routine/... hip/trace input internal/... luabind/... " +
			"workspace/...",
		"scripts reach platforms only through hip"},

	{"host/recording", "hip/function input internal/...", "plain data: it knows the kinds of parameters"},
	{"host/expect host/answer", "input internal/...", "they know no data of a run"},
	{"host/output", "host/answer input internal/...", "it knows no data of a run"},
	{"host/config", "hip hip/arch hip/cpu/time hip/driver hip/fault hip/release host/exit input internal/... " +
		"luabind/record luabind/vm/bounds workspace workspace/tuning",
		"a configuration depends neither on plans nor on runs"},
	{"host/report/...", "hip/trace host/... internal/... luabind/record", "a finished run as text and documents"},
	{"host/worker", "hip/cpu/blas hip hip/driver hip/fault hip/trace host/... luabind luabind/record " +
		"luabind/vm/bounds workspace workspace/tuning", "the only package but run and repl that runs Lua"},
	{"host/calibrate", "hip/cpu/time host/... internal/... luabind/record workspace/footprint",
		"it fits the model of time"},
	{"host/run host/repl", "hip hip/driver hip/release hip/routine hip/trace host/... input internal/... luabind " +
		"luabind/api luabind/manual luabind/record luabind/vm/bounds workspace", "they run Lua through luabind"},
	{"host", "hip hip/amd hip/arch hip/cpu hip/defect hip/driver hip/matmul hip/nogpu hip/nvidia hip/routine " +
		"host/... input " +
		"internal/... luabind/manual luabind/record luabind/vm/bounds workspace workspace/footprint workspace/tuning",
		"the program; only platforms.go imports platforms"},
	{"host/...",
		"docs hip hip/arch hip/defect hip/driver hip/function hip/matmul hip/number hip/release hip/routine/... " +
			"hip/trace host/... input internal/... luabind/api luabind/manual luabind/record luabind/vm/bounds " +
			"workspace/...", "parts of the program that run no Lua"},
	{"web/...", "docs hip/arch hip/release host/exit host/report/page host/topics luabind/manual web/site workspace",
		"the page for browsers knows the tables and the manual"},
	{".", "host", "the command calls host.Main and nothing else"},

	{"tests", "", "tests from outside"},
	{"tests/...", "hip/... workspace/...", "tests from outside, and what tests share"},
}

// hostOrder has the packages below host from the bottom up. A package imports only those before it, and no package
// below host imports host.
var hostOrder = strings.Fields(`exit answer schema expect recording recording/recordingtest baseline output
	record record/ship profile result config report/timeline report/page report/group report
	applog/lines files applog/analyze targets replay gate applog/render applog
	importing size products capacity starter topics serve
	worker repl plan listing verify progress events watch merge compare calibrate run`)

// modules are the other modules, and the packages that can import them.
var modules = map[string]string{
	"github.com/BurntSushi/toml":              "input host/baseline host/config",
	"github.com/HdrHistogram/hdrhistogram-go": "luabind/load",
	"github.com/ebitengine/purego":            "hip/dl",
	"github.com/go-json-experiment/json":      "host/result",
	"github.com/google/go-cmp":                "hip/drivertest",
	"github.com/google/pprof":                 "host/profile",
	"github.com/jedib0t/go-pretty":            "host/...",
	"github.com/peterh/liner":                 "host/repl",
	"github.com/spf13/cobra":                  "host",
	"github.com/spf13/pflag":                  "host host/config host/plan",
	"github.com/tinylib/msgp":                 "workspace/tuning",
	"github.com/x448/float16":                 "hip/number",
	"github.com/yuin/goldmark":                "web/site",
	"github.com/yuin/gopher-lua":              "luabind/...",
	"go.yaml.in/yaml/v4":                      "host/files",
	"go.uber.org/goleak":                      "tests/leaks",
	"golang.org/x/sync":                       "host/plan",
	"golang.org/x/sys":                        "hip/cpu/vector host/record host/worker internal/atomicfile",
	"golang.org/x/term":                       "host",
	"gonum.org/v1/gonum":                      "hip/cpu/lapack",
}

// has reports whether a list of packages has one.
func has(list, name string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(p string) bool {
		folder, all := strings.CutSuffix(p, "/...")
		return name == folder || all && strings.HasPrefix(name, folder+"/")
	})
}

func TestLayers(t *testing.T) {
	used := map[string]bool{}
	for name, imports := range importsOf(t) {
		at := slices.IndexFunc(layers, func(l layer) bool { return has(l.packages, name) })
		if at < 0 {
			t.Errorf("%s has no layer", name)
			continue
		}
		l := layers[at]
		for _, p := range strings.Fields(l.packages) {
			used[p] = used[p] || has(p, name)
		}
		for _, other := range imports {
			if first, _, _ := strings.Cut(other, "/"); other != "roclua" && first != "roclua" {
				if strings.Contains(first, ".") && !has(modules[moduleOf(other)], name) {
					t.Errorf("%s must not import %s", name, other)
				}
				continue
			}
			other = strings.TrimPrefix(other, "roclua/")
			if !has(l.imports, other) {
				t.Errorf("%s must not import %s: %s", name, other, l.why)
			}
			low, high := hostPlace(other), hostPlace(name)
			if low >= 0 && high >= 0 && low > high {
				t.Errorf("%s must not import %s, which is above it", name, other)
			}
		}
	}
	for _, l := range layers {
		for _, p := range strings.Fields(l.packages) {
			if !used[p] {
				t.Errorf("the layer of %s has no package", p)
			}
		}
	}
}

// hostPlace returns the place of a package in hostOrder, and -1 for packages that are not below host.
func hostPlace(name string) int { return slices.Index(hostOrder, strings.TrimPrefix(name, "host/")) }

// moduleOf returns the module in modules that has a package.
func moduleOf(name string) string {
	for m := range modules {
		if has(m+"/...", name) {
			return m
		}
	}
	return ""
}

// importsOf returns the packages of this module and what they import.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "roclua/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, "roclua/")
		if name == "roclua" {
			name = "."
		}
		list[name] = p.Imports
	}
}

// TestHostPackages checks that hostOrder and the comment of package host name every package below it.
func TestHostPackages(t *testing.T) {
	text, err := os.ReadFile("../../host/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	below := 0
	for name := range importsOf(t) {
		if !strings.HasPrefix(name, "host/") {
			continue
		}
		below++
		if hostPlace(name) < 0 {
			t.Errorf("hostOrder does not name %s", name)
		}
		if folder := strings.Split(name, "/")[1]; !regexp.MustCompile(`\b` + folder + `\b`).Match(text) {
			t.Errorf("the comment of package host does not name %s", folder)
		}
	}
	if below != len(hostOrder) {
		t.Errorf("hostOrder names %d packages, %d exist", len(hostOrder), below)
	}
}

// TestPlatformsAreImportedInOneFile checks that only platforms.go of package host imports platforms.
func TestPlatformsAreImportedInOneFile(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .GoFiles "\n"}}`, "roclua/host").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		text, err := os.ReadFile(path.Join("../../host", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, platform := range []string{"cpu", "nvidia", "amd"} {
			if strings.Contains(string(text), `"roclua/hip/`+platform+`"`) != (name == "platforms.go") {
				t.Errorf("%s: platforms.go, and no other file, imports hip/%s", name, platform)
			}
		}
	}
}
