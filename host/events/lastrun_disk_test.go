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

// fullDisk is a system that cannot replace files.
type fullDisk struct{ atomicfile.System }

func (fullDisk) Rename(string, string) error { return errors.New("no space") }

// TestLastRunIsKept remembers the cases of two runs; the second one has no space to do so.
func TestLastRunIsKept(t *testing.T) {
	rememberIDs := func(f LastRun, ids ...string) {
		var results []*result.Result
		for _, id := range ids {
			results = append(results, &result.Result{Case: &result.Case{ID: id},
				Record: &record.Record{Problems: []string{"a leak"}}})
		}
		remember(f, results)
	}
	cache := t.TempDir()
	last := OpenLastRun(atomicfile.OS, cache)
	rememberIDs(last, "one@cpu", "two@cpu")
	rememberIDs(OpenLastRun(fullDisk{atomicfile.OS}, cache), "three@cpu")
	if m, _ := last.read(); !slices.Equal(m.Failed, []string{"one@cpu", "two@cpu"}) {
		t.Errorf("%q", m.Failed)
	}
}

// TestEqualRunsAreNotWritten does not write the file when it would not change.
func TestEqualRunsAreNotWritten(t *testing.T) {
	last := OpenLastRun(atomicfile.OS, t.TempDir())
	passed := []*result.Result{{Case: &result.Case{ID: "one@cpu"}, Record: &record.Record{}}}
	remember(last, passed)
	first, err := os.Stat(last.file)
	if err != nil {
		t.Fatal("a run without failures is not remembered: ", err)
	}
	remember(last, passed)
	if second, err := os.Stat(last.file); err != nil || !os.SameFile(first, second) {
		t.Errorf("the file was written again: %v", err)
	}
}
