package plan

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// maxCases bounds the cases of a plan, which finds each when it is needed.
const maxCases = 1 << 24

// maxSelected bounds the cases of one run.
const maxSelected = 1_000_000

// CheckCount returns an error if the cases are too many for one run.
func (c *Cases) CheckCount() error {
	if n := c.Len(); n > maxSelected {
		return fmt.Errorf("%d cases are selected, a run can have at most %d: select some with --filter "+
			"or by name, choose fewer values, as in --axis n=64:8192:x2, or divide them with --shard", n, maxSelected)
	}
	return nil
}

// All returns all cases. It returns an error if they are too many for one run.
func (c *Cases) All() (List, error) {
	if err := c.CheckCount(); err != nil {
		return nil, err
	}
	list := make(List, c.Len())
	for i := range list {
		list[i] = c.Case(i)
	}
	return list, nil
}

// Some returns the cases at some positions. It returns an error if they are too many for one run.
func (c *Cases) Some(positions []int) (*Cases, error) {
	if n := len(positions); n > maxSelected {
		return nil, fmt.Errorf("the shard has %d cases, a run can have at most %d: divide the plan into more shards", n,
			maxSelected)
	}
	return c.at(positions), nil
}

// Without returns the cases except for those that are left out, and the positions that they have here.
func (c *Cases) Without(leftOut func(i int) bool) (rest *Cases, positions []int) {
	for i := range c.Len() {
		if !leftOut(i) {
			positions = append(positions, i)
		}
	}
	return c.at(positions), positions
}

// at returns the cases at some positions.
func (c *Cases) at(positions []int) *Cases {
	some := &Cases{spaces: c.spaces, starts: c.starts, order: make([]uint32, len(positions))}
	for i, position := range positions {
		some.order[i] = uint32(c.position(position))
	}
	return some
}

// tooMany is the error for a space that makes a plan larger than maxCases. It says what multiplies.
func (sp *Space) tooMany() error {
	var texts []string
	count := uint64(1)
	multiply := func(n int, text string) {
		if n != 1 {
			texts = append(texts, text)
		}
		high, low := bits.Mul64(count, uint64(n))
		if count = low; high > 0 {
			count = math.MaxUint64
		}
	}
	multiply(len(sp.Targets), fmt.Sprintf("%d targets", len(sp.Targets)))
	multiply(len(sp.Schemes), fmt.Sprintf("%d schemes", len(sp.Schemes)))
	multiply(len(sp.Steps), fmt.Sprintf("zip(%d)", len(sp.Steps)))
	for _, a := range sp.Axes {
		multiply(len(a.Values), fmt.Sprintf("%s(%d)", a.Name, len(a.Values)))
	}
	multiply(sp.Repeat, fmt.Sprintf("repeat(%d)", sp.Repeat))
	number := strconv.FormatUint(count, 10)
	if count == math.MaxUint64 {
		number = "more than " + number
	}
	return fmt.Errorf("scenario %s: %s = %s cases; a plan can have at most %d with all its scenarios: "+
		"choose fewer values, as in --axis n=64:8192:x2, or fewer repetitions", sp.Scenario,
		strings.Join(texts, " x "), number, maxCases)
}
