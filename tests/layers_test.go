// Package tests has black-box tests of the program: its command line, its scenarios, its documents, and the imports
// between its packages.
package tests

import (
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layer has the imports that a package may have in addition to the standard library, and the reason.
type layer struct {
	module []string // packages of this module
	others []string // other modules
	why    string
}

// layers is the architecture. Do not change it to make a test pass: change the import.
var layers = map[string]layer{
	"roclua": {
		why:    "calls host.Main and nothing else",
		module: []string{"host"},
	},
	"roclua/hip": {
		why:    "the runtime; uses platforms only through interfaces",
		module: []string{"hip/codec", "hip/codec/codectest", "hip/driver", "hip/routine", "hip/nearest"},
	},
	"roclua/hip/amd": {
		why:    "a platform: implements hip/driver and registers with hip",
		module: []string{"hip", "hip/dl", "hip/driver", "hip/native", "hip/number", "hip/release", "hip/routine"},
	},
	"roclua/hip/codec": {
		why:    "a leaf: plain data as bytes",
		others: []string{"github.com/google/go-cmp"},
	},
	"roclua/hip/codec/codectest": {
		why:    "the test of types that are encoded",
		module: []string{"hip/codec"},
		others: []string{"github.com/google/go-cmp"},
	},
	"roclua/hip/cpu": {
		why:    "a platform: implements hip/driver and registers with hip",
		module: []string{"hip", "hip/cpu/blas", "hip/cpu/kernel", "hip/driver", "hip/number", "hip/routine"},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/hip/cpu/blas": {
		why:    "BLAS on slices, in Go or with OpenBLAS",
		module: []string{"hip/cpu/vector", "hip/dl"},
	},
	"roclua/hip/cpu/kernel": {
		why: "kernels are independent of handles",
		module: []string{
			"hip/cpu/blas", "hip/cpu/lapack", "hip/driver", "hip/number", "hip/routine", "hip/routine/buffer",
		},
	},
	"roclua/hip/cpu/lapack": {
		why:    "LAPACK on slices; gonum iterates on real tridiagonal and bidiagonal matrices",
		module: []string{"hip/cpu/blas"},
		others: []string{"gonum.org/v1/gonum"},
	},
	"roclua/hip/cpu/vector": {
		why:    "a leaf: the innermost operations in assembly language",
		others: []string{"golang.org/x/sys"},
	},
	"roclua/hip/dl": {
		why:    "the only package that loads C libraries; independent of their content",
		others: []string{"github.com/ebitengine/purego"},
	},
	"roclua/hip/driver": {
		why:    "the interfaces of platforms; needs only the table of routines",
		module: []string{"hip/routine", "hip/routine/buffer"},
	},
	"roclua/hip/dl/dltest": {
		why: "a leaf: compiles C libraries for tests",
	},
	"roclua/hip/drivertest": {
		why:    "the tests that every platform must pass",
		module: []string{"hip", "hip/driver", "hip/routine", "hip/routine/buffer"},
		others: []string{"github.com/google/go-cmp"},
	},
	"roclua/hip/fault": {
		why:    "chooses the allocations that fail; the runtime calls it through an interface",
		module: []string{"hip", "hip/routine", "hip/nearest"},
	},
	"roclua/hip/inert": {
		why:    "a device that computes nothing; implements hip/driver",
		module: []string{"hip/driver"},
	},
	"roclua/hip/native": {
		why:    "devices on any C runtime",
		module: []string{"hip/dl", "hip/driver"},
	},
	"roclua/hip/number": {
		why:    "conversion of numbers to and from bytes",
		module: []string{"hip/routine"},
		others: []string{"github.com/x448/float16"},
	},
	"roclua/hip/nvidia": {
		why: "a platform: implements hip/driver and registers with hip",
		module: []string{
			"hip", "hip/dl", "hip/driver", "hip/native", "hip/number", "hip/routine", "hip/routine/buffer",
		},
	},
	"roclua/hip/release": {
		why: "a leaf: the table of releases",
	},
	"roclua/hip/routine": {
		why:    "the table of routines; needs only the names of buffers",
		module: []string{"hip/routine/buffer"},
	},
	"roclua/hip/routine/buffer": {
		why: "a leaf: names of buffers",
	},
	"roclua/host": {
		why: "the program; only platforms.go imports platforms",
		module: []string{
			"hip", "hip/amd", "hip/cpu", "hip/driver", "hip/nvidia", "hip/units", "host/applog",
			"host/applog/render", "host/compare", "host/config", "host/events",
			"host/exit", "host/merge", "host/plan", "host/progress", "host/profile", "host/repl",
			"host/report", "host/result",
			"host/run",
			"host/schema", "host/shard", "host/size", "host/starter", "host/topics", "host/verify",
			"host/watch", "host/worker",
			"hip/nearest", "hip/routine", "luabind", "luabind/manual", "workspace",
			"workspace/footprint", "host/output", "host/escape",
		},
		others: []string{
			"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/jedib0t/go-pretty/v6", "golang.org/x/term",
		},
	},
	"roclua/host/applog": {
		why: "the command log: reads files and writes the answer",
		module: []string{
			"host/applog/analyze", "host/applog/render", "host/exit", "host/targets", "workspace/footprint",
		},
	},
	"roclua/host/applog/analyze": {
		why: "what the calls of logs need; it reads streams and writes nothing",
		module: []string{
			"hip/routine", "host/applog/lines", "workspace", "workspace/footprint",
		},
	},
	"roclua/host/applog/render": {
		why: "writes what the calls of logs need as text, data and pictures",
		module: []string{
			"hip/routine", "host/applog/analyze", "host/applog/lines", "host/escape", "host/report/chart",
			"host/targets", "workspace", "workspace/footprint",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/applog/lines": {
		why:    "reads single lines of logs",
		module: []string{"hip/routine", "workspace/footprint"},
	},
	"roclua/host/baseline": {
		why: "values of cases and the files that keep them",
		module: []string{
			"input", "host/output",
		},
		others: []string{"github.com/BurntSushi/toml"},
	},
	"roclua/host/compare": {
		why: "compares two runs; it does not run them",
		module: []string{
			"host/baseline", "host/events", "host/report", "host/report/group", "host/result", "luabind",
			"input",
			"host/escape",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/config": {
		why: "describes a run; it depends neither on plans nor on runs",
		module: []string{
			"hip", "hip/driver", "hip/fault", "hip/nearest", "hip/units", "host/exit", "luabind", "workspace",
			"input",
		},
		others: []string{"github.com/BurntSushi/toml", "github.com/spf13/pflag"},
	},
	"roclua/host/escape": {
		why: "a leaf: makes text of unknown origin safe in each format",
	},
	"roclua/host/events": {
		why: "writes a run as it happens and resumes it; the identity of a run is made of its plan",
		module: []string{
			"hip", "host/exit", "host/output", "host/plan", "host/result", "host/run", "host/shard", "input",
			"host/escape",
		},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/host/exit": {
		why: "a leaf: exit codes as errors",
	},
	"roclua/host/expect": {
		why:    "conditions on values",
		module: []string{"hip/units"},
	},
	"roclua/host/output": {
		why:    "writes files so that a failure leaves each whole; knows no format",
		module: []string{"input"},
	},
	"roclua/host/merge": {
		why: "reads the events of shards; it judges nothing",
		module: []string{
			"host/baseline", "host/config", "host/events", "host/plan", "host/report", "host/result", "input",
			"luabind",
		},
	},
	"roclua/host/plan": {
		why: "lists cases; it does not run them, but for the top level of scripts, which workers describe",
		module: []string{
			"host/baseline", "host/config", "host/exit", "host/expect", "host/result", "hip/nearest", "hip/units",
			"host/worker", "luabind", "workspace", "input", "host/escape",
		},
		others: []string{"github.com/spf13/pflag"},
	},
	"roclua/host/progress": {
		why:    "shows how far a run is",
		module: []string{"host/plan", "host/result"},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/repl": {
		why: "the prompt; uses Lua only through luabind",
		module: []string{
			"hip", "hip/driver", "hip/routine", "hip/nearest", "luabind", "luabind/api", "luabind/manual",
			"workspace",
			"host/output",
			"input",
		},
		others: []string{"github.com/peterh/liner"},
	},
	"roclua/host/report": {
		why: "writes results; it imports run for the description of the machine",
		module: []string{
			"hip", "host/baseline", "host/config", "host/exit", "host/report/group", "host/report/page",
			"host/report/timeline", "host/result", "host/run", "hip/nearest", "luabind",
			"host/output",
			"host/escape",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/report/chart": {
		why: "a leaf: draws plots",
	},
	"roclua/host/report/group": {
		why:    "groups what cases have in common, for all reports",
		module: []string{"host/baseline", "host/result", "luabind"},
	},
	"roclua/host/report/page": {
		why:    "the HTML report",
		module: []string{"host/report/timeline"},
	},
	"roclua/host/report/timeline": {
		why:    "HIP calls and kernels as lines over time",
		module: []string{"hip"},
	},
	"roclua/host/result": {
		why: "plain data that all others share: it depends neither on plans nor on runs",
		module: []string{
			"hip", "hip/codec", "hip/driver", "host/baseline", "host/exit", "luabind", "host/escape",
		},
		others: []string{
			"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext",
			"github.com/go-json-experiment/json/v1",
		},
	},
	"roclua/host/profile": {
		why:    "profiles of runs; it does not measure them",
		module: []string{"host/escape", "input", "luabind"},
		others: []string{"github.com/VictoriaMetrics/easyproto"},
	},
	"roclua/host/revision": {
		why:    "a leaf: the git revision of a folder",
		module: []string{"input"},
	},
	"roclua/host/run": {
		why: "executes cases; it writes no reports",
		module: []string{
			"hip", "hip/driver", "host/baseline", "host/config", "host/plan", "host/result", "host/revision",
			"host/worker", "luabind", "host/output", "host/escape", "workspace", "hip/release",
		},
	},
	"roclua/host/schema": {
		why: "a leaf: JSON Schemas of input and output",
	},
	"roclua/host/shard": {
		why: "a leaf: which positions belong to which part of a plan",
	},
	"roclua/host/size": {
		why: "the bytes that calls need, as text, data and pictures",
		module: []string{
			"host/config", "host/report/chart", "host/targets", "input", "workspace", "workspace/footprint",
			"workspace/sizing", "host/output",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/starter": {
		why: "creates the files of projects and scenarios",
		module: []string{
			"hip/routine", "host/config", "host/output", "host/schema", "hip/nearest", "luabind/manual",
		},
	},
	"roclua/host/targets": {
		why:    "releases and architectures side by side, for the commands that compute what calls need",
		module: []string{"host/config", "workspace", "workspace/footprint"},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/topics": {
		why: "pages of the manual, with what other packages describe themselves",
		module: []string{
			"hip", "hip/routine", "host/config", "host/exit", "host/report", "hip/nearest", "luabind/manual",
			"workspace",
		},
	},
	"roclua/host/verify": {
		why: "compares the model with the libraries, which run in workers; it reads no command line",
		module: []string{
			"hip", "hip/driver", "hip/inert", "hip/routine", "host/config", "host/escape", "host/exit", "host/worker",
			"luabind", "workspace", "workspace/difftest",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/watch": {
		why:    "reruns cases when files change; how they are planned and run is passed in",
		module: []string{"host/config", "host/exit", "host/plan", "host/result"},
		others: []string{"github.com/fsnotify/fsnotify"},
	},
	"roclua/host/worker": {
		why: "runs one case or describes one script in another process; it depends neither on plans nor on reports",
		module: []string{
			"hip", "hip/codec", "hip/driver", "hip/fault", "host/config", "host/exit", "luabind", "workspace",
		},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/hip/nearest": {
		why: "a leaf: suggestions for misspelled names",
	},
	"roclua/hip/units": {
		why: "a leaf: numbers with a suffix such as KiB",
	},
	"roclua/input": {
		why: "a leaf: bounded reading of files and streams",
	},
	"roclua/luabind": {
		why: "the modules of scripts and scenarios, bound to a Lua machine",
		module: []string{
			"hip", "hip/codec", "hip/codec/codectest", "hip/driver", "hip/nearest", "hip/number", "hip/routine",
			"hip/units", "luabind/api",
			"luabind/dense", "luabind/vm", "workspace", "workspace/status",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/api": {
		why:    "declares what scripts can use; does not depend on Lua",
		module: []string{"hip/driver", "hip/routine", "workspace/status"},
	},
	"roclua/luabind/dense": {
		why:    "a leaf: arithmetic with matrices, independent of Lua and of devices",
		others: []string{"gonum.org/v1/gonum"},
	},
	"roclua/luabind/manual": {
		why: "renders the documentation of luabind/api and of the routines",
		module: []string{
			"hip/driver", "hip/routine", "luabind/api", "workspace", "workspace/argcheck", "workspace/footprint",
			"workspace/status",
		},
	},
	"roclua/luabind/vm": {
		why: "a bounded Lua machine, for any program",
		module: []string{
			"luabind/vm/internal/layout", "luabind/vm/internal/pattern",
			"input",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/internal/layout": {
		why:    "a leaf: the parts of gopher-lua that its API does not expose",
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/internal/pattern": {
		why: "a leaf: patterns of Lua",
	},
	"roclua/tests": {
		why: "black-box tests; can import anything",
	},
	"roclua/tests/conformance": {
		why:    "compares the model with the libraries; only for tests",
		module: []string{"hip", "hip/driver", "hip/routine", "workspace", "workspace/argcheck", "workspace/status"},
	},
	"roclua/tests/fakedriver": {
		why:    "a fake platform; only for tests",
		module: []string{"hip", "hip/inert"},
	},
	"roclua/tests/hostile": {
		why: "a test of the built program, from outside",
	},
	"roclua/tests/leaks": {
		why:    "checks for leaks; only for tests",
		module: []string{"hip/cpu"},
		others: []string{"go.uber.org/goleak"},
	},
	"roclua/tests/randomcall": {
		why: "random calls, for tests alone",
		module: []string{
			"hip", "hip/driver", "hip/number", "hip/release", "hip/routine", "workspace/argcheck", "workspace/sizing",
		},
	},
	"roclua/workspace": {
		why: "the memory model; independent of Lua and of platforms",
		module: []string{
			"hip", "hip/driver", "hip/number", "hip/release", "hip/routine", "hip/routine/buffer",
			"hip/nearest", "workspace/argcheck", "workspace/sizing", "workspace/status",
		},
	},
	"roclua/workspace/argcheck": {
		why:    "checks depend only on the arguments of a call",
		module: []string{"hip/routine", "workspace/status"},
	},
	"roclua/workspace/difftest": {
		why: "random operations of handles, on the model and on libraries",
		module: []string{
			"hip", "hip/driver", "hip/routine", "workspace", "workspace/argcheck", "workspace/status",
		},
	},
	"roclua/workspace/footprint": {
		why: "planning needs neither a handle nor a device",
		module: []string{
			"hip/routine", "hip/nearest", "hip/units", "workspace", "workspace/argcheck", "workspace/sizing",
			"workspace/status",
		},
	},
	"roclua/workspace/sizing": {
		why:    "sizes depend only on the arguments of a call",
		module: []string{"hip/release", "hip/routine", "hip/routine/buffer"},
	},
	"roclua/workspace/status": {
		why: "a leaf: the statuses of the libraries",
	},
}

func TestLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "roclua/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen[p.ImportPath] = true
		row, ok := layers[p.ImportPath]
		if !ok {
			t.Errorf("%s has no row in the table of layers", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if !row.allows(imported) {
				t.Errorf("%s must not import %s: %s", p.ImportPath, imported, row.why)
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the table of layers has a row for %s, which does not exist", name)
		}
	}
}

func (l layer) allows(path string) bool {
	if rest, ok := strings.CutPrefix(path, "roclua/"); ok {
		return slices.Contains(l.module, rest)
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(l.others, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

func TestPlatformsAreImportedInOneFile(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}", "roclua/host").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.Fields(string(out)) {
		for _, platform := range []string{"roclua/hip/cpu", "roclua/hip/nvidia", "roclua/hip/amd"} {
			if imports(t, file, platform) != (filepath.Base(file) == "platforms.go") {
				t.Errorf("%s: only platforms.go may import platforms", file)
			}
		}
	}
}
