// Package record has the declarations and the results of scenarios as plain data: workers send it, reports
// show it, baselines and comparisons read it. It imports neither Lua nor a platform.
package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roclua/hip/defect"
	"roclua/hip/trace"
	"roclua/internal/escape"
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

// Record is the result of one case. Workers send all of it to the program; files and reports have it in JSON, without
// the fields that later runs do not need.
type Record struct {
	Seconds      float64        `json:"seconds"`                // wall time
	Metrics      []Metric       `json:"metrics,omitempty"`      // values that the script recorded
	Measurements []Measurement  `json:"measurements,omitempty"` // calls that the script measured
	Load         *Load          `json:"load,omitempty"`         // what the clients of a workload did
	Checks       []Check        `json:"checks,omitempty"`       // checks of the script, and expectations
	End          *End           `json:"error,omitempty"`        // how the case ended early; nil when it ran to its end
	Problems     []string       `json:"problems,omitempty"`     // leaks, hazards and failures of teardown: any fails it
	Retried      []string       `json:"retried,omitempty"`      // problems of earlier attempts, one line each
	Skipped      string         `json:"skipped,omitempty"`      // why it was skipped; see WasSkipped
	SkippedRows  []SkippedRows  `json:"skipped_rows,omitempty"` // rows, and forms of t:forms, that were skipped
	Log          string         `json:"log,omitempty"`          // output of the script
	Stats        trace.Stats    `json:"hip"`                    // use of the HIP runtime
	Statuses     map[string]int `json:"statuses,omitempty"`     // counts of statuses: rocsolver_dgetrf.success
	Faults       []Fault        `json:"faults,omitempty"`       // first allocations that failed by injection
	Defects      Defects        `json:"defects,omitempty"`      // known defects that concern calls

	Required   []string      `json:"-"` // files and whole folders that require looked at, missing ones too
	History    trace.History `json:"-"`
	LuaProfile *LuaProfile   `json:"-"` // where the script spent its time; nil unless the options request it
}

// Metric is a named value that a case measured.
type Metric struct {
	Name  string `json:"name"`           // name
	Value any    `json:"value"`          // int64, float64, string or bool; in JSON, NaN, +Inf and -Inf are strings
	Unit  string `json:"unit,omitempty"` // unit

	// of a residual, which consists of rounding errors: rounding unit of its type; 0 for others
	Epsilon float64 `json:"epsilon,omitempty"`
}

// Check is one expectation that a case tested: of the script, or of the configuration.
type Check struct {
	Text   string `json:"text"`   // what was checked
	Where  string `json:"where"`  // line of the script, "solve.lua:12", or place of the configuration
	Passed bool   `json:"passed"` // whether it passed
	Have   string `json:"have"`   // actual value
	Want   string `json:"want"`   // expected value

	// calls, innermost first, of a check that failed in a function that the scenario's function at Where called
	Traceback string `json:"traceback,omitempty"`
}

// SkippedRows are the rows of a case that were skipped for one reason. The log has their names.
type SkippedRows struct {
	Reason string `json:"reason"` // why they were skipped
	Rows   int    `json:"rows"`   // number of rows
}

// reasonsKept is the most reasons for skipped rows of a case; further ones are counted together.
const reasonsKept = 100

// AddSkipped counts rows that were skipped.
func (r *Record) AddSkipped(reason string, rows int) {
	find := func() int {
		return slices.IndexFunc(r.SkippedRows, func(s SkippedRows) bool { return s.Reason == reason })
	}
	i := find()
	if i < 0 && len(r.SkippedRows) >= reasonsKept {
		reason = "other reasons"
		i = find()
	}
	if i < 0 {
		i = len(r.SkippedRows)
		r.SkippedRows = append(r.SkippedRows, SkippedRows{Reason: reason})
	}
	r.SkippedRows[i].Rows += rows
}

// Defect is a known defect of the libraries that concerns calls to a routine.
type Defect struct {
	defect.Entry
	Routine string `json:"routine"` // without the prefix of its library
	Calls   int    `json:"calls"`   // number of calls
}

// Defects are the known defects that concern calls, one for each routine.
type Defects []Defect

