package host

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagGroups checks that the help of run has each flag once.
func TestFlagGroups(t *testing.T) {
	cmd := newRun(Env{})
	cmd.InitDefaultHelpFlag()
	count := map[string]int{}
	for _, g := range flagGroups {
		for _, name := range slices.Concat(g.daily, g.rare) {
			count[name]++
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
