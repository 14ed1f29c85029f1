// Package record has what a script declares, what it did and what it measured, as plain data: workers send it, reports
// show it, baselines and comparisons read it. It imports neither Lua nor a platform.
package record

import (
	"roclua/hip/trace"
	"roclua/luabind/vm/bounds"
)

// Case is one run of a scenario.
type Case struct {
	Scenario string         // name of the scenario in a file that returns a list; "" for a file with one
	Scheme   string         // "" when the scenario opens its handles itself
	Bytes    uint64         // size of the memory of t.handle; 0 leaves it to the scenario
	Params   map[string]any // values for the scenario's parameters: float64, string or bool
	Seed     uint64
}

// Record is what one case did. It is plain data, which workers send to the program.
type Record struct {
	Metrics  []Metric
	Checks   []Check
	Skipped  string   // the reason, when the case skipped itself or was not run; see WasSkipped
	End      *End     // how it ended early; nil when it ran to its end
	Problems []string // leaks, hazards, reads of unwritten memory, failures of teardown: any fails the case
	Retried  []string // the problems of earlier attempts, each in a line; the case is flaky when this one passed
	Log      string   // what it printed
	Seconds  float64
	Statuses map[string]int // statuses that library functions returned, counted: "rocsolver_dgetrf.success"
	Required []string       // files that require looked at for modules, missing ones included; or whole folders
	Stats    trace.Stats
	Faults   []trace.Call // the first allocations that were made to fail; Stats counts all
	History  trace.History

	Measurements []Measurement
	Load         *Load // of a workload; nil for other scenarios

	LuaProfile *LuaProfile // where the script spent its time; nil unless the options request it
}

// Metric is a named value that a case measured.
type Metric struct {
	Name  string
	Value any // int64 for whole numbers, float64, string or bool
	Unit  string

	// Epsilon is the rounding unit of a residual's type: such a metric consists of rounding errors. It is 0 for other
	// metrics.
	Epsilon float64
}

// Check is one expectation that a case tested.
type Check struct {
	Text   string
	Where  string // "solve.lua:12"
	Passed bool
	Have   string
	Want   string
}

// WasSkipped reports whether the case was skipped and nothing went wrong before. What failed stays failed.
func (r *Record) WasSkipped() bool { return r.Skipped != "" && r.Passed() }

// Passed reports whether nothing went wrong.
func (r *Record) Passed() bool {
	if r.End != nil || len(r.Problems) > 0 {
		return false
	}
	for _, c := range r.Checks {
		if !c.Passed {
			return false
		}
	}
	return true
}

// LuaProfile is where a script spent its time.
type LuaProfile = bounds.Profile
