// Package plan turns a configuration, scripts and the selection of the command line into the cases of a run.
//
// A scenario is a script with its settings. It multiplies with targets, memory schemes and the axes of its matrix; each
// combination is a Case:
//
//	s := plan.Selection{Filter: "scheme=manual"}
//	p, err := s.Plan(ctx, plan.Input{Getenv: os.Getenv}, []string{"config.toml"})
//	for _, c := range p.Cases { ... }
//
// The Outline of a plan is the plan as data, from which another program finds the same cases without the scripts.
//
// The package runs nothing but the top level of scripts, which declares their scenarios.
package plan

import (
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/result"
	"roclua/luabind/record"
)

// Case is one run of a scenario on a target.
type Case struct {
	result.Case
	Space        *Space    // cases of the scenario
	Definition   *Scenario // scenario that it runs; nil in a plan that was read from an Outline
	Target       *config.Target
	Input        record.Case    // scheme, parameters and seed, as the script gets them
	Faults       *config.Faults // which allocations fail
	Expectations []Expectation
	Baseline     string // file that keeps its values; "" for none
	First        string // id of the first repetition of the case
	Tolerances   baseline.Tolerances
	Skip         string // why it is not run; "" when it is
}

// IsOf reports whether an id names a case of a scenario, or of a file of scenarios, on a target.
func IsOf(id, scenario string, t config.Target) bool {
	rest, ok := strings.CutPrefix(id, scenario)
	return ok && strings.HasSuffix(rest, "@"+t.ID()) && strings.IndexAny(rest, "[@/") == 0
}

// IsCaseID reports whether an argument is the id of a case, such as solve[scheme=manual]@cpu/rocm-7.2/gfx90a, and not
// a file or the name of a scenario.
func IsCaseID(arg string) bool {
	return strings.Contains(arg, "@") && !strings.HasSuffix(arg, ".lua") && !strings.HasSuffix(arg, ".toml")
}
