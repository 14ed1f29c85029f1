package host

import (
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagGroups checks that the help of run has each flag once.
func TestFlagGroups(t *testing.T) {
	cmd := newRun(Env{})
	cmd.InitDefaultHelpFlag()
	count := map[string]int{}
	for _, groups := range [][]flagGroup{flagGroups, rareFlagGroups} {
		for _, g := range groups {
			for _, name := range g.names {
				count[name]++
			}
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if count[f.Name] != 1 {
			t.Errorf("--%s is in %d groups", f.Name, count[f.Name])
		}
		delete(count, f.Name)
	})
	for name := range count {
		t.Errorf("--%s is in a group, but not a flag", name)
	}
}
