// Package gate decides whether a release needs more than another one, for roclua log and roclua plan with --fail-above
// and --fail-on.
//
//	limits, err := gate.Parse("32MiB", []string{"growth"})
//	g, err := gate.New(limits, gate.Input{Answer: answer})
//	if g.Failed() { ... }
package gate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/applog/analyze"
	"roclua/host/replay"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/workspace/footprint"
)

// Limits are the thresholds of a comparison.
type Limits struct {
	Needs   bool    // compare bytes
	Bytes   uint64  // most growth of a need
	Percent float64 // the same, if Bytes is 0
	Growth  bool    // a managed handle may not grow more often
	Status  bool    // a call may not fail that did not
	Defect  bool    // a known defect may not concern calls that did not
}

// kinds are the values of --fail-on.
var kinds = []string{"growth", "status", "defect"}

// Parse reads --fail-above and --fail-on. It returns nil if both are empty.
func Parse(above string, on []string) (*Limits, error) {
	if above == "" && len(on) == 0 {
		return nil, nil
	}
	l := &Limits{Needs: above != ""}
	if percent, ok := strings.CutSuffix(above, "%"); ok {
		n, err := strconv.ParseFloat(percent, 64)
		if err != nil || !(n >= 0 && n <= 1e9) {
			return nil, wrongLimit(above)
		}
		l.Percent = n
	} else if above != "" {
		n, err := units.ParseInt(above)
		if err != nil || n < 0 {
			return nil, wrongLimit(above)
		}
		l.Bytes = uint64(n)
	}
	limits := map[string]*bool{"growth": &l.Growth, "status": &l.Status, "defect": &l.Defect}
	for _, name := range on {
		name = strings.TrimSpace(name)
		if limits[name] == nil {
			return nil, fmt.Errorf("--fail-on %s: want %s%s", cmp.Or(name, `""`), strings.Join(kinds, ", "),
				nearest.DidYouMean(name, kinds))
		}
		*limits[name] = true
	}
	return l, nil
}

func wrongLimit(text string) error {
	return fmt.Errorf("--fail-above %s: write a number of bytes or a percentage, such as 32MiB or 10%%", text)
}

// Total is a number of bytes on each target.
type Total struct {
	Name  string
	Bytes []uint64
}

// Gate is the comparison of each target with the first one of its architecture. Its fields are in the documents of the
// commands.
type Gate struct {
	Compared int    `json:"compared"`               // comparisons
	Worse    []Item `json:"worse"`                  // the largest difference first
	Gaps     []Gap  `json:"not_compared,omitempty"` // calls that may be worse, and fail the gate, too

	passed []string // names of the other comparisons
}

// Gap is a part of the input that is not compared.
type Gap struct {
	Subject string `json:"subject"` // the first line and its function
	Reason  string `json:"reason"`  // why it is not compared
}

// String describes the gap in a line.
func (g *Gap) String() string { return g.Subject + ": " + g.Reason }

// Item is a change for the worse.
type Item struct {
	Kind       string `json:"kind"`             // "status", "finding", "defect", "need" or "growth"
	Subject    string `json:"subject"`          // the call, as roclua size has it, or the total
	Base       string `json:"base"`             // target that is compared with
	Target     string `json:"target"`           // target that is worse
	From       string `json:"from"`             // on the base
	To         string `json:"to"`               // on the target
	Difference uint64 `json:"difference_bytes"` // between both; 0 for a status
	Reason     string `json:"reason,omitempty"` // buffer that grows most, or why a call fails
}

// String describes the item in a line: "dgetrs n=64 nrhs=1: 64 -> 98,304 bytes, inverted diagonal blocks".
func (i *Item) String() string {
	text := fmt.Sprintf("%s: %s -> %s", i.Subject, i.From, i.To)
	if i.Reason != "" {
		text += ", " + i.Reason
	}
	return text
}

// Input is the data to compare.
type Input struct {
	*analyze.Answer
	Workspace *uint64 // bytes of a user-owned workspace for the calls; nil for none
	Totals    []Total
	Programs  []Program
}

// Program is a recording, and its calls with all that the program set, as made on each target.
type Program struct {
	Name string
	Runs []*replay.Result
}

