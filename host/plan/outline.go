package plan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"roclua/host/config"
)

// Outline is a plan as data: enough to list its cases in their order, and to judge their results, without the scripts
// and the configuration.
type Outline struct {
	Parts  []Part   `json:"parts"`            // cases of each argument of the command
	Filter string   `json:"filter,omitempty"` // pattern of the cases that are selected
	Only   []string `json:"only,omitempty"`   // ids of the cases that are selected; absent for all
	Whole  bool     `json:"whole,omitempty"`  // all cases of the configuration are selected
}

// Part is the cases that one argument of the command names.
type Part struct {
	Spaces  []*Space `json:"spaces"`            // scenarios
	Shuffle bool     `json:"shuffle,omitempty"` // the order of the cases is random
	Seed    uint64   `json:"seed,omitempty"`    // seed of the order
	Only    []string `json:"only,omitempty"`    // ids of the cases that are selected; absent for all
}

// List is the cases of a run, in their order.
type List []*Case

// place is where a case is in its space.
type place struct {
	*Space
	position int
}

// Cases returns the cases of a shard of the outline, and how many all shards have.
func (o *Outline) Cases(shard Shard) (cases List, all int, err error) {
	var places []place
	for i := range o.Parts {
		for _, sp := range o.Parts[i].Spaces {
			sp.part = i
		}
		part, err := o.Parts[i].places()
		if err != nil {
			return nil, 0, err
		}
		if places = append(places, part...); len(places) > maxCases {
			return nil, 0, fmt.Errorf("the plan has more than %d cases", maxCases)
		}
	}
	if places, err = unique(places); err != nil {
		return nil, 0, err
	}
	if places, err = o.selected(places); err != nil {
		return nil, 0, err
	}
	all = len(places)
	if places = shard.of(places); len(places) > maxSelected {
		return nil, all, tooManySelected(len(places), shard)
	}
	cases = make(List, len(places))
	for i, p := range places {
		cases[i] = p.caseAt(p.position)
	}
	return cases, all, nil
}

// places lists the cases of one argument.
func (p *Part) places() ([]place, error) {
	n := 0
	for _, sp := range p.Spaces {
		if n += sp.size(maxCases); n > maxCases {
			return nil, sp.tooMany()
		}
	}
	places := make([]place, 0, n)
	for _, sp := range p.Spaces {
		for position := range sp.size(maxCases) {
			places = append(places, place{sp, position})
		}
	}
	if p.Shuffle {
		r := rand.New(rand.NewPCG(p.Seed, 0))
		r.Shuffle(n, func(i, j int) { places[i], places[j] = places[j], places[i] })
	}
	return only(slices.DeleteFunc(places, func(at place) bool { return at.isExcluded() }), p.Only), nil
}

// only returns the cases with some ids, in place; with nil all cases.
func only(places []place, ids []string) []place {
	if ids == nil {
		return places
	}
	selected := map[string]bool{}
	for _, id := range ids {
		selected[id] = true
	}
	return slices.DeleteFunc(places, func(p place) bool {
		return !selected[p.ownID()] && !(p.Broken && slices.ContainsFunc(ids, p.mayHaveID))
	})
}

// unique leaves out cases that several arguments of the command name, as "query" and "query/minimum_size" do, so that
// each runs once. Two cases with one id that differ in anything else are an error: two scenarios of one name, or one
// that is configured twice alike.
func unique(places []place) ([]place, error) {
	first := make(map[string]*Space, len(places))
	var err error
	places = slices.DeleteFunc(places, func(p place) bool {
		id := p.ownID()
		other := first[id]
		if other == nil {
			first[id] = p.Space
		} else if err == nil && !other.repeatedBy(p.Space) {
			err = fmt.Errorf("two cases are called %s: %s and %s; give one another script name or other parameters", id,
				other.described(), p.described())
		}
		return other != nil
	})
	return places, err
}