// Add counts calls that defects concern.
func (l *Defects) Add(list ...Defect) {
	for _, d := range list {
		same := func(o Defect) bool { return o.ID == d.ID && o.Routine == d.Routine }
		if i := slices.IndexFunc(*l, same); i >= 0 {
			(*l)[i].Calls += d.Calls
		} else {
			*l = append(*l, d)
		}
	}
}

// Count counts a routine call that defects concern.
func (l *Defects) Count(found []defect.Finding, routine string) {
	for _, f := range found {
		l.Add(Defect{Entry: f.Entry(), Routine: routine, Calls: 1})
	}
}

// IDs returns the ids of the defects, each once.
func (l Defects) IDs() (ids []string) {
	for _, d := range l {
		if !slices.Contains(ids, d.ID) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// SchemeDefects are the known defects of programs whose handles have a scheme.
type SchemeDefects struct {
	Scheme  string         `json:"scheme"`  // scheme of handles, or "recorded"
	Targets []string       `json:"targets"` // profiles and architectures, "rocm-6.4/gfx90a"
	Defects []SchemeDefect `json:"defects"` // the same on each
}

// SchemeDefect is one of them.
type SchemeDefect struct{ defect.Entry }

// String has the ids: "stream_ordered on rocm-6.4/gfx90a: pool-oom-6.4".
func (d SchemeDefects) String() string {
	ids := make([]string, len(d.Defects))
	for i, e := range d.Defects {
		ids[i] = e.ID
	}
	return d.Scheme + " on " + strings.Join(d.Targets, ", ") + ": " + strings.Join(ids, ", ")
}

// Fault is an allocation that failed by injection.
type Fault struct {
	Call   string `json:"call"`                                       // name in C
	Bytes  uint64 `json:"bytes"`                                      // requested bytes
	Stream any    `json:"stream,omitempty" jsonschema:"type=integer"` // number of its stream; nil for none
	Cause  string `json:"cause"`                                      // script, or why a library made it
	Origin string `json:"origin,omitempty"`                           // line of the script
	Why    string `json:"why"`                                        // which allocation it is, and what chose it
}

// FaultsOf describes calls that failed by injection.
func FaultsOf(calls []trace.Call) []Fault {
	var list []Fault
	for _, c := range calls {
		f := Fault{Call: c.Name, Bytes: c.Bytes, Cause: c.Cause, Origin: c.Origin, Why: c.Injected}
		if c.HasStream {
			f.Stream = c.Stream
		}
		list = append(list, f)
	}
	return list
}

// WasSkipped reports whether the case was skipped and nothing went wrong before. A failed case stays failed.
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

// LuaProfile is where a script spent its time, and LuaPlace a line of it or a function of the host.
type (
	LuaProfile = bounds.Profile
	LuaPlace   = bounds.Place
)

// minMessages is the least number of bytes that the messages of a case may take.
const minMessages = 4 << 10

// Bound cuts the messages of a record and escapes all its texts, as reports have them. The messages say how the case
// ended, why it was skipped, and its problems. They take at most an eighth of limit, not counting the notes
// that a message was cut; 0 cuts none. Printed text, metrics and checks were counted when they were made.
func (r *Record) Bound(limit uint64) {
	messages := []*string{&r.Skipped}
	if r.End != nil {
		messages = []*string{&r.End.Message, &r.End.Traceback, &r.Skipped}
	}
	for i := range r.Problems {
		messages = append(messages, &r.Problems[i])
	}
	for i := range r.SkippedRows {
		messages = append(messages, &r.SkippedRows[i].Reason)
	}
	left := max(limit/8, minMessages)
	for _, text := range messages {
		n := min(uint64(len(*text)), left)
		if left -= n; limit > 0 && n < uint64(len(*text)) {
			*text = fmt.Sprintf("%s… (%d more bytes; limits.output is %d)", (*text)[:n], uint64(len(*text))-n, limit)
		}
	}
	r.Clean()
}

// Clean escapes the texts of a record, since strings of Lua are bytes. The paths of the
// required files stay as they are.
func (r *Record) Clean() {
	required := r.Required
	r.Required = nil
	escape.Clean(r)
	r.Required = required
}

// Limits bound one case. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time, without teardown
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values and their host values may hold at once
	Output       uint64        // bytes of printed text, metrics and checks together; and of all other messages together
	DeviceMemory uint64        // bytes of device memory that may be allocated at once
}
