package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"roclua/host/config"
	"roclua/host/expect"
	"roclua/host/result"
	"roclua/internal/nearest"
	"roclua/luabind/record"
)

// Expectation is a condition on a value of a case, or on a function over the values of several cases.
type Expectation struct {
	subject expect.Subject
	name    string // subject as it was written
	is      *expect.Expr
	where   string // script or table of the configuration that has it: "solve.lua", "[expect]"
}

// String returns the expectation as it was written: "residual < 1e-10".
func (e Expectation) String() string { return e.name + " " + e.is.String() }

// ExpectSource is an expectation as it was written.
type ExpectSource struct {
	Name  string `json:"name"`  // value of a case, or a function over the values of several cases
	Is    string `json:"is"`    // condition: "< 1e-10"
	Where string `json:"where"` // script or table of the configuration that has it
}

// ofRun is the place of expectations of the whole run, and ofScenario begins the place of expectations in the settings
// of a script.
const (
	ofRun      = "[expect]"
	ofScenario = "[[scenario]] "
)

// sources lists expectations in the order of their names.
func sources(texts map[string]string, where string) []ExpectSource {
	var list []ExpectSource
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		list = append(list, ExpectSource{name, texts[name], where})
	}
	return list
}

func parseExpectations(list []ExpectSource) ([]Expectation, error) {
	var parsed []Expectation
	for _, e := range list {
		subject, err := expect.ParseSubject(e.Name)
		if err != nil {
			return nil, e.wrong(err)
		}
		if err := checkCounter(subject.Metric); err != nil {
			return nil, e.wrong(err)
		}
		is, err := expect.Parse(e.Is)
		if err != nil {
			return nil, e.wrong(fmt.Errorf("%s: %w", e.Name, err))
		}
		parsed = append(parsed, Expectation{subject, e.Name, is, e.Where})
	}
	return parsed, nil
}

// wrong returns the error of an expectation that cannot be parsed. One of a script is not a setting.
func (e ExpectSource) wrong(err error) error {
	err = fmt.Errorf("%s: expect: %w", e.Where, err)
	if e.Where != ofRun && !strings.HasPrefix(e.Where, ofScenario) {
		return err
	}
	return &settingError{key: "expect." + e.Name, ofRun: e.Where == ofRun, err: err}
}

// expectations returns the expectations of the script, of its settings and of the whole run. Expectations of the run
// without a function apply to each case.
func (sc *Scenario) expectations(cfg *config.Config) []ExpectSource {
	return slices.Concat(sources(sc.Declared.Expect, sc.File),
		sources(sc.Settings.Expect, ofScenario+sc.Settings.File()), sources(cfg.Expect, ofRun))
}

// Thresholds returns the expectations on values of one case.
func Thresholds(list []Expectation) (thresholds []record.Threshold) {
	for _, e := range list {
		if e.subject.Function == "" {
			thresholds = append(thresholds, record.Threshold{Metric: e.subject.Metric, Is: e.is.String()})
		}
	}
	return thresholds
}

// Check adds the outcome of each expectation on one case to the checks of its record. A case that was skipped or
// ended early is not checked.
func Check(list []Expectation, r *record.Record) {
	if r.Skipped != "" || r.End != nil {
		return
	}
	for _, e := range list {
		if e.subject.Function != "" {
			continue
		}
		value, ok := result.Value(r, e.subject.Metric)
		check := record.Check{Text: "expect " + e.String(), Where: e.where, Want: e.is.String()}
		unit := unitOf(r, e.subject.Metric)
		switch {
		case ok && e.is.IsTime() && unit != "" && unit != "s":
			check.Have = fmt.Sprintf("%s %s, which is not a time", result.FormatExact(value), unit)
		case ok:
			check.Have, check.Passed = result.FormatExact(value), e.is.Holds(value)
		default:
			known := slices.Sorted(maps.Keys(result.Values(r)))
			check.Have = "no value of that name" + suggest(e.subject.Metric, known)
			if _, _, ofDevice := record.DeviceOf(e.subject.Metric); ofDevice {
				check.Have = "the case has one device: leave out its number"
				if n := len(r.Stats.Devices); n > 0 {
					check.Have = fmt.Sprintf("the case has %d devices, numbered from 0", n)
				}
			}
		}
		r.Checks = append(r.Checks, check)
	}
}

