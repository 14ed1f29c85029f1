package host

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/host/expect"
	"roclua/internal/nearest"
	"roclua/luabind"
)

// expectation is what a value of a case, or one over several cases, must be.
type expectation struct {
	subject expect.Subject
	name    string // the subject as it was written
	is      *expect.Expr
	where   string // who expects it: "config.toml", "solve.lua"
}

// parseExpectations reads expectations in the order of their names.
func parseExpectations(texts map[string]string, where string) ([]expectation, error) {
	var list []expectation
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		subject, err := expect.ParseSubject(name)
		if err != nil {
			return nil, fmt.Errorf("%s: expect: %w", where, err)
		}
		is, err := expect.Parse(texts[name])
		if err != nil {
			return nil, fmt.Errorf("%s: expect: %s: %w", where, name, err)
		}
		list = append(list, expectation{subject, name, is, where})
	}
	return list, nil
}

// expectations of a scenario are the script's and the configuration's; those of the whole run that have no function hold for
// each of its cases, too.
func (sc *scenario) expectations(cfg *config.Config) ([]expectation, error) {
	var all []expectation
	for _, from := range []struct {
		texts map[string]string
		where string
	}{{sc.declared.Expect, sc.script.Name}, {sc.settings.Expect, "[[scenario]] " + sc.settings.Script}, {cfg.Expect, "[expect]"}} {
		list, err := parseExpectations(from.texts, from.where)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// values are what can be expected of one case: its metrics, and what the runtime counted.
func values(r *luabind.Record) map[string]any {
	v := map[string]any{"seconds": r.Seconds, "kernels": int64(r.Stats.Kernels), "peak_bytes": int64(r.Stats.PeakBytes), "hip.total": int64(total(r.Stats.Calls)),
		"syncs.total": int64(total(r.Stats.Syncs))}
	for name, n := range r.Stats.Calls {
		v["hip."+driver.ScriptName(name)] = int64(n)
	}
	for cause, n := range r.Stats.Syncs {
		v["syncs."+cause] = int64(n)
	}
	if r.Stats.Injected > 0 {
		v["faults.injected"] = int64(r.Stats.Injected)
	}
	for answer, n := range r.Statuses {
		v["status."+answer] = int64(n)
		_, status, _ := strings.Cut(answer, ".")
		sum, _ := v["status."+status].(int64)
		v["status."+status] = sum + int64(n)
	}
	for _, m := range r.Metrics {
		v[m.Name] = m.Value
	}
	return v
}

func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// counted are the beginnings of the names of what is counted: what was never counted is zero.
var counted = []string{"hip.", "syncs.", "status.", "faults."}

// valueOf returns one of the values.
func valueOf(v map[string]any, name string) (any, bool) {
	if value, ok := v[name]; ok {
		return value, true
	}
	if slices.ContainsFunc(counted, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return int64(0), true
	}
	return nil, false
}

// expectOf checks what is expected of one case alone, and adds the answers to its checks.
func (r *result) expectOf(list []expectation) {
	if r.record.Skipped != "" || r.record.End != nil {
		return
	}
	v := values(r.record)
	for _, e := range list {
		if e.subject.Function != "" {
			continue
		}
		value, ok := valueOf(v, e.subject.Metric)
		check := luabind.Check{Text: "expect " + e.name + " " + e.is.String(), Where: e.where, Want: e.is.String()}
		if ok {
			check.Have, check.Passed = formatAny(value), e.is.Holds(value)
		} else {
			known := slices.Sorted(maps.Keys(v))
			check.Have = "no value of that name" + nearest.DidYouMean(e.subject.Metric, known)
		}
		r.record.Checks = append(r.record.Checks, check)
	}
}

// formatAny writes whole numbers in full, as they are when the runtime counts them.
func formatAny(v any) string {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return formatValue(v)
}

// overall checks what is expected over several cases: those of a scenario, or all. Cases that have no value because they
// ended early fail by themselves.
func overall(cfg *config.Config, results []*result) ([]luabind.Check, error) {
	run, err := parseExpectations(cfg.Expect, "[expect]")
	if err != nil {
		return nil, err
	}
	checks := over("all cases", run, results)
	var order []*scenario
	by := map[*scenario][]*result{}
	for _, r := range results {
		if by[r.scenario] == nil {
			order = append(order, r.scenario)
		}
		by[r.scenario] = append(by[r.scenario], r)
	}
	for _, sc := range order {
		list, err := sc.expectations(&config.Config{})
		if err != nil {
			return nil, err
		}
		checks = append(checks, over(sc.name, list, by[sc])...)
	}
	return checks, nil
}

func over(whose string, list []expectation, results []*result) []luabind.Check {
	var checks []luabind.Check
	for _, e := range list {
		if e.subject.Function == "" {
			continue
		}
		var found []any
		var known []string
		for _, r := range results {
			known = append(known, slices.Collect(maps.Keys(values(r.record)))...)
			if value, ok := valueOf(values(r.record), e.subject.Metric); ok && r.record.Skipped == "" && r.record.End == nil {
				found = append(found, value)
			}
		}
		check := luabind.Check{Text: fmt.Sprintf("expect %s %s of %s", e.name, e.is, whose), Where: e.where, Want: e.is.String(), Have: "no case has a value of that name"}
		if found == nil {
			slices.Sort(known)
			check.Have += nearest.DidYouMean(e.subject.Metric, slices.Compact(known))
		}
		if value, ok := e.subject.Over(found); ok {
			check.Have, check.Passed = formatAny(value), e.is.Holds(value)
		}
		checks = append(checks, check)
	}
	return checks
}
