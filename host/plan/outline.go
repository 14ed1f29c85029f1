package plan

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"sort"

	"roclua/host/result"
)

// Outline is a plan as data: enough to list its cases in their order, and to judge their results, without the scripts
// and the configuration.
type Outline struct {
	Parts  []Part   `json:"parts"`            // what the arguments of the command name
	Filter string   `json:"filter,omitempty"` // regular expression over the ids of the cases that are selected
	Only   []string `json:"only,omitempty"`   // ids of the cases that are selected; absent for all
	Whole  bool     `json:"whole,omitempty"`  // all cases of the configuration are selected
}

// Part is the cases that one argument of the command names.
type Part struct {
	Spaces  []*Space `json:"spaces"`            // scenarios
	Shuffle bool     `json:"shuffle,omitempty"` // the order of the cases is random
	Seed    uint64   `json:"seed,omitempty"`    // seed of the order
	ID      string   `json:"id,omitempty"`      // id of the one case that is selected
}

// Cases lists the cases of a plan, and makes each when it is needed.
type Cases struct {
	spaces []*Space
	starts []int    // position of the first case of each space, before any is left out; and the end
	order  []uint32 // such positions of the cases; nil for all of them
}

// Cases returns the cases of an outline.
func (o *Outline) Cases() (*Cases, error) {
	all := &Cases{starts: []int{0}}
	var order []uint32
	for i := range o.Parts {
		part, err := o.Parts[i].cases()
		if err != nil {
			return nil, err
		}
		start := all.starts[len(all.spaces)]
		if start+part.starts[len(part.spaces)] > maxCases {
			return nil, fmt.Errorf("the plan has more than %d cases", maxCases)
		}
		all.spaces = append(all.spaces, part.spaces...)
		for _, s := range part.starts[1:] {
			all.starts = append(all.starts, start+s)
		}
		if part.order != nil || order != nil {
			order = appendOrder(order, start, part)
		}
	}
	all.order = order
	if len(o.Parts) > 1 {
		if err := all.dropRepeated(); err != nil {
			return nil, err
		}
	}
	return all, all.selectBy(o.Filter, o.Only)
}

// appendOrder appends the positions of a part after the parts before it, which have start cases.
func appendOrder(order []uint32, start int, part *Cases) []uint32 {
	if order == nil {
		order = make([]uint32, start, start+part.Len())
		for i := range order {
			order[i] = uint32(i)
		}
	}
	for i := range part.Len() {
		order = append(order, uint32(start+part.position(i)))
	}
	return order
}