// repeatedBy reports whether another space, of another argument of the command, has the same cases.
func (sp *Space) repeatedBy(other *Space) bool {
	if sp.part == other.part {
		return false
	}
	a, _ := json.Marshal(sp)
	b, _ := json.Marshal(other)
	return string(a) == string(b)
}

// described returns the script of the cases, after the place of the configuration that names it.
func (sp *Space) described() string {
	if sp.where == "" {
		return sp.Script
	}
	return sp.where + " (" + sp.Script + ")"
}

// selected leaves out the cases that the filter or the list of ids does not select.
func (o *Outline) selected(places []place) ([]place, error) {
	if o.Filter != "" {
		m, err := config.ParsePattern(o.Filter)
		if err != nil {
			return nil, fmt.Errorf("--filter: %w", err)
		}
		places = slices.DeleteFunc(places, func(p place) bool {
			return !p.Broken && !p.matches(m, p.digits(p.position), p.ownID())
		})
	}
	return only(places, o.Only), nil
}

// isExcluded reports whether tags leave out the cases. A script that cannot be loaded is always selected: its tags, its
// schemes and its parameters are not known.
func (sp *Space) isExcluded() bool { return sp.Excluded && !sp.Broken }

func (p place) ownID() string { return p.id(p.digits(p.position)) }

// mayHaveID reports whether an id may name a case of a script that cannot be loaded. It has one case on each
// target, for all its possible cases.
func (p place) mayHaveID(id string) bool {
	return p.Broken && IsOf(id, p.Scenario, p.Targets[p.digits(p.position).target].Target)
}

// Scenarios lists the scenarios of the cases, each once, in their order. It has none for an Outline that was read.
func (l List) Scenarios() []*Scenario {
	var list []*Scenario
	seen := map[*Scenario]bool{nil: true}
	for _, c := range l {
		if sc := c.Definition; !seen[sc] {
			seen[sc] = true
			list = append(list, sc)
		}
	}
	return list
}

// Files lists a file of the cases, such as the baseline, each once.
func (l List) Files(of func(*Case) string) []string {
	var paths []string
	seen := map[string]bool{"": true}
	for _, c := range l {
		if path := of(c); !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// Scripts lists the scripts of the cases, each once. It has none for an Outline that was read.
func (l List) Scripts() (paths []string) {
	for _, sc := range l.Scenarios() {
		if path := sc.Path(); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Positions returns the positions of the cases by their ids. Two arguments of a command may name the same case.
func (l List) Positions() map[string][]int {
	positions := make(map[string][]int, len(l))
	for i, c := range l {
		positions[c.ID] = append(positions[c.ID], i)
	}
	return positions
}

// Restore completes an outline that was read.
func (o *Outline) Restore() error {
	for _, part := range o.Parts {
		for _, sp := range part.Spaces {
			if len(sp.Steps) == 0 || len(sp.Schemes) == 0 || len(sp.Targets) == 0 || sp.Repeat < 1 ||
				slices.ContainsFunc(sp.Axes, func(a Axis) bool { return len(a.Values) == 0 }) {
				return fmt.Errorf("scenario %s has no cases", sp.Scenario)
			}
			for _, step := range sp.Steps {
				for name, v := range step {
					step[name] = restored(v)
				}
			}
			for _, a := range sp.Axes {
				for i, v := range a.Values {
					a.Values[i] = restored(v)
				}
			}
			if err := sp.prepare(); err != nil {
				return err
			}
		}
	}
	return nil
}

// IsWhole reports whether the outline has all cases of its configuration, and every script could be loaded.
func (o *Outline) IsWhole() bool {
	return o.Whole && !slices.ContainsFunc(o.Parts, func(p Part) bool {
		return slices.ContainsFunc(p.Spaces, func(sp *Space) bool { return sp.Broken })
	})
}

// restored turns a number that the decoder kept as text into Lua's number.
func restored(v any) any {
	if n, ok := v.(json.Number); ok {
		v, _ = n.Float64()
	}
	return v
}