// suggest returns the end of a message about a value that no case has: the known values of that name in parts of a
// case, such as dgeqrf.residual, or else the nearest names.
func suggest(name string, known []string) string {
	ofParts := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasSuffix(k, "."+name) })
	if n := len(ofParts); n > 0 {
		quoted := make([]string, min(n, mostParts))
		for i := range quoted {
			quoted[i] = strconv.Quote(ofParts[i])
		}
		if n > mostParts {
			quoted = append(quoted, fmt.Sprintf("%d more", n-mostParts))
		}
		return "; there are " + strings.Join(quoted, ", ")
	}
	if near := nearest.DidYouMean(name, known); near != "" {
		return near
	}
	var last []string
	for _, k := range known {
		last = append(last, k[strings.LastIndexByte(k, '.')+1:])
	}
	if near := nearest.Names(name, last); len(near) > 0 && near[0] != name {
		return suggest(near[0], known)
	}
	return ""
}

// mostParts is the largest number of values that suggest lists.
const mostParts = 5

// unitOf returns the unit of a metric; "" for a number without one.
func unitOf(r *record.Record, name string) string {
	for i := range r.Metrics {
		if r.Metrics[i].Name == name {
			return r.Metrics[i].Unit
		}
	}
	return ""
}

// Overall checks the expectations over several cases, of a scenario or of the run, and that settings name values that
// cases have. It sees one case after the other, and keeps only the values that the expectations name.
type Overall struct {
	run    []*over
	spaces map[*Space][]*over
	order  []*Space
	names  []*required
}

// required is a value that a setting names: a tolerance, or a metric with the number that a script chooses.
type required struct {
	setting, name, where string
	space                *Space          // nil for all cases
	known                map[string]bool // names of the values of these cases; nil when the check has passed
}