// New compares the targets of logs and recordings.
func New(l *Limits, in Input) (*Gate, error) {
	g := &Gate{Worse: []Item{}}
	a := in.Answer
	pairs := 0
	for to := range a.Targets {
		base := slices.IndexFunc(a.Targets, func(t analyze.Target) bool { return t.Arch == a.Targets[to].Arch })
		if base == to {
			continue
		}
		pairs++
		p := &pair{g, l, &in, base, to}
		for _, c := range a.Calls {
			p.call(c)
		}
		if l.Growth && len(in.Programs) < len(a.Files) {
			p.growths()
		}
		for i := range in.Programs {
			p.program(&in.Programs[i])
		}
		if l.Defect {
			p.defects()
		}
		if more := a.NotListed; more.Times > 0 {
			p.need(fmt.Sprintf("the largest of %d unlisted calls", more.Times), more.Most[base], more.Most[to], "")
		}
		for _, t := range in.Totals {
			p.need(t.Name, t.Bytes[base], t.Bytes[to], "")
		}
	}
	if pairs == 0 {
		return nil, errors.New("--fail-above and --fail-on compare releases: name two, as in " +
			"--profile rocm-6.4,rocm-7.2")
	}
	g.addGaps(a)
	for _, of := range in.Programs { // parts that could not be read, and calls whose need is not known
		for _, run := range of.Runs {
			for _, text := range run.Gaps() {
				if gap := (Gap{of.Name, text}); !slices.Contains(g.Gaps, gap) {
					g.Gaps = append(g.Gaps, gap)
				}
			}
		}
	}
	slices.SortStableFunc(g.Worse, func(x, y Item) int {
		return cmp.Or(cmp.Compare(rank[x.Kind], rank[y.Kind]), cmp.Compare(y.Difference, x.Difference))
	})
	return g, nil
}

// defects compares the known defects that concern calls: new ones are worse.
func (p *pair) defects() {
	before, after := p.a.Targets[p.base].Defects, p.a.Targets[p.to].Defects
	in := func(list []*analyze.Hit, h *analyze.Hit) bool {
		return slices.ContainsFunc(list, func(o *analyze.Hit) bool { return o.ID == h.ID })
	}
	p.add(Item{Subject: "known defects"}, false) // also if there are none
	for _, h := range before {
		if !in(after, h) {
			p.add(Item{Subject: "repair of " + h.ID}, false)
		}
	}
	for _, h := range after {
		p.add(Item{Kind: "defect", Subject: h.First.Label(), From: "not affected", To: h.ID,
			Reason: h.Entry().Text}, !h.Undecided && !in(before, h))
	}
}

// addGaps adds the lines whose calls are not known, and a comparison of nothing.
func (g *Gate) addGaps(a *analyze.Answer) {
	for _, of := range []struct {
		list   []analyze.Function
		reason string
	}{{a.Cut, "cut, or of an unknown format"}, {a.NotModeled, "not modelled"}} {
		for _, f := range of.list {
			g.Gaps = append(g.Gaps, Gap{fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Name),
				fmt.Sprintf("%s (lines: %d)", of.reason, f.Count)})
		}
	}
	if len(a.Calls) == 0 || g.Compared == 0 {
		g.Gaps = append(g.Gaps, Gap{"all calls", "none can be compared"})
	}
}

// rank lists calls that fail before the others.
var rank = map[string]int{"status": 0, "finding": 0, "defect": 0, "need": 1, "growth": 1}

// Failed reports whether something got worse, or may have.
func (g *Gate) Failed() bool { return g != nil && len(g.Worse)+len(g.Gaps) > 0 }

// pair compares a target with its base.
type pair struct {
	*Gate
	*Limits
	a        *Input
	base, to int
}

func (p *pair) add(i Item, worse bool) {
	p.Compared++
	i.Base, i.Target = p.a.Targets[p.base].String(), p.a.Targets[p.to].String()
	if worse {
		p.Worse = append(p.Worse, i)
	} else {
		p.passed = append(p.passed, i.Subject+" on "+i.Target)
	}
}

// call compares the need of a call, and whether it fails.
func (p *pair) call(c *analyze.Call) {
	from, to := &c.Needs[p.base], &c.Needs[p.to]
	i := Item{Subject: c.Label()}
	switch {
	case from.Status != "":
	case to.Status != "" && from.Known():
		if p.Status {
			i.Kind, i.From, i.To, i.Reason = "status", "success", to.Status, to.Reason
			p.add(i, true)
		}
	case !from.Known():
		p.Gaps = append(p.Gaps, Gap{i.Subject, fmt.Sprintf("its need on %s is not known: %s", &p.a.Targets[p.base],
			from.Reason)})
	case !to.Known():
		i.Kind, i.From, i.To, i.Reason = "need", units.Thousands(from.Bytes)+" bytes", "not known", to.Reason
		p.add(i, true)
	case p.Status && to.In(p.a.Workspace) == analyze.MemoryError && from.In(p.a.Workspace) != analyze.MemoryError:
		i.Kind, i.From, i.To = "status", cmp.Or(from.In(p.a.Workspace), "success"), analyze.MemoryError
		i.Reason = fmt.Sprintf("in a user-owned workspace of %s bytes", units.Thousands(*p.a.Workspace))
		p.add(i, true)
	case !p.Needs && p.Status:
		p.add(i, false)
	default:
		reason := ""
		if to.Bytes > from.Bytes {
			reason = grownBuffer(p.a.Targets[p.base].Target, p.a.Targets[p.to].Target, c)
		}
		p.need(i.Subject, from.Bytes, to.Bytes, reason)
	}
}

