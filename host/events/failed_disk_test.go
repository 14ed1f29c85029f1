package events

import (
	"errors"
	"os"
	"slices"
	"testing"

	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/luabind/record"
)

// fullDisk is a system in which no file can be replaced.
type fullDisk struct{ atomicfile.System }

func (fullDisk) Rename(string, string) error { return errors.New("no space") }

// TestFailedCasesAreKept remembers the cases of two runs; the second one has no space to do so.
func TestFailedCasesAreKept(t *testing.T) {
	rememberIDs := func(f FailedCases, ids ...string) {
		var results []*result.Result
		for _, id := range ids {
			results = append(results, &result.Result{Case: &result.Case{ID: id},
				Record: &record.Record{Problems: []string{"a leak"}}})
		}
		remember(f, results)
	}
	cache := t.TempDir()
	memory := OpenFailedCases(atomicfile.OS, cache)
	rememberIDs(memory, "one@cpu", "two@cpu")
	rememberIDs(OpenFailedCases(fullDisk{atomicfile.OS}, cache), "three@cpu")
	if list, _ := memory.read(); !slices.Equal(list, []string{"one@cpu", "two@cpu"}) {
		t.Errorf("%q", list)
	}
}

// TestFailedCasesThatAreTheSame does not write the file when it would not change.
func TestFailedCasesThatAreTheSame(t *testing.T) {
	memory := OpenFailedCases(atomicfile.OS, t.TempDir())
	passed := []*result.Result{{Case: &result.Case{ID: "one@cpu"}, Record: &record.Record{}}}
	remember(memory, passed)
	first, err := os.Stat(memory.file)
	if err != nil {
		t.Fatal("a run without failures is not remembered: ", err)
	}
	remember(memory, passed)
	if second, err := os.Stat(memory.file); err != nil || !os.SameFile(first, second) {
		t.Errorf("the file was written again: %v", err)
	}
}
