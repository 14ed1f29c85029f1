// Package plan turns a configuration, scripts and the selection of the command line into the cases of a run.
//
// A scenario is a script with its settings. It multiplies with targets, memory schemes and the axes of its matrix; each
// combination is a Case:
//
//	s := plan.Selection{Filter: "scheme=manual"}
//	cfg, cases, err := s.Plan(ctx, plan.Input{Getenv: os.Getenv}, []string{"config.toml"})
//
// The package runs nothing but the top level of scripts, which declares what they are.
package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/result"
	"roclua/luabind"
	"roclua/workspace"
)

// Case is one run of a scenario on a target.
type Case struct {
	result.Case
	Definition   *Scenario // scenario that it runs
	Target       config.Target
	Input        luabind.Case  // scheme, parameters and seed, as the script gets them
	Faults       config.Faults // which allocations fail
	Expectations []Expectation
	Baseline     string // file that keeps its values; "" for none
	First        string // id of the first repetition of the case
	Tolerances   baseline.Tolerances
	Skip         string // why it is not run; "" when it is
}

// Cases multiplies scenarios, targets, schemes and axes.
func Cases(cfg *config.Config, scenarios []*Scenario) ([]*Case, error) {
	var list []*Case
	for _, sc := range scenarios {
		cases, err := sc.cases(cfg)
		if err != nil {
			return nil, err
		}
		list = append(list, cases...)
	}
	if err := checkUnique(list); err != nil {
		return nil, err
	}
	if cfg.Shuffle {
		r := rand.New(rand.NewPCG(cfg.Seed, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list, nil
}

// cases lists the cases of one scenario.
func (sc *Scenario) cases(cfg *config.Config) ([]*Case, error) {
	if sc.Broken != nil {
		return sc.brokenCases(cfg), nil
	}
	points, err := sc.points(cfg.Params)
	if err != nil {
		return nil, err
	}
	schemes, err := sc.schemes()
	if err != nil {
		return nil, err
	}
	expected, err := sc.expectations(cfg)
	if err != nil {
		return nil, err
	}
	tolerances, err := sc.tolerances(cfg)
	if err != nil {
		return nil, err
	}
	var list []*Case
	for _, point := range points {
		faults, params, err := sc.faults(cfg.Faults, point)
		if err != nil {
			return nil, err
		}
		for _, scheme := range schemes {
			for _, t := range cfg.Targets {
				for repeat := range max(1, sc.Settings.Repeat) {
					c := newCase(cfg, sc, scheme, point, t, repeat+1)
					c.Expectations, c.Baseline, c.Tolerances = expected, sc.baselineFile(cfg), tolerances
					c.setFaults(faults, params)
					list = append(list, c)
				}
			}
		}
	}
	return list, nil
}

// brokenCases returns a case for each target. What the settings refer to, such as parameters, is not known.
func (sc *Scenario) brokenCases(cfg *config.Config) []*Case {
	var list []*Case
	for _, t := range cfg.Targets {
		c := newCase(cfg, sc, "", nil, t, 1)
		if c.Skip == "" {
			c.Baseline = sc.baselineFile(cfg)
		}
		list = append(list, c)
	}
	return list
}

// checkUnique makes sure that no two cases have one id: two scenarios of one name, or one that is configured twice
// alike.
func checkUnique(list []*Case) error {
	seen := map[string]*Case{}
	for _, c := range list {
		if other, twice := seen[c.ID]; twice {
			return fmt.Errorf("two cases are called %s: %s and %s; give one another script name or other parameters",
				c.ID, other.Script, c.Script)
		}
		seen[c.ID] = c
	}
	return nil
}

func newCase(cfg *config.Config, sc *Scenario, scheme string, point map[string]any, t config.Target, repeat int) *Case {
	profile, err := workspace.FindProfile(t.Profile)
	if err != nil {
		panic(err) // the configuration has been validated
	}
	c := &Case{Definition: sc, Target: t, First: caseID(sc.Name, scheme, point, t, 1),
		Input: luabind.Case{Scenario: sc.Declared.Name, Scheme: scheme,
			Bytes: uint64(sc.Settings.Bytes), Params: point, Seed: cfg.Seed},
		Case: result.Case{ID: caseID(sc.Name, scheme, point, t, repeat), Scenario: sc.Name, Script: sc.File,
			About: sc.Declared.About, Source: sc.Declared.Source, Tags: sc.Declared.Tags, Scheme: scheme, Params: point,
			Platform: t.Platform, Profile: t.Profile, Arch: t.Arch, RocBLAS: profile.RocBLAS,
			RocSOLVER: profile.RocSOLVER}}
	switch {
	case sc.Declared.Unsuited(t.Platform, profile.Name) != "":
		c.Skip = sc.Declared.Unsuited(t.Platform, profile.Name)
	case scheme != "":
		c.Skip = profile.SkipScheme(scheme)
	}
	if reason, ok := excepted(sc.Settings.Skip, c.ID); ok && c.Skip == "" {
		c.Skip = reason
	}
	c.KnownFailure, _ = excepted(sc.Settings.KnownFailures, c.ID)
	return c
}

// setFaults sets the allocations that fail, which only the simulated device supports, and the parameters of the script.
func (c *Case) setFaults(f config.Faults, params map[string]any) {
	c.Faults, c.Input.Params, c.InjectsFaults = f, params, !f.IsZero()
	if c.InjectsFaults && c.Target.IsReal() && c.Skip == "" {
		c.Skip = onlySimulated
	}
}

// caseID is stable from run to run: solve[scheme=manual,n=1024]@cpu/rocm-7.2/gfx90a.
func caseID(name, scheme string, point map[string]any, t config.Target, repeat int) string {
	var parts []string
	if scheme != "" {
		parts = append(parts, "scheme="+scheme)
	}
	for _, axis := range slices.Sorted(maps.Keys(point)) {
		parts = append(parts, axis+"="+result.FormatValue(point[axis]))
	}
	if repeat > 1 {
		parts = append(parts, "repeat="+strconv.Itoa(repeat))
	}
	if len(parts) > 0 {
		name += "[" + strings.Join(parts, ",") + "]"
	}
	return fmt.Sprintf("%s@%s/%s/%s", name, t.Platform, t.Profile, t.Arch)
}

// hasID reports whether a case has an id. A broken scenario has one case on a target, which has the ids of all that the
// scenario may have.
func (c *Case) hasID(id string) bool {
	return c.ID == id || c.Definition.Broken != nil && IsOf(id, c.Scenario, c.Target)
}

// IsOf reports whether an id is that of a case of a scenario, or of a file of scenarios, on a target.
func IsOf(id, scenario string, t config.Target) bool {
	rest, ok := strings.CutPrefix(id, scenario)
	return ok && strings.HasSuffix(rest, caseID("", "", nil, t, 1)) && strings.IndexAny(rest, "[@/") == 0
}

// IsCaseID reports whether an argument is the id of a case, such as solve[scheme=manual]@cpu/rocm-7.2/gfx90a, and not
// a file or the name of a scenario.
func IsCaseID(arg string) bool {
	return strings.Contains(arg, "@") && !strings.HasSuffix(arg, ".lua") && !strings.HasSuffix(arg, ".toml")
}
