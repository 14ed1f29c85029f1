package plan

import (
	"fmt"
	"maps"
	"slices"

	"roclua/hip/nearest"
	"roclua/host/config"
	"roclua/host/expect"
	"roclua/host/result"
	"roclua/luabind"
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

// parseExpectations reads expectations in the order of their names.
func parseExpectations(texts map[string]string, where string) ([]Expectation, error) {
	var list []Expectation
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		subject, err := expect.ParseSubject(name)
		if err != nil {
			return nil, fmt.Errorf("%s: expect: %w", where, err)
		}
		is, err := expect.Parse(texts[name])
		if err != nil {
			return nil, fmt.Errorf("%s: expect: %s: %w", where, name, err)
		}
		list = append(list, Expectation{subject, name, is, where})
	}
	return list, nil
}

// expectations returns those of the script, of its settings and of the whole run. Those of the run that have no
// function apply to each case.
func (sc *Scenario) expectations(cfg *config.Config) ([]Expectation, error) {
	var all []Expectation
	for _, from := range []struct {
		texts map[string]string
		where string
	}{{sc.Declared.Expect, sc.File}, {sc.Settings.Expect, "[[scenario]] " + sc.Settings.Script},
		{cfg.Expect, "[expect]"}} {
		list, err := parseExpectations(from.texts, from.where)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Check adds the outcome of each expectation on one case to the checks of its record. A case that was skipped or
// ended early is not checked.
func Check(list []Expectation, r *luabind.Record) {
	if r.Skipped != "" || r.End != nil {
		return
	}
	values := result.Values(r)
	for _, e := range list {
		if e.subject.Function != "" {
			continue
		}
		value, ok := result.Value(values, e.subject.Metric)
		check := luabind.Check{Text: "expect " + e.String(), Where: e.where, Want: e.is.String()}
		if ok {
			check.Have, check.Passed = result.FormatExact(value), e.is.Holds(value)
		} else {
			known := slices.Sorted(maps.Keys(values))
			check.Have = "no value of that name" + nearest.DidYouMean(e.subject.Metric, known)
		}
		r.Checks = append(r.Checks, check)
	}
}

// CheckOverall checks the expectations over several cases: those of a scenario, or all. results[i] belongs to cases[i].
func CheckOverall(cfg *config.Config, cases []*Case, results []*result.Result) ([]luabind.Check, error) {
	run, err := parseExpectations(cfg.Expect, "[expect]")
	if err != nil {
		return nil, err
	}
	checks := checkOver("all cases", run, results)
	var order []*Scenario
	by := map[*Scenario][]*result.Result{}
	for i, c := range cases {
		if by[c.Definition] == nil {
			order = append(order, c.Definition)
		}
		by[c.Definition] = append(by[c.Definition], results[i])
	}
	for _, sc := range order {
		if sc.Broken != nil {
			continue
		}
		list, err := sc.expectations(&config.Config{})
		if err != nil {
			return nil, err
		}
		checks = append(checks, checkOver(sc.Name, list, by[sc])...)
	}
	return checks, nil
}

// checkOver checks the expectations that have a function. Cases without the value do not count: those that ended
// early fail by themselves.
func checkOver(group string, list []Expectation, results []*result.Result) []luabind.Check {
	var checks []luabind.Check
	for _, e := range list {
		if e.subject.Function == "" {
			continue
		}
		var found []any
		known := map[string]bool{}
		for _, r := range results {
			values := result.Values(r.Record)
			for name := range values {
				known[name] = true
			}
			if value, ok := result.Value(values, e.subject.Metric); ok && r.Record.Skipped == "" &&
				r.Record.End == nil {
				found = append(found, value)
			}
		}
		check := luabind.Check{Text: fmt.Sprintf("expect %s of %s", e, group), Where: e.where, Want: e.is.String(),
			Have: "no case has a value of that name"}
		if found == nil {
			check.Have += nearest.DidYouMean(e.subject.Metric, slices.Sorted(maps.Keys(known)))
		}
		if value, ok := e.subject.Over(found); ok {
			check.Have, check.Passed = result.FormatExact(value), e.is.Holds(value)
		}
		checks = append(checks, check)
	}
	return checks
}
