package plan

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// maxCases bounds the cases of a plan, with all its shards.
const maxCases = 1_000_000

// maxSelected bounds the cases of one run.
const maxSelected = 200_000

// tooManySelected is the error for too many cases in one run.
func tooManySelected(n int, shard Shard) error {
	if !shard.IsWhole() {
		return fmt.Errorf("%s has %d cases, a run can have at most %d: divide the plan into more shards", shard, n,
			maxSelected)
	}
	return fmt.Errorf("%d cases are selected, a run can have at most %d: select some with --filter "+
		"or by name, choose fewer values, as in --axis n=64:8192:x2, or divide them with --shard", n, maxSelected)
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
