package plan

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/record"
	"roclua/workspace/status"
)

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
