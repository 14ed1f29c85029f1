package argcheck

import (
	"strings"
	"testing"

	"roclua/hip/routine"
)

// TestTableIsComplete checks that a family without a list of checks, or with two, panics.
func TestTableIsComplete(t *testing.T) {
	for want, groups := range map[string][]map[routine.FamilyID]builder{
		"asum has no argument checks":            {rotations(), level2(), updates(), level3(), lu(), qr()},
		"getrf has two lists of argument checks": {level1(), lu(), {routine.Getrf: gemv}},
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, want) {
					t.Errorf("panic %q, want %q", text, want)
				}
			}()
			table(groups...)
		}()
	}
}
