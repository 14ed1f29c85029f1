// Package tests has black-box tests of the program: its command line, its scenarios, its documents, and the imports
// between its packages.
package tests

import (
	"encoding/json"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layer lists the imports allowed for a package in addition to the standard library, and the reason.
type layer struct {
	module []string // packages of this module
	others []string // other modules
	why    string
}

// The layers are the architecture. Do not change them to make a test pass: change the import. These are the layers of
// the libraries and the tests; hostLayers has the layers of the program, workspaceLayers the model's.
var libraryLayers = map[string]layer{
	"roclua": {
		why:    "calls host.Main and nothing else",
		module: []string{"host"},
	},
	"roclua/hip": {
		why:    "the runtime; uses platforms only through interfaces",
		module: []string{"hip/trace", "hip/driver", "hip/routine", "internal/nearest"},
	},
	"roclua/hip/amd": {
		why: "a platform: implements hip/driver and registers with hip",
		module: []string{"hip", "hip/dl", "hip/driver", "hip/function", "hip/matmul", "hip/native", "hip/nogpu",
			"hip/number", "hip/release", "hip/routine"},
	},
	"roclua/internal/ccompile": {
		why: "a leaf: compiles C source into a cache of the user",
	},
	"roclua/internal/randomtest": {
		why: "a leaf: random numbers for tests",
	},
	"roclua/hip/arch": {
		why:    "the table of architectures; some facts depend on the release",
		module: []string{"hip/release"},
	},
	"roclua/hip/cpu": {
		why: "a platform: implements hip/driver and registers with hip",
		module: []string{
			"hip", "hip/arch", "hip/cpu/blas", "hip/cpu/capture", "hip/cpu/inspect", "hip/cpu/kernel",
			"hip/cpu/memory", "hip/cpu/order", "hip/driver", "hip/number", "hip/routine", "hip/routine/region",
		},
	},
	"roclua/hip/cpu/blas": {
		why:    "BLAS on slices, in Go or with OpenBLAS",
		module: []string{"hip/cpu/vector", "hip/dl"},
	},
	"roclua/hip/cpu/capture": {
		why:    "captured calls as the nodes of graphs; performs no work",
		module: []string{"hip/cpu/memory", "hip/cpu/order", "hip/driver"},
	},
	"roclua/hip/cpu/inspect": {
		why: "what operations read; asks the kernels only which routines are computed",
		module: []string{
			"hip/cpu/kernel", "hip/cpu/memory", "hip/cpu/order", "hip/driver", "hip/number", "hip/routine",
		},
	},
	"roclua/hip/cpu/memory": {
		why:    "device memory and its uses by operations; independent of streams, captures and kernels",
		module: []string{"hip/cpu/order", "hip/driver", "hip/routine", "hip/routine/region"},
	},
	"roclua/hip/cpu/order": {
		why:    "streams, vector clocks and waits; independent of memory",
		module: []string{"hip/driver"},
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
	"roclua/hip/function": {
		why: "a leaf: the table of the functions that are not routines",
	},
	"roclua/hip/fault": {
		why:    "chooses the allocations that fail; the runtime calls it through an interface",
		module: []string{"hip/trace", "internal/nearest"},
	},
	"roclua/hip/matmul": {
		why:    "products of matrices as hipBLASLt takes them, in options and logs",
		module: []string{"internal/nearest"},
	},
	"roclua/hip/native": {
		why:    "devices on any C runtime",
		module: []string{"hip/dl", "hip/driver"},
	},
	"roclua/hip/nogpu": {
		why:    "a HIP runtime in C that needs no GPU; any program can load it",
		module: []string{"internal/ccompile"},
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
			"hip/routine/region",
		},
	},
	"roclua/hip/release": {
		why: "a leaf: the table of releases",
	},
	"roclua/hip/routine": {
		why:    "the table of routines; needs only architectures and the names of buffers",
		module: []string{"hip/arch", "hip/routine/buffer"},
	},
	"roclua/hip/routine/region": {
		why:    "the device memory that calls occupy",
		module: []string{"hip/routine"},
	},
	"roclua/hip/routine/buffer": {
		why: "a leaf: names of buffers",
	},
	"roclua/hip/trace": {
		why:    "plain data: the calls, kernels and counts of a runtime, and their recorder",
		module: []string{"hip/driver"},
	},
	"roclua/docs": {
		why: "a leaf: the pages of the manual that are written by hand",
	},
	"roclua/input": {
		why:    "a leaf: bounded reading of files and streams, and of TOML",
		others: []string{"github.com/BurntSushi/toml"},
	},
	"roclua/luabind": {
		why: "runs scripts and the cases of scenarios in a Lua machine with the modules",
		module: []string{
			"hip", "hip/driver", "hip/routine/region", "hip/trace", "internal/escape", "internal/nearest",
			"internal/units", "luabind/api", "luabind/array", "luabind/device", "luabind/engine", "luabind/library",
			"luabind/load", "luabind/measure", "luabind/record", "luabind/vm", "luabind/vm/bounds",
			"luabind/vm/lualib", "luabind/vm/script", "workspace", "workspace/tuning",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/api": {
		why:    "declares what scripts can use; does not depend on Lua",
		module: []string{"hip/driver", "hip/function", "hip/routine", "workspace/status"},
	},
	"roclua/luabind/array": {
		why: "the module array: typed arrays in host memory",
		module: []string{
			"hip", "hip/driver", "hip/number", "hip/routine", "input", "internal/atomicfile", "internal/nearest",
			"luabind/api", "luabind/dense", "luabind/engine", "luabind/matrixfile", "luabind/vm", "luabind/vm/memory",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/dense": {
		why:    "arithmetic with matrices, independent of Lua and of devices; products use the kernels of the CPU",
		module: []string{"hip/cpu/blas"},
	},
	"roclua/luabind/device": {
		why: "the module hip: memory, streams and graphs, and copies to and from arrays",
		module: []string{
			"hip", "hip/driver", "hip/trace", "internal/units", "luabind/api", "luabind/array", "luabind/engine",
			"luabind/vm", "luabind/vm/memory",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/engine": {
		why: "calls Go functions from Lua by their declarations; independent of the modules",
		module: []string{
			"hip", "hip/driver", "hip/routine", "internal/nearest", "luabind/api", "luabind/vm", "luabind/vm/lualib",
			"luabind/vm/memory", "workspace", "workspace/status", "workspace/tuning",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/library": {
		why: "the modules rocblas, rocsolver, hipblas and hipsolver: handles and routines",
		module: []string{
			"hip", "hip/driver", "hip/routine", "internal/nearest", "internal/units", "luabind/api", "luabind/array",
			"luabind/device", "luabind/engine", "luabind/record", "luabind/vm", "workspace", "workspace/hipblas",
			"workspace/hipsolver", "workspace/status",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/manual": {
		why: "renders the documentation of luabind/api and of the routines",
		module: []string{
			"hip/arch", "hip/driver", "hip/routine", "luabind/api", "workspace", "workspace/argcheck",
			"workspace/footprint", "workspace/hipblas", "workspace/hipsolver", "workspace/status",
		},
	},
	"roclua/luabind/load": {
		why:    "runs the clients of a workload and measures their events; does not depend on Lua or on devices",
		module: []string{"luabind/record"},
		others: []string{"github.com/HdrHistogram/hdrhistogram-go"},
	},
	"roclua/luabind/matrixfile": {
		why: "a leaf: files of NumPy and of Matrix Market",
	},
	"roclua/luabind/measure": {
		why: "decides how many samples of a measured call are enough, and knows the peaks of devices; does not " +
			"depend on Lua or on devices",
		module: []string{"hip/routine", "luabind/record"},
	},
	"roclua/luabind/record": {
		why: "plain data: what a case did and measured; imports neither Lua nor a platform",
		module: []string{
			"hip/release", "hip/trace", "internal/escape", "internal/revision",
			"luabind/vm/bounds",
		},
	},
	"roclua/luabind/vm": {
		why: "a bounded Lua machine, for any program",
		module: []string{
			"internal/escape", "luabind/vm/bounds", "luabind/vm/internal/convert", "luabind/vm/internal/layout",
			"luabind/vm/internal/original", "luabind/vm/memory", "luabind/vm/script",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/bounds": {
		why:    "names of limits and levels of the sandbox",
		module: []string{"internal/units"},
	},
	"roclua/luabind/vm/internal/convert": {
		why:    "a leaf: numbers and text of Lua 5.1",
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/internal/layout": {
		why:    "a leaf: the parts of gopher-lua that its API does not expose",
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/internal/original": {
		why:    "a leaf: the functions of gopher-lua's libraries",
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/internal/pattern": {
		why: "a leaf: patterns of Lua",
	},
	"roclua/luabind/vm/lualib": {
		why: "Lua's standard library over a machine, with the sandbox",
		module: []string{
			"input", "luabind/vm", "luabind/vm/bounds", "luabind/vm/internal/convert", "luabind/vm/internal/layout",
			"luabind/vm/internal/original", "luabind/vm/internal/pattern", "luabind/vm/memory", "luabind/vm/script",
		},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/memory": {
		why:    "sizes of Lua values, without a machine",
		module: []string{"luabind/vm/internal/layout"},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/luabind/vm/script": {
		why:    "compiles Lua files, without a machine",
		module: []string{"luabind/vm/internal/convert", "luabind/vm/internal/layout"},
		others: []string{"github.com/yuin/gopher-lua"},
	},
	"roclua/tests": {
		why: "black-box tests; can import anything",
	},
	"roclua/tests/applications": {
		why: "records real programs, from outside; only for tests",
	},
	"roclua/tests/busy": {
		why: "measures times on busy machines; only for tests",
	},
	"roclua/tests/conformance": {
		why:    "compares the model with the libraries; only for tests",
		module: []string{"hip", "hip/driver", "hip/routine", "workspace"},
	},
	"roclua/tests/hostile": {
		why: "a test of the built program, from outside",
	},
	"roclua/tests/leaks": {
		why:    "checks for leaks; only for tests",
		module: []string{"hip/cpu/memory"},
		others: []string{"go.uber.org/goleak"},
	},
	"roclua/tests/randomcall": {
		why: "random calls, for tests alone",
		module: []string{
			"hip", "hip/arch", "hip/driver", "hip/number", "hip/release", "hip/routine", "workspace/argcheck",
			"workspace/sizing",
		},
	},
}

func TestLayers(t *testing.T) {
	layers := maps.Clone(libraryLayers)
	maps.Copy(layers, hostLayers)
	maps.Copy(layers, workspaceLayers)
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
		for _, allowed := range row.module {
			if !slices.Contains(p.Imports, "roclua/"+allowed) {
				t.Errorf("the row of %s allows %s, which it does not import", p.ImportPath, allowed)
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