// event is a growth, a failure or a finding on a target. On another one the same event has the same key.
type event struct {
	key any
	Item
}

// events compares events: those that the base does not have are worse. subject names all of them.
func (p *pair) events(subject string, before, after []event) {
	known := map[any]bool{}
	for _, e := range before {
		known[e.key] = true
	}
	worse := len(p.Worse)
	for _, e := range after {
		if !known[e.key] {
			p.add(e.Item, true)
		}
	}
	if worse == len(p.Worse) {
		p.add(Item{Subject: subject}, false)
	}
}

// program compares the calls of a recorded program, with all its settings.
func (p *pair) program(of *Program) {
	from, to := of.Runs[p.base], of.Runs[p.to]
	p.need(of.Name+": the handles of the program at once", from.Memory.PeakBytes, to.Memory.PeakBytes, "")
	if p.Status {
		p.events(of.Name+": statuses and findings", of.statuses(from), of.statuses(to))
	}
	if p.Growth {
		p.events(of.Name+": growths", of.growths(from), of.growths(to))
	}
}

// statuses lists the calls that fail in a run, and the findings.
func (of *Program) statuses(run *replay.Result) (list []event) {
	type failed struct { // a HIP call has the number of the call before it
		call int64
		name string
	}
	type found struct {
		code   string
		handle int
	}
	for i := range run.Failures {
		f := &run.Failures[i]
		list = append(list, event{failed{f.Call, f.Name}, Item{Kind: "status",
			Subject: of.Name + ": " + f.Place.String(), From: "success", To: f.Predicted, Reason: f.Why()}})
	}
	for _, f := range run.Findings {
		if f.Fails() {
			list = append(list, event{found{f.Code, f.Handle}, Item{Kind: "finding",
				Subject: of.Name + ": " + f.Place.String(), From: "nothing", To: f.Code, Reason: f.Text}})
		}
	}
	return list
}

// growths lists the growths of the handles in a run.
func (of *Program) growths(run *replay.Result) (list []event) {
	for _, h := range run.Handles {
		for _, g := range h.Growths {
			list = append(list, event{g.Call, growth(of.Name+": "+g.Place.String(), g.From, g.To, "the handle grows")})
		}
	}
	return list
}

func growth(subject string, from, to uint64, reason string) Item {
	return Item{Kind: "growth", Subject: subject, From: units.Thousands(from), To: units.Thousands(to) + " bytes",
		Difference: to - min(from, to), Reason: reason + ", and the device waits"}
}

// growths compares the growths of the managed handles of logs.
func (p *pair) growths() {
	of := func(target int) (list []event) {
		for _, g := range p.a.Targets[target].Managed.Growths {
			list = append(list, event{[2]int64{int64(g.Number), g.Line}, growth(g.Call.Label(), g.From, g.To,
				"a managed handle grows")})
		}
		return list
	}
	after := of(p.to)
	if p.a.Targets[p.to].Managed.Count() <= p.a.Targets[p.base].Managed.Count() {
		after = nil // it grows at other calls, and not more often
	}
	p.events("growths of managed handles", of(p.base), after)
}

// need compares bytes.
func (p *pair) need(subject string, from, to uint64, reason string) {
	if !p.Needs {
		return
	}
	i := Item{Kind: "need", Subject: subject, From: units.Thousands(from), To: units.Thousands(to) + " bytes",
		Difference: to - min(from, to), Reason: reason}
	limit := float64(p.Bytes)
	if p.Bytes == 0 {
		limit = float64(from) * p.Percent / 100
	}
	p.add(i, to > from && float64(i.Difference) > limit)
}

// grownBuffer names the buffer of a call that grows most between two targets.
func grownBuffer(from, to footprint.Target, c *analyze.Call) string {
	before, errBefore := footprint.NeedOf(from, c.Args())
	after, errAfter := footprint.NeedOf(to, c.Args())
	if errBefore != nil || errAfter != nil {
		return ""
	}
	bytes := map[string]uint64{}
	for _, b := range before.Buffers {
		bytes[b.Purpose()] = b.Bytes
	}
	name, most := "", uint64(0)
	for _, b := range after.Buffers {
		if had := bytes[b.Purpose()]; b.Bytes > had && b.Bytes-had > most {
			name, most = b.Purpose(), b.Bytes-had
		}
	}
	return name
}