// cases lists the cases of one argument.
func (p *Part) cases() (*Cases, error) {
	c := &Cases{spaces: p.Spaces, starts: []int{0}}
	n, partial := 0, false
	for _, sp := range p.Spaces {
		size := sp.size(maxCases)
		if n += size; n > maxCases {
			return nil, sp.tooMany()
		}
		c.starts = append(c.starts, n)
		partial = partial || sp.isExcluded()
	}
	if err := c.checkUnique(); err != nil {
		return nil, err
	}
	if p.Shuffle {
		c.order = c.positions()
		r := rand.New(rand.NewPCG(p.Seed, 0))
		r.Shuffle(n, func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	}
	if partial {
		c.keep(func(i int) bool { sp, _ := c.find(i); return !sp.isExcluded() })
	}
	if p.ID != "" {
		c.keep(func(i int) bool { return c.hasID(i, p.ID) })
	}
	return c, nil
}

// selectBy leaves out the cases that a filter or a list of ids does not select.
func (c *Cases) selectBy(filter string, only []string) error {
	if filter != "" {
		re, err := regexp.Compile(filter)
		if err != nil {
			return fmt.Errorf("--filter: %w", err)
		}
		c.keep(func(i int) bool { sp, _ := c.find(i); return sp.Broken || re.MatchString(c.ID(i)) })
	}
	if only != nil {
		selected := map[string]bool{}
		for _, id := range only {
			selected[id] = true
		}
		c.keep(func(i int) bool { return selected[c.ID(i)] })
	}
	return nil
}

// isExcluded reports whether tags leave out the cases. A script that cannot be loaded is always selected: its tags, its
// schemes and its parameters are not known.
func (sp *Space) isExcluded() bool { return sp.Excluded && !sp.Broken }

// hasID reports whether a case has an id. A script that cannot be loaded has one case on each target, to which the ids
// of all its possible cases belong.
func (c *Cases) hasID(i int, id string) bool {
	sp, p := c.find(i)
	if sp.Broken {
		t := sp.Targets[sp.digits(p).target]
		return IsOf(id, sp.Scenario, t.target())
	}
	return c.ID(i) == id
}

// positions lists the positions of the cases.
func (c *Cases) positions() []uint32 {
	list := make([]uint32, c.Len())
	for i := range list {
		list[i] = uint32(c.position(i))
	}
	return list
}

// keep leaves out the cases that are not selected.
func (c *Cases) keep(selected func(i int) bool) {
	order := []uint32{}
	for i := range c.Len() {
		if selected(i) {
			order = append(order, uint32(c.position(i)))
		}
	}
	c.order = order
}

// Len returns the number of cases.
func (c *Cases) Len() int {
	if c.order != nil {
		return len(c.order)
	}
	return c.starts[len(c.spaces)]
}

// position returns the position of a case before any was left out or moved.
func (c *Cases) position(i int) int {
	if c.order != nil {
		return int(c.order[i])
	}
	return i
}

// find returns the space of a case, and its position there.
func (c *Cases) find(i int) (*Space, int) {
	p := c.position(i)
	k := sort.SearchInts(c.starts, p+1) - 1
	return c.spaces[k], p - c.starts[k]
}

// Space returns the space of a case, counted from 0.
func (c *Cases) Space(i int) *Space {
	sp, _ := c.find(i)
	return sp
}

// ID returns the id of a case, counted from 0.
func (c *Cases) ID(i int) string {
	sp, p := c.find(i)
	return sp.id(sp.digits(p))
}

// Case returns a case, counted from 0.
func (c *Cases) Case(i int) *Case {
	sp, p := c.find(i)
	return sp.caseAt(p)
}

// Shown returns what reports show of a case, counted from 0.
func (c *Cases) Shown(i int) *result.Case {
	sp, p := c.find(i)
	d := sp.digits(p)
	shown := sp.shownAt(d, sp.point(d))
	return &shown
}

// Baselines lists the files that keep values of the cases.
func (c *Cases) Baselines() []string {
	var paths []string
	for i := range c.Len() {
		sp, p := c.find(i)
		switch {
		case sp.Baseline == "" || slices.Contains(paths, sp.Baseline):
		case !sp.Broken || sp.caseAt(p).Baseline != "": // a script that cannot be loaded may be skipped
			paths = append(paths, sp.Baseline)
		}
	}
	return paths
}

// BaselineFolders lists the folders of such files that the configuration names.
func (c *Cases) BaselineFolders() []string {
	var folders []string
	for _, sp := range c.spaces {
		if sp.Baselines != "" && !slices.Contains(folders, sp.Baselines) {
			folders = append(folders, sp.Baselines)
		}
	}
	return folders
}

// Index finds cases by their ids.
type Index struct {
	cases  *Cases
	seed   maphash.Seed
	hashes map[uint64]int32
}

// Index returns an index of the cases, by hashes with a seed. Two cases with the same id are an error.
func (c *Cases) Index(seed maphash.Seed) (*Index, error) {
	x := &Index{c, seed, make(map[uint64]int32, c.Len())}
	for i := range c.Len() {
		id := c.ID(i)
		h := maphash.String(x.seed, id)
		other, taken := x.hashes[h]
		if taken && c.ID(int(other)) == id {
			a, _ := c.find(int(other))
			b, _ := c.find(i)
			return nil, errTwice(id, a, b)
		}
		if taken { // once in ten million plans of a million cases
			return nil, fmt.Errorf("the ids %s and %s have the same hash; run the command again", id, c.ID(int(other)))
		}
		x.hashes[h] = int32(i)
	}
	return x, nil
}

// Find returns the position of the case with an id, or false.
func (x *Index) Find(id string) (int, bool) {
	i, ok := x.hashes[maphash.String(x.seed, id)]
	return int(i), ok && x.cases.ID(int(i)) == id
}

// FindHash returns the position of the case whose id has a hash with the seed of the index, or false.
func (x *Index) FindHash(hash uint64) (int, bool) {
	i, ok := x.hashes[hash]
	return int(i), ok
}

// MarshalJSON writes evenly spaced whole numbers as their first, their distance and their count.
func (a Axis) MarshalJSON() ([]byte, error) {
	type plain Axis
	if first, step, ok := evenly(a.Values); ok {
		a = Axis{Name: a.Name, First: first, Step: step, Count: len(a.Values)}
	}
	return json.Marshal(plain(a))
}

// evenly reports whether values are at least four whole numbers at equal distances.
func evenly(values []any) (first, step float64, ok bool) {
	if len(values) < 4 {
		return 0, 0, false
	}
	first, ok = values[0].(float64)
	second, also := values[1].(float64)
	step = second - first
	if !ok || !also || step == 0 || first != math.Trunc(first) || step != math.Trunc(step) {
		return 0, 0, false
	}
	for i, v := range values {
		if v != first+step*float64(i) || math.Abs(first)+math.Abs(step)*float64(i) > 1<<53 {
			return 0, 0, false
		}
	}
	return first, step, true
}

// UnmarshalJSON reads an axis as MarshalJSON writes it.
func (a *Axis) UnmarshalJSON(text []byte) error {
	type plain Axis
	if err := json.Unmarshal(text, (*plain)(a)); err != nil {
		return err
	}
	if a.Count > maxCases {
		return fmt.Errorf("axis %s has %d values", a.Name, a.Count)
	}
	for i := range a.Count {
		a.Values = append(a.Values, a.First+a.Step*float64(i))
	}
	a.First, a.Step, a.Count = 0, 0, 0
	return nil
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
				restoreNumbers(step)
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

// restoreNumbers turns numbers that the decoder kept as texts into Lua's numbers.
func restoreNumbers(params map[string]any) {
	for name, v := range params {
		if n, ok := v.(json.Number); ok {
			params[name], _ = n.Float64()
		}
	}
}