// RequireNames requires that the values exist that the settings of scenarios name whose cases are all in a run, and, if
// it is whole, those that the settings of the configuration name.
func (o *Overall) RequireNames(cfg *config.Config, cases List, whole bool) {
	if whole {
		for _, name := range slices.Sorted(maps.Keys(cfg.Tolerance)) {
			o.require("tolerance", name, cfg.Place("tolerance."+name), nil)
		}
	}
	count := map[*Space]int{}
	for _, c := range cases {
		sp := c.Space
		isAsConfigured := whole || sp.definition != nil && sp.definition.axes == nil
		if count[sp]++; count[sp] < sp.size(maxCases) || !isAsConfigured {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(sp.Tolerance)) {
			if cfg.Tolerance[name] == "" {
				o.require("tolerance", name, cmp.Or(sp.where, ofScenario+sp.Script), sp)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(sp.Metrics)) {
			o.require("metrics", name, sp.Script, sp)
		}
	}
}

func (o *Overall) require(setting, name, where string, sp *Space) {
	if !record.IsMeasured(name) {
		o.names = append(o.names, &required{setting, name, where, sp, map[string]bool{}})
	}
}

// concerns reports whether the values of a case of a space are still needed.
func (n *required) concerns(sp *Space) bool {
	return n.known != nil && (n.space == nil || n.space == sp)
}

// add adds the values of a case. One that was skipped or ended early might have had any.
func (n *required) add(r *record.Record) {
	values := result.Values(r)
	if _, ok := values[n.name]; ok || r.Skipped != "" || r.End != nil {
		n.known = nil
		return
	}
	for name := range values {
		n.known[name] = true
	}
}

func (n *required) check() record.Check {
	group := "all cases"
	if n.space != nil {
		group = n.space.Scenario
	}
	return record.Check{Text: fmt.Sprintf("%s: value %q of %s", n.setting, n.name, group), Where: n.where,
		Want: "a value of a case", Have: "no case has a value of that name" +
			suggest(n.name, slices.Sorted(maps.Keys(n.known)))}
}

// over is an expectation over several cases, with the values that it has seen.
type over struct {
	Expectation
	group string // name of the cases
	found []any
	known map[string]bool      // names of the values of all cases, until one has the value
	cases map[string]*presence // by scenario
}

// presence counts the cases of a scenario that ran, with and without a value.
type presence struct {
	with, without int
	first         string // id of the first case without
}

// NewOverall returns the expectations of a configuration before any case.
func NewOverall(cfg *config.Config) (*Overall, error) {
	run, err := parseExpectations(sources(cfg.Expect, ofRun))
	return &Overall{run: overs("all cases", run), spaces: map[*Space][]*over{}}, err
}

func overs(group string, list []Expectation) []*over {
	var some []*over
	for _, e := range list {
		if e.subject.Function != "" {
			some = append(some, &over{Expectation: e, group: group, known: map[string]bool{},
				cases: map[string]*presence{}})
		}
	}
	return some
}

// Wants reports whether the values of a case of a space are needed.
func (o *Overall) Wants(sp *Space) bool {
	return len(o.of(sp)) > 0 || len(o.run) > 0 ||
		slices.ContainsFunc(o.names, func(n *required) bool { return n.concerns(sp) })
}

// of returns the expectations over the cases of a scenario.
func (o *Overall) of(sp *Space) []*over {
	list, known := o.spaces[sp]
	if !known && sp != nil {
		list = overs(sp.Scenario, slices.DeleteFunc(slices.Clone(sp.expectations),
			func(e Expectation) bool { return e.where == ofRun }))
		o.spaces[sp] = list
		o.order = append(o.order, sp)
	}
	return list
}

// Add adds the values of a case of a space. Cases must be added in the order of the plan.
func (o *Overall) Add(sp *Space, id string, r *record.Record) {
	scenario := ""
	if sp != nil {
		scenario = sp.Scenario
	}
	for _, e := range o.run {
		e.add(scenario, id, r)
	}
	for _, e := range o.of(sp) {
		e.add(scenario, id, r)
	}
	for _, n := range o.names {
		if n.concerns(sp) {
			n.add(r)
		}
	}
}

// add adds the values of a case. A case that was skipped or ended early does not count: the latter fails by itself.
func (e *over) add(scenario, id string, r *record.Record) {
	value, ok := result.Value(r, e.subject.Metric)
	if ran := r.Skipped == "" && r.End == nil; ran {
		p := e.cases[scenario]
		if p == nil {
			p = &presence{}
			e.cases[scenario] = p
		}
		switch {
		case ok:
			p.with++
			e.found = append(e.found, value)
			return
		case p.without == 0:
			p.first = id
		}
		p.without++
	}
	if e.found == nil {
		for name := range result.Values(r) {
			e.known[name] = true
		}
	}
}

// lacking describes the cases without the value that should have it: every case of a scenario has the value, or none.
// It returns "" if there are none. The function count is about the cases that have it.
func (e *over) lacking() string {
	var all presence
	for _, p := range e.cases {
		if p.with == 0 || p.without == 0 || e.subject.Function == "count" {
			continue
		}
		if all.first == "" || p.first < all.first {
			all.first = p.first
		}
		all.with, all.without = all.with+p.with, all.without+p.without
	}
	if all.without == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d cases that ran have no %s, such as %s", all.without, all.with+all.without,
		e.subject.Metric, all.first)
}

// Checks returns the checks of the expectations, and a failed one for each name that no case has.
func (o *Overall) Checks() []record.Check {
	var checks []record.Check
	for _, e := range o.run {
		checks = append(checks, e.check())
	}
	for _, sp := range o.order {
		for _, e := range o.spaces[sp] {
			checks = append(checks, e.check())
		}
	}
	for _, n := range o.names {
		if n.known != nil {
			checks = append(checks, n.check())
		}
	}
	return checks
}

func (e *over) check() record.Check {
	check := record.Check{Text: fmt.Sprintf("expect %s of %s", e.Expectation, e.group), Where: e.where,
		Want: e.is.String(), Have: "no case has a value of that name"}
	if e.found == nil {
		check.Have += suggest(e.subject.Metric, slices.Sorted(maps.Keys(e.known)))
	}
	value, ok := e.subject.Over(e.found)
	switch lacking := e.lacking(); {
	case lacking != "":
		check.Have = lacking
	case ok:
		check.Have, check.Passed = result.FormatExact(value), e.is.Holds(value)
	case e.found != nil:
		check.Have = "a case has another value than a number"
	}
	return check
}
