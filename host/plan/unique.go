package plan

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"
)

func errTwice(id string, a, b *Space) error {
	return fmt.Errorf("two cases are called %s: %s and %s; give one another script name or other parameters", id,
		a.described(), b.described())
}

// described returns the script of the cases, after the place of the configuration that names it.
func (sp *Space) described() string {
	if sp.where == "" {
		return sp.Script
	}
	return sp.where + " (" + sp.Script + ")"
}

// checkUnique makes sure that no two cases have one id: two scenarios of one name, or one that is configured twice
// alike.
func (c *Cases) checkUnique() error {
	names := map[string]int{}
	alike := false
	for _, sp := range c.spaces {
		names[sp.Scenario]++
		alike = alike || names[sp.Scenario] > 1 || strings.ContainsAny(sp.Scenario, "[@") || sp.repeats()
	}
	if !alike {
		return nil // the ids are different without a look at each of them
	}
	_, err := c.Index(maphash.MakeSeed())
	return err
}

// repeats reports whether two cases of the space may have one id.
func (sp *Space) repeats() bool {
	for _, p := range sp.params {
		if strings.ContainsAny(p.name+strings.Join(p.texts, ""), ",=]@") || p.axis >= 0 && hasTwice(p.texts) {
			return true
		}
	}
	return len(sp.Steps) > 1 || hasTwice(sp.Schemes) || hasTwice(sp.targetIDs)
}

func hasTwice(texts []string) bool {
	seen := make(map[string]bool, len(texts))
	for _, t := range texts {
		if seen[t] {
			return true
		}
		seen[t] = true
	}
	return false
}

// dropRepeated leaves out cases that several arguments of the command name, as "query" and "query/minimum_size" do, so
// that each runs once. Two cases with one id that differ in anything else are an error.
func (c *Cases) dropRepeated() error {
	if !c.sharesNames() {
		return nil
	}
	first := map[string]int{}
	var err error
	c.keep(func(i int) bool {
		id := c.ID(i)
		other, repeated := first[id]
		if !repeated {
			first[id] = i
			return true
		}
		a, _ := c.find(other)
		b, _ := c.find(i)
		if err == nil && !a.equal(b) {
			err = errTwice(id, a, b)
		}
		return false
	})
	return err
}

// sharesNames reports whether two scenarios have one name.
func (c *Cases) sharesNames() bool {
	names := map[string]bool{}
	for _, sp := range c.spaces {
		if names[sp.Scenario] {
			return true
		}
		names[sp.Scenario] = true
	}
	return false
}

// equal reports whether two scenarios have the same cases.
func (sp *Space) equal(other *Space) bool {
	a, _ := json.Marshal(sp)
	b, _ := json.Marshal(other)
	return string(a) == string(b)
}
