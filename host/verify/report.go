package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// verdict is the outcome of a group.
type verdict int

const (
	agrees verdict = iota
	differs
	unmodelled // the model has no result, or the library would end the process
	absent     // the library does not have the function
	recorded   // the results of the library were recorded, not compared
	crashed    // the library did not return while results were only recorded
	verdicts
)

// names are the verdicts in written data.
var names = [verdicts]string{"agree", "differ", "not_modelled", "absent", "recorded", "crashed"}

// tally counts groups by their verdict.
type tally [verdicts]int

func (t *tally) total() int {
	sum := 0
	for _, n := range t {
		sum += n
	}
	return sum
}

// Difference is a difference between the model and the library.
type Difference struct {
	Kind      Kind   `json:"kind"`
	Function  string `json:"function"`  // C name
	Operation string `json:"operation"` // with its arguments
	Model     string `json:"model"`     // result of the model: the status, a value and the handle's bytes
	Library   string `json:"library"`   // result of the library, or how its process ended
	Case      int    `json:"case"`      // number of the first case with the difference, for --only
	Times     int    `json:"times"`     // cases with the difference

	family   string // "" for sequences
	ofHandle bool   // the memory of a new handle differs
}

// Report is the result of a comparison.
type Report struct {
	Libraries   []driver.Part
	Device      driver.Properties
	Profile     *workspace.Profile
	Compared    bool // false if results were only recorded
	Seed        uint64
	Count       int
	Functions   int // drawn functions
	Differences []Difference
	Better      *Fit // a release that fits the library better than Profile; nil for none

	command  string
	steps    []step // of the only case
	families map[string]map[Kind]*tally
	totals   map[Kind]*tally
	shown    map[string]int // differences by their subjects
	handles  int            // new handles whose memory differs
}

// step is an operation of a case, with both results.
type step struct{ operation, model, library string }

// Fit is how well a release fits the library.
type Fit struct {
	Profile *workspace.Profile
	Differ  int // queries and calls whose results differ
	Own     int // the same number for the profile of the comparison
	Of      int // compared queries and calls
}

// mostShown bounds the differences of a family, or a function in sequences, and the two statuses.
const mostShown = 3

func newReport(o Options) *Report {
	return &Report{Libraries: o.Library.Parts, Device: o.Library.Devices[0], Profile: o.Profile, Compared: o.Compare,
		Seed: o.Seed, Count: o.Count, Functions: len(o.Routines), families: map[string]map[Kind]*tally{},
		totals: map[Kind]*tally{}, shown: map[string]int{}, command: o.Command}
}

func (r *Report) count(c *testCase, v verdict) {
	if r.totals[c.kind] == nil {
		r.totals[c.kind] = &tally{}
	}
	r.totals[c.kind][v]++
	if c.routine == nil {
		return
	}
	if r.families[c.family] == nil {
		r.families[c.family] = map[Kind]*tally{Queries: {}, Calls: {}}
	}
	r.families[c.family][c.kind][v]++
}

// add counts a case with a difference. Differences of one function with equal results are one.
func (r *Report) add(c *testCase, v verdict, d *disagreement) {
	r.count(c, v)
	r.show(c, d, false)
}

func (r *Report) show(c *testCase, d *disagreement, ofHandle bool) {
	function := d.op.CName()
	for i := range r.Differences {
		if have := &r.Differences[i]; have.Function == function && have.Model == d.want && have.Library == d.have {
			have.Times++
			return
		}
	}
	subject := cmp.Or(c.family, function) + ": " + firstWord(d.want) + ", " + firstWord(d.have)
	if r.shown[subject]++; r.shown[subject] > mostShown && !ofHandle {
		return
	}
	r.Differences = append(r.Differences, Difference{Kind: c.kind, Function: function, Operation: d.op.String(),
		Model: d.want, Library: d.have, Case: c.number, Times: 1, family: c.family, ofHandle: ofHandle})
}

// addSteps keeps the operations of the only case with both results.
func (r *Report) addSteps(ops []*sequence.Operation, want []outcome, have []sequence.Result, ended string) {
	for i, op := range ops {
		s := step{op.String(), want[i].String(), ended}
		if want[i].unknown {
			s.model = "unknown"
		}
		if i < len(have) {
			s.library = have[i].String()
		}
		r.steps = append(r.steps, s)
		if i == len(have) {
			break
		}
	}
}

// times returns ", 809 times" for a difference that occurred several times.
func (d *Difference) times() string {
	if d.Times == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", d.Times)
}

// Differing returns the number of differences, including those that are not shown.
func (r *Report) Differing() int {
	sum := r.handles
	for _, t := range r.totals {
		sum += t[differs]
	}
	return sum
}

// unshown returns the number of cases with a difference that is not shown.
func (r *Report) unshown() int {
	n := r.Differing()
	for i := range r.Differences {
		n -= r.Differences[i].Times
	}
	return max(n, 0)
}

func (r *Report) familyNames() []string { return slices.Sorted(maps.Keys(r.families)) }

func (r *Report) of(family string, k Kind) *tally { return r.families[family][k] }

// singular and plural names of kinds.
var kindNames = map[Kind][2]string{Queries: {"size query", "size queries"}, Calls: {"call", "calls"},
	Sequences: {"sequence", "sequences"}, Captures: {"captured operation", "captured operations"},
	Layers: {"sequence of layers", "sequences of layers"}}

func (k Kind) counted(n int) string {
	if n == 1 {
		return "1 " + kindNames[k][0]
	}
	return fmt.Sprintf("%d %s", n, kindNames[k][1])
}

// summary summarizes the agreement in one line for each kind.
func (r *Report) summary() []string {
	var list []string
	for _, k := range Kinds {
		t := r.totals[k]
		if t == nil {
			continue
		}
		var parts []string
		for _, part := range []struct {
			verdict verdict
			text    string
		}{{agrees, "%d agree"}, {recorded, "%d recorded"}, {differs, "%d differ"},
			{crashed, "%d ended the library's process"}, {unmodelled, "%d not compared, the model has no result"},
			{absent, "%d not compared, the library does not have the function"}} {
			if n := t[part.verdict]; n > 0 {
				parts = append(parts, fmt.Sprintf(part.text, n))
			}
		}
		list = append(list, k.counted(t.total())+": "+strings.Join(parts, ", "))
	}
	if r.handles > 0 {
		list = append(list, fmt.Sprintf("%d new handles: their memory differs", r.handles))
	}
	return list
}
