package footprint

import (
	"strings"
	"testing"

	"roclua/workspace"
)

// TestCaveats has calls whose bytes depend on the upper bound for triangular solves, and calls whose bytes do not.
func TestCaveats(t *testing.T) {
	for _, test := range []struct {
		profile, call string
		want          bool
	}{
		{"rocm-6.4", "dgetrs n=64 nrhs=1", false}, {"rocm-7.1", "dgetrs n=64 nrhs=1", true},
		{"rocm-7.2", "dgetrs n=64 nrhs=1", true}, {"rocm-7.2", "dgetri n=1023", true},
		{"rocm-7.2", "dgeqrf m=1000 n=1000", true}, {"rocm-7.2", "dgeqr2 m=1000 n=1000", false},
		{"rocm-7.2", "dtrsm side=left uplo=upper m=4096 n=64", false},
	} {
		p, err := workspace.FindProfile(test.profile)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(test.call)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSequence([]*Call{c, c}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.On(Target{Profile: p, Arch: "gfx90a"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(test.call, " ")
		text := name + ": AMD's own packages may need other bytes"
		have := len(f.Caveats) == 1 && strings.HasPrefix(f.Caveats[0], text)
		if have != test.want || len(f.Caveats) > 1 {
			t.Errorf("%s on %s: caveats %q", test.call, test.profile, f.Caveats)
		}
	}
}
