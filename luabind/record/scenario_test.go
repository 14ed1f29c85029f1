package record_test

import (
	"testing"

	"roclua/luabind/record"
)

// TestUnsuited checks which platforms and profiles a scenario is for.
func TestUnsuited(t *testing.T) {
	for _, test := range []struct {
		s    record.Scenario
		want string
	}{
		{record.Scenario{}, ""},
		{record.Scenario{Platforms: []string{"amd", "cpu"}, Profiles: []string{"rocm-6", "rocm-7"}}, ""},
		{record.Scenario{Platforms: []string{"amd", "nvidia"}}, "for the platforms amd, nvidia"},
		{record.Scenario{Profiles: []string{"rocm-6", "cuda"}}, "about profiles rocm-6..., cuda..."},
	} {
		if have := test.s.Unsuited("cpu", "rocm-7.2"); have != test.want {
			t.Errorf("%+v: %q, want %q", test.s, have, test.want)
		}
	}
}
