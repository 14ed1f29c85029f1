package events

import (
	"errors"
	"slices"
	"testing"

	"roclua/host/output"
	"roclua/host/result"
	"roclua/luabind"
)

// fullDisk is a system in which no file can be replaced.
type fullDisk struct{ output.System }

func (fullDisk) Rename(string, string) error { return errors.New("no space") }

// TestFailedCasesAreKept remembers the cases of two runs; the second one has no space to do so.
func TestFailedCasesAreKept(t *testing.T) {
	rememberIDs := func(f FailedCases, ids ...string) {
		var results []*result.Result
		for _, id := range ids {
			results = append(results, &result.Result{Case: &result.Case{ID: id},
				Record: &luabind.Record{Problems: []string{"a leak"}}})
		}
		remember(f, results)
	}
	cache := t.TempDir()
	memory := OpenFailedCases(output.OS, cache)
	rememberIDs(memory, "one@cpu", "two@cpu")
	rememberIDs(OpenFailedCases(fullDisk{output.OS}, cache), "three@cpu")
	if list := memory.read(); !slices.Equal(list, []string{"one@cpu", "two@cpu"}) {
		t.Errorf("%q", list)
	}
}
