package plan

// Sequence is cases in the order of a run. Cases makes each when it is needed, a List has all of them.
type Sequence interface {
	Len() int
	ID(i int) string        // id of a case, counted from 0
	Case(i int) *Case       // a case
	Scenarios() []*Scenario // scenarios of the cases, each once, in their order; without those that are not known
}

// List is cases that are in memory.
type List []*Case

// Len returns the number of cases.
func (l List) Len() int { return len(l) }

// ID returns the id of a case, counted from 0.
func (l List) ID(i int) string { return l[i].ID }

// Case returns a case, counted from 0.
func (l List) Case(i int) *Case { return l[i] }

// Scenarios lists the scenarios of the cases.
func (l List) Scenarios() []*Scenario {
	var d definitions
	for _, c := range l {
		d.add(c.Definition)
	}
	return d.list
}

// Scenarios lists the scenarios of the cases. It has none for an Outline that was read.
func (c *Cases) Scenarios() []*Scenario {
	var d definitions
	for i := range c.Len() {
		sp, _ := c.find(i)
		d.add(sp.definition)
	}
	return d.list
}

// definitions are scenarios, each once.
type definitions struct {
	list []*Scenario
	seen map[*Scenario]bool
}

func (d *definitions) add(sc *Scenario) {
	if sc == nil || d.seen[sc] {
		return
	}
	if d.seen == nil {
		d.seen = map[*Scenario]bool{}
	}
	d.seen[sc] = true
	d.list = append(d.list, sc)
}
