package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/host/config"
	"roclua/internal/nearest"
)

// checkParams makes sure that the parameters that a configuration gets from a source, such as its file, are parameters
// of some scenario. The cases of a script that cannot be loaded are not known.
func checkParams(cfg *config.Config, source string, scenarios []*Scenario) error {
	if slices.ContainsFunc(scenarios, func(sc *Scenario) bool { return sc.Broken != nil }) {
		return nil
	}
	known := paramNames(scenarios...)
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		key := "params." + name
		if strings.HasPrefix(cfg.Place(key), source) && !slices.Contains(known, name) {
			return cfg.At(key, fmt.Errorf("params: no scenario has a parameter %q%s", name,
				nearest.DidYouMean(name, known)))
		}
	}
	return nil
}

// checkExceptions makes sure that each exception of a configuration selects a case, whatever else is selected: if not,
// its pattern is most likely wrong. The cases of a script that cannot be loaded are not known.
func (p *Part) checkExceptions(cfg *config.Config) error {
	type entry struct {
		key   string // "scenario[0].skip[1].match"
		list  string // "skip"
		match *config.Pattern
	}
	var entries []entry
	used := map[string]bool{} // by key, because the scenarios of a folder share their exceptions
	for _, sp := range p.Spaces {
		add := func(name string, list []exception) {
			for i, e := range list {
				key := fmt.Sprintf("%s.%s[%d].match", sp.definition.key, name, i)
				entries = append(entries, entry{key, name, e.match})
				used[key] = used[key] || sp.definition.LoadError() != nil || sp.hasCase(e.match)
			}
		}
		add("skip", sp.skipped)
		add("known_failures", sp.known)
	}
	i := slices.IndexFunc(entries, func(e entry) bool { return !used[e.key] })
	if i < 0 {
		return nil
	}
	e := entries[i]
	places, err := p.places()
	if err != nil {
		return err
	}
	set := func(pattern string) string { return fmt.Sprintf("match = %q", pattern) }
	return cfg.At(e.key, fmt.Errorf("%s: %s selects no case%s", e.list, set(e.match.String()),
		advice(e.match, places, set)))
}

func (sp *Space) hasCase(p *config.Pattern) bool {
	for i := range sp.size(maxCases) {
		if d := sp.digits(i); sp.matches(p, d, sp.id(d)) {
			return true
		}
	}
	return false
}
