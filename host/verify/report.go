package verify

import (
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
	Kind     Kind
	Function string // C name
	Model    string // result of the model: the status, a value and the handle's bytes
	Library  string // result of the library, or how its process ended
	Script   string // Lua script that reproduces the difference
	Times    int    // differences with this script

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

	families map[string]map[Kind]*tally
	totals   map[Kind]*tally
	budgets  map[string]*budget
	handles  int // new handles whose memory differs
}

// Fit is how well a release fits the library.
type Fit struct {
	Profile *workspace.Profile
	Differ  int // queries and calls whose results differ
	Own     int // the same number for the profile of the comparison
	Of      int // compared queries and calls
}

// budget bounds the scripts of a family.
type budget struct{ scripts, attempts int }

const (
	scriptsOfFamily  = 3  // different scripts for a family, or a function in sequences, and the two statuses
	attemptsOfFamily = 10 // differences reduced to scripts, some of them equal
)

func newReport(o Options) *Report {
	return &Report{Libraries: o.Library.Parts, Device: o.Library.Devices[0], Profile: o.Profile, Compared: o.Compare,
		Seed: o.Seed, Count: o.Count, Functions: len(o.Routines), families: map[string]map[Kind]*tally{},
		totals: map[Kind]*tally{}, budgets: map[string]*budget{}}
}

func (r *Report) count(g *group, v verdict) {
	if r.totals[g.kind] == nil {
		r.totals[g.kind] = &tally{}
	}
	r.totals[g.kind][v]++
	if g.routine == nil {
		return
	}
	if r.families[g.family] == nil {
		r.families[g.family] = map[Kind]*tally{Queries: {}, Calls: {}}
	}
	r.families[g.family][g.kind][v]++
}

// wantsScript reports whether to reduce another difference to a script: there are few different scripts of its subject.
func (r *Report) wantsScript(subject string) bool {
	b := r.budgets[subject]
	if b == nil {
		b = &budget{}
		r.budgets[subject] = b
	}
	b.attempts++
	return b.scripts < scriptsOfFamily && b.attempts <= attemptsOfFamily
}

// add adds a difference. Equal scripts are one difference.
func (r *Report) add(g *group, subject string, ops []*sequence.Operation, d *disagreement) {
	script := sequence.Script(ops) + fmt.Sprintf("-- the model: %s\n-- the library: %s\n", d.want, d.have)
	for i := range r.Differences {
		if r.Differences[i].Script == script {
			r.Differences[i].Times++
			return
		}
	}
	if b := r.budgets[subject]; b != nil {
		b.scripts++
	}
	r.Differences = append(r.Differences, Difference{Kind: g.kind, Function: titleOf(ops, d.op), Model: d.want,
		Library: d.have, Script: script, Times: 1, family: g.family, ofHandle: subject == newHandle})
}

// addHandle adds the difference of the memory of a new handle.
func (r *Report) addHandle(g *group, d *disagreement) {
	r.handles++
	r.add(g, newHandle, []*sequence.Operation{d.op}, d)
}

// titleOf returns the function that a difference is about: for the bytes of a size query, the routine.
func titleOf(ops []*sequence.Operation, differs *sequence.Operation) string {
	name := differs.CName()
	for _, op := range ops {
		if op == differs {
			break
		}
		if op.Call != nil && differs.StopsQuery() {
			name = op.CName()
		}
	}
	return name
}

// times returns ", 809 times" for a difference that occurred several times.
func (d *Difference) times() string {
	if d.Times == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", d.Times)
}

// Differing returns the number of differences, including those without a script.
func (r *Report) Differing() int {
	sum := r.handles
	for _, t := range r.totals {
		sum += t[differs]
	}
	return sum
}

// unshown returns the number of comparisons with a difference whose script is not shown.
func (r *Report) unshown() int {
	n := r.Differing()
	for i := range r.Differences {
		n -= r.Differences[i].Times
	}
	return max(n, 0)
}

// familyNames lists the drawn families, sorted.
func (r *Report) familyNames() []string { return slices.Sorted(maps.Keys(r.families)) }

// of returns the counts of a family.
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
