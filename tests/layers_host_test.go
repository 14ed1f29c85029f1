package tests

import (
	"os"
	"regexp"
	"testing"
)

// hostLayers are the layers of host and the packages below it.
var hostLayers = map[string]layer{
	"roclua/host": {
		why: "the program; only platforms.go imports platforms",
		module: []string{
			"hip", "hip/amd", "hip/arch", "hip/cpu", "hip/driver", "hip/matmul", "hip/nogpu", "hip/nvidia",
			"hip/routine", "host/applog", "host/applog/render", "host/capacity", "host/compare", "host/config",
			"host/exit", "host/gate", "host/importing", "host/listing", "host/merge", "host/output",
			"host/plan", "host/products", "host/profile", "host/record", "host/repl", "host/result", "host/run",
			"host/schema", "host/serve", "host/site", "host/size", "host/starter", "host/targets",
			"host/topics", "host/verify", "host/watch", "host/worker", "input", "internal/atomicfile",
			"internal/escape", "internal/nearest", "internal/units", "luabind/manual", "luabind/record",
			"luabind/vm/bounds", "workspace", "workspace/footprint", "workspace/tuning",
		},
		others: []string{
			"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/jedib0t/go-pretty/v6", "golang.org/x/term",
		},
	},
	"roclua/host/capacity": {
		why: "the memory of all handles together, as text, data and a picture",
		module: []string{
			"host/applog/analyze", "host/applog/render", "host/applog/replay", "host/gate", "host/output",
			"host/page", "host/products", "host/targets",
			"internal/units", "workspace", "workspace/footprint",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/applog": {
		why: "the command log: reads files and writes the answer",
		module: []string{
			"hip/arch", "hip/driver", "hip/routine", "host/applog/analyze", "host/applog/render", "host/applog/replay",
			"host/config", "host/exit", "host/recording", "host/targets", "workspace", "workspace/footprint",
		},
	},
	"roclua/host/applog/analyze": {
		why: "what the calls of logs need; it reads streams and writes nothing",
		module: []string{
			"hip/matmul", "hip/routine", "host/applog/lines", "internal/units", "workspace", "workspace/footprint",
		},
	},
	"roclua/host/applog/render": {
		why: "writes what the calls of logs need as text, data and pictures",
		module: []string{
			"hip/routine", "hip/routine/region", "host/applog/analyze", "host/applog/lines", "host/applog/replay",
			"host/gate",
			"host/output", "host/page",
			"host/targets", "internal/chart", "internal/units", "workspace",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/applog/replay": {
		why: "makes the calls of recordings on modelled handles",
		module: []string{
			"hip", "hip/arch", "hip/driver", "hip/number", "hip/routine", "hip/trace", "host/recording",
			"internal/units", "workspace", "workspace/footprint", "workspace/status",
		},
	},
	"roclua/host/applog/lines": {
		why:    "reads single lines of logs, and commands that a person wrote, with the nearest names",
		module: []string{"hip/routine", "internal/nearest", "workspace/footprint"},
	},
	"roclua/host/gate": {
		why: "what a release needs more than another one",
		module: []string{
			"host/applog/analyze", "host/output", "internal/nearest", "internal/units", "workspace/footprint",
		},
	},
	"roclua/host/importing": {
		why:    "makes scenarios from what other benchmark programs read; it reads their options as logs have them",
		module: []string{"hip/routine", "hip/routine/region", "host/applog/lines", "input", "internal/nearest"},
	},
	"roclua/host/baseline": {
		why: "values of cases and the files that keep them",
		module: []string{
			"input", "internal/atomicfile", "internal/units", "luabind/record",
		},
		others: []string{"github.com/BurntSushi/toml"},
	},
	"roclua/host/compare": {
		why: "compares two runs; it does not run them",
		module: []string{
			"hip/trace", "host/baseline", "host/events", "host/output", "host/report/group", "host/report/page",
			"host/report/timeline", "host/result", "input", "internal/escape", "luabind/record",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/config": {
		why: "describes a run; it depends neither on plans nor on runs",
		module: []string{
			"hip", "hip/arch", "hip/driver", "hip/fault", "host/exit", "input", "internal/nearest", "internal/units",
			"luabind/record", "luabind/vm/bounds", "workspace", "hip/release", "workspace/tuning",
		},
		others: []string{"github.com/BurntSushi/toml", "github.com/spf13/pflag"},
	},
	"roclua/internal/escape": {
		why: "a leaf: makes text of unknown origin safe in each format",
	},
	"roclua/host/events": {
		why: "writes a run as it happens and resumes it; the identity of a run is made of its plan",
		module: []string{
			"host/exit", "host/plan", "host/result", "input", "internal/atomicfile",
			"internal/escape", "luabind/record",
		},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/host/exit": {
		why: "a leaf: exit codes as errors",
	},
	"roclua/host/expect": {
		why:    "conditions on values",
		module: []string{"internal/units"},
	},
	"roclua/internal/atomicfile": {
		why:    "writes files so that a failure leaves each whole; knows no format",
		module: []string{"input"},
	},
	"roclua/host/merge": {
		why: "reads the events of shards; it judges nothing",
		module: []string{
			"host/baseline", "host/config", "host/events", "host/exit", "host/plan", "host/report", "host/result", "input",
			"luabind/record",
		},
	},
	"roclua/host/listing": {
		why:    "scenarios and functions as roclua list shows them",
		others: []string{"github.com/jedib0t/go-pretty/v6"},
		module: []string{
			"hip", "host/output", "host/plan", "host/result", "luabind/manual", "luabind/record", "workspace",
		},
	},
	"roclua/host/output": {
		why:    "what commands write, as interfaces, and the formats of --out; it knows none of the data",
		module: []string{"internal/atomicfile", "internal/escape", "internal/nearest"},
	},
	"roclua/host/plan": {
		why: "lists cases; it does not run them, but for the top level of scripts, which workers describe",
		module: []string{
			"hip/driver", "hip/trace", "host/baseline", "host/config", "host/exit", "host/expect", "host/output",
			"host/result", "host/worker", "input", "internal/escape", "internal/nearest", "internal/units",
			"luabind/api", "luabind/record", "luabind/vm/bounds", "workspace", "workspace/status",
		},
		others: []string{"github.com/spf13/pflag", "golang.org/x/sync"},
	},
	"roclua/host/progress": {
		why:    "shows how far a run is",
		module: []string{"host/plan", "host/result", "internal/units", "luabind/record"},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/record": {
		why:    "runs programs with the recorder, whose C source it has",
		module: []string{"hip/function", "hip/routine", "host/exit", "host/recording", "internal/ccompile"},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/host/record/ship": {
		why:    "compiles the recorder for archives",
		module: []string{"host/record"},
	},
	"roclua/host/recording": {
		why:    "recordings as plain data; it knows no function",
		module: []string{"input"},
	},
	"roclua/host/recording/recordingtest": {
		why:    "writes recordings for tests",
		module: []string{"host/recording"},
	},
	"roclua/host/repl": {
		why: "the prompt; uses Lua only through luabind",
		module: []string{
			"hip", "hip/driver", "hip/routine", "hip/trace", "input", "internal/atomicfile", "internal/nearest",
			"internal/units", "luabind", "luabind/api", "luabind/manual", "luabind/record", "workspace",
		},
		others: []string{"github.com/peterh/liner"},
	},
	"roclua/host/report": {
		why: "a finished run as text, documents and tests; it knows no format of --out",
		module: []string{
			"hip/trace", "host/baseline", "host/config", "host/exit", "host/output", "host/report/group",
			"host/report/page", "host/report/timeline", "host/result", "internal/escape",
			"internal/units", "luabind/record",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/report/group": {
		why:    "groups what cases have in common, for all reports",
		module: []string{"host/baseline", "host/result", "internal/escape", "luabind/record"},
	},
	"roclua/host/report/page": {
		why:    "the HTML report",
		module: []string{"hip/trace", "host/report/timeline", "host/result"},
	},
	"roclua/host/report/timeline": {
		why:    "HIP calls and kernels as lines over time",
		module: []string{"hip/trace"},
	},
	"roclua/host/result": {
		why: "plain data that all others share: it depends neither on plans nor on runs",
		module: []string{
			"hip/driver", "hip/trace", "host/baseline", "host/exit", "internal/escape",
			"luabind/record",
		},
		others: []string{
			"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext",
			"github.com/go-json-experiment/json/v1",
		},
	},
	"roclua/host/profile": {
		why:    "where scripts spend their time; it does not measure it",
		module: []string{"input", "internal/escape", "luabind/record"},
		others: []string{"github.com/google/pprof/profile"},
	},
	"roclua/internal/revision": {
		why:    "a leaf: the git revision of a folder",
		module: []string{"input"},
	},
	"roclua/host/run": {
		why: "one run from its cases to its outputs: where results come from, execution, judgment, what is written",
		module: []string{
			"hip", "host/baseline", "host/config", "host/events", "host/exit", "host/merge",
			"host/output", "host/plan", "host/progress", "host/report", "host/result", "host/worker",
			"internal/atomicfile", "internal/escape", "internal/revision", "luabind", "luabind/record",
			"luabind/vm/bounds", "workspace",
		},
	},
	"roclua/host/schema": {
		why: "a leaf: JSON Schemas of input and output",
	},
	"roclua/host/serve": {
		why: "replies to requests of other programs, line by line",
		module: []string{
			"host/applog", "host/capacity", "host/size", "host/targets", "internal/nearest", "internal/units",
			"workspace/footprint",
		},
	},
	"roclua/host/page": {
		why: "a leaf: HTML pages of pictures, text and tables",
	},
	"roclua/host/products": {
		why: "the kernels of products of matrices, as text, data and pictures",
		module: []string{
			"hip/matmul", "hip/routine", "host/config", "host/output", "host/page", "host/targets",
			"internal/atomicfile", "internal/chart", "internal/nearest", "internal/units", "workspace/footprint",
			"workspace/sizing", "workspace/tuning",
		},
	},
	"roclua/host/size": {
		why: "the bytes that calls need, as text, data and pictures",
		module: []string{
			"hip/arch", "hip/release", "host/config", "host/output", "host/targets", "input", "internal/atomicfile",
			"internal/chart", "internal/units", "workspace", "workspace/footprint", "workspace/hipsolver",
			"workspace/sizing", "workspace/status",
		},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/site": {
		why:    "the manual as pages, for roclua docs --html",
		module: []string{"docs", "host/topics", "internal/atomicfile", "luabind/manual"},
		others: []string{"github.com/yuin/goldmark"},
	},
	"roclua/host/starter": {
		why: "creates the files of projects and scenarios",
		module: []string{
			"hip/routine", "host/config", "internal/atomicfile", "host/schema", "internal/nearest", "luabind/manual",
		},
	},
	"roclua/host/targets": {
		why:    "releases and architectures side by side, for the commands that compute what calls need",
		module: []string{"host/config", "internal/units", "workspace", "workspace/footprint"},
		others: []string{"github.com/jedib0t/go-pretty/v6"},
	},
	"roclua/host/topics": {
		why: "pages of the manual, with what other packages describe themselves",
		module: []string{
			"hip", "hip/arch", "hip/release", "hip/routine", "host/config", "host/exit", "host/output",
			"internal/nearest", "luabind/manual", "workspace",
		},
	},
	"roclua/host/verify": {
		why: "compares the model with the libraries, which run in workers; it reads no command line",
		module: []string{
			"hip", "hip/driver", "hip/routine", "host/config", "host/exit", "host/output", "host/worker",
			"internal/escape", "internal/units", "luabind/record", "luabind/vm/bounds", "workspace",
			"workspace/sequence",
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
			"hip", "hip/cpu/blas", "hip/driver", "hip/fault", "hip/trace", "host/config", "host/exit", "host/expect",
			"luabind", "luabind/record", "luabind/vm/bounds", "workspace", "workspace/tuning",
		},
		others: []string{"golang.org/x/sys"},
	},
	"roclua/internal/nearest": {
		why: "a leaf: suggestions for misspelled names",
	},
	"roclua/internal/chart": {
		why: "a leaf: draws plots",
	},
	"roclua/internal/units": {
		why: "a leaf: numbers with a suffix such as KiB",
	},
}

// TestHostPackagesAreListed checks that the comment of package host names every package below it.
func TestHostPackagesAreListed(t *testing.T) {
	text, err := os.ReadFile("../host/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir("../host")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && !regexp.MustCompile(`\b`+f.Name()+`\b`).Match(text) {
			t.Errorf("the comment of package host does not name %s", f.Name())
		}
	}
}
