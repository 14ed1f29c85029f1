package plan

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/record"
	"roclua/workspace/status"
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

// checkCounter returns an error for the name of a counter that nothing counts. A counter that was never counted is 0,
// so that a condition on a misspelled one could hold.
func checkCounter(name string) error {
	if !record.IsCounter(name) {
		return nil
	}
	base, _, _ := record.DeviceOf(name)
	family, of, _ := strings.Cut(base, ".")
	if function, last, ok := strings.Cut(of, "."); ok && family == "status" && strings.HasPrefix(function, "roc") {
		of = last
	}
	known := counted(family)
	if slices.Contains(known, of) {
		return nil
	}
	return fmt.Errorf("there is no counter %s: %s.* has no %q%s", name, family, of, nearest.DidYouMean(of, known))
}

// counted lists the names of the counters of a family, without its name.
func counted(family string) []string {
	var names []string
	switch family {
	case "hip":
		m, _ := api.FindModule("hip")
		for _, f := range m.Functions {
			if f.C != "" {
				names = append(names, driver.ScriptName(f.C))
			}
		}
		return append(names, "total")
	case "syncs":
		return append(slices.Clone(trace.Causes), "total")
	case "status":
		for _, s := range status.All() {
			names = append(names, s.Short())
		}
		return names
	}
	return []string{"injected"}
}
