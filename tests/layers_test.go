// Package tests looks at the program from outside: its command line, its scenarios, and which way its imports go.
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

// layer is what a package of the module may import beside the standard library, and why it stands where it stands.
type layer struct {
	module []string // packages of the module
	others []string // modules of others
	why    string
}

// layers is the architecture. Do not change it to make a build pass: change the import.
var layers = map[string]layer{
	"roclua":                     {module: []string{"host"}, why: "main hands the process over and knows nothing"},
	"roclua/host":                {module: []string{"internal/nearest", "luabind", "luabind/manual", "workspace", "workspace/footprint", "workspace/sizing", "host/baseline", "host/chart", "host/config", "host/exit", "host/expect", "host/page", "host/repl", "host/schema", "host/size", "host/starter", "host/timeline", "host/topics", "host/watch", "hip", "hip/driver", "hip/fault", "hip/routine", "hip/cpu", "hip/nvidia", "hip/amd"}, others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/BurntSushi/toml", "github.com/jedib0t/go-pretty/v6", "golang.org/x/term", "golang.org/x/sys"}, why: "the program; its file platforms.go alone imports a platform"},
	"roclua/host/baseline":       {others: []string{"github.com/BurntSushi/toml"}, why: "values against values, and the file that keeps them"},
	"roclua/host/chart":          {why: "a leaf: numbers into pictures"},
	"roclua/host/config":         {module: []string{"internal/nearest", "luabind", "workspace", "host/exit", "hip", "hip/driver", "hip/fault"}, others: []string{"github.com/BurntSushi/toml", "github.com/spf13/pflag"}, why: "describes a run; it depends neither on plans nor on runs"},
	"roclua/host/exit":           {why: "a leaf: exit codes as errors carry them"},
	"roclua/host/expect":         {why: "a leaf: conditions on values"},
	"roclua/host/page":           {module: []string{"host/timeline"}, why: "a run as one file for a browser"},
	"roclua/host/repl":           {module: []string{"internal/nearest", "luabind", "luabind/api", "luabind/manual", "workspace", "hip", "hip/driver", "hip/routine"}, others: []string{"github.com/peterh/liner"}, why: "a conversation; it knows no Lua but what luabind tells"},
	"roclua/host/schema":         {why: "a leaf: what is read and written, as JSON Schemas"},
	"roclua/host/size":           {module: []string{"host/chart", "host/config", "workspace", "workspace/footprint", "workspace/sizing"}, others: []string{"github.com/jedib0t/go-pretty/v6"}, why: "the bytes that calls need, as text, data and pictures"},
	"roclua/host/starter":        {why: "a leaf: the files that a project begins with"},
	"roclua/host/timeline":       {module: []string{"hip"}, why: "what happened, as lines over time"},
	"roclua/luabind":             {module: []string{"internal/nearest", "luabind/api", "luabind/vm", "workspace", "workspace/status", "hip", "hip/driver", "hip/routine", "hip/number"}, others: []string{"github.com/yuin/gopher-lua"}, why: "the modules of scripts and scenarios, bound to a Lua machine"},
	"roclua/internal/nearest":    {why: "a leaf: suggestions for misspelled names"},
	"roclua/host/topics":         {module: []string{"host/config"}, why: "pages of the manual, with the descriptions of keys"},
	"roclua/host/watch":          {others: []string{"github.com/fsnotify/fsnotify"}, why: "a leaf: which files change"},
	"roclua/luabind/api":         {module: []string{"workspace/status", "hip/driver", "hip/routine"}, why: "declares what scripts can use; does not depend on Lua"},
	"roclua/luabind/manual":      {module: []string{"luabind/api", "workspace", "workspace/footprint", "workspace/argcheck", "workspace/status", "hip/driver", "hip/routine"}, why: "renders the documentation of luabind/api and of the routines"},
	"roclua/workspace":           {module: []string{"internal/bytecount", "internal/nearest", "workspace/sizing", "workspace/argcheck", "workspace/status", "hip", "hip/driver", "hip/release", "hip/routine", "hip/routine/buffer", "hip/number"}, why: "the memory model knows no Lua and no platform"},
	"roclua/workspace/sizing":    {module: []string{"hip/release", "hip/routine", "hip/routine/buffer"}, why: "bytes follow from a call's arguments alone"},
	"roclua/workspace/footprint": {module: []string{"internal/nearest", "workspace", "workspace/sizing", "workspace/argcheck", "workspace/status", "hip/routine"}, why: "planning needs neither a handle nor a device"},
	"roclua/workspace/argcheck":  {module: []string{"hip/routine", "workspace/status"}, why: "checks follow from a call's arguments alone"},
	"roclua/workspace/status":    {why: "a leaf: the statuses that everything above speaks of"},
	"roclua/hip":                 {module: []string{"internal/nearest", "hip/driver", "hip/routine"}, why: "the runtime knows platforms by their interfaces"},
	"roclua/hip/fault":           {module: []string{"internal/nearest", "hip", "hip/routine"}, why: "chooses what fails; the runtime asks, and knows no choice"},
	"roclua/hip/driver":          {module: []string{"hip/routine", "hip/routine/buffer"}, why: "a leaf of interfaces, but for the table that launches speak of"},
	"roclua/hip/routine":         {module: []string{"hip/routine/buffer"}, why: "the table is a leaf, but for the names of buffers"},
	"roclua/hip/routine/buffer":  {why: "a leaf: names of buffers"},
	"roclua/hip/release":         {why: "the table of releases is a leaf"},
	"roclua/hip/number":          {module: []string{"hip/routine"}, others: []string{"github.com/x448/float16"}, why: "numbers as bytes, and nothing else"},
	"roclua/hip/cpu":             {module: []string{"hip", "hip/driver", "hip/routine", "hip/cpu/kernel", "hip/cpu/blas"}, others: []string{"golang.org/x/sys"}, why: "a platform: it registers with hip and implements hip/driver"},
	"roclua/hip/cpu/kernel":      {module: []string{"hip/driver", "hip/routine", "hip/routine/buffer", "hip/number", "hip/cpu/blas", "hip/cpu/lapack"}, why: "kernels know nothing of handles"},
	"roclua/hip/cpu/blas":        {module: []string{"hip/dl"}, others: []string{"gonum.org/v1/gonum"}, why: "mathematics on slices, in Go or by OpenBLAS"},
	"roclua/hip/dl":              {others: []string{"github.com/ebitengine/purego"}, why: "the only package that opens C libraries, and it knows none of them"},
	"roclua/hip/cpu/lapack":      {module: []string{"hip/cpu/blas"}, why: "mathematics on slices"},
	"roclua/hip/native":          {module: []string{"hip/driver", "hip/dl"}, why: "devices on a C runtime, whosever it is"},
	"roclua/hip/nvidia":          {module: []string{"hip", "hip/driver", "hip/routine", "hip/routine/buffer", "hip/number", "hip/native", "hip/dl"}, why: "a platform: it registers with hip and implements hip/driver"},
	"roclua/hip/amd":             {module: []string{"hip", "hip/driver", "hip/release", "hip/routine", "hip/number", "hip/native", "hip/dl"}, why: "a platform: it registers with hip and implements hip/driver"},
	"roclua/hip/drivertest":      {module: []string{"hip", "hip/driver", "hip/routine", "hip/routine/buffer"}, others: []string{"github.com/google/go-cmp"}, why: "the suite that every platform runs, for tests alone"},
	"roclua/tests/conformance":   {module: []string{"hip", "hip/driver", "hip/routine", "workspace", "workspace/argcheck", "workspace/status"}, why: "the model against the libraries, for tests alone"},
	"roclua/tests/fakedriver":    {module: []string{"hip", "hip/driver"}, why: "a platform for tests"},
	"roclua/tests/leaks":         {module: []string{"hip/cpu"}, others: []string{"go.uber.org/goleak"}, why: "what tests leave behind, for tests alone"},
	"roclua/tests/randomcall":    {module: []string{"hip", "hip/driver", "hip/release", "hip/routine", "hip/number", "workspace/argcheck", "workspace/sizing"}, why: "random calls, for tests alone"},
	"roclua/tests":               {why: "a black box; its tests may import what they need"},

	"roclua/luabind/vm":                  {module: []string{"internal/bytecount", "internal/nearest", "luabind/vm/internal/layout", "luabind/vm/internal/pattern"}, others: []string{"github.com/yuin/gopher-lua"}, why: "a bounded Lua machine, for any program"},
	"roclua/luabind/vm/internal/layout":  {others: []string{"github.com/yuin/gopher-lua"}, why: "a leaf: the parts of gopher-lua that its API does not expose"},
	"roclua/luabind/vm/internal/pattern": {why: "a leaf: patterns of Lua"},
	"roclua/internal/bytecount":          {why: "a leaf: numbers of bytes as text"},
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
				t.Errorf("%s: platforms are imported in platforms.go alone", file)
			}
		}
	}
}
