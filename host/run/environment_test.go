package run

import (
	"reflect"
	"testing"

	"roclua/host/config"
	"roclua/luabind/record"
)

// TestProfiles names the builds of the modelled releases of simulated targets, each once.
func TestProfiles(t *testing.T) {
	have := Profiles([]config.Target{{Platform: "cpu", Profile: "rocm-6.4"}, {Platform: "cpu", Profile: "rocm-7.1"},
		{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx942"}, {Platform: "nvidia", Profile: "cuda"},
		{Platform: "amd", Profile: "rocm-7.2"}})
	want := []record.Profile{{Name: "rocm-6.4", Distribution: "Debian sid",
		Packages: []string{"librocblas4 6.4.4-4", "librocsolver0 6.4.3-2+b1"}},
		{Name: "rocm-7.1", Distribution: "Ubuntu"}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
}
