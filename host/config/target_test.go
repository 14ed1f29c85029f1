package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"roclua/hip/driver"
)

// TestResolve looks up the devices of platforms: one reports its release and one is unavailable.
func TestResolve(t *testing.T) {
	probe := func(platform string, _ driver.Config) driver.Report {
		return map[string]driver.Report{
			"amd":    {Version: "5.2.0", Devices: []driver.Properties{{Arch: "gfx942:sramecc+"}, {Arch: "gfx90a"}}},
			"nvidia": {Devices: []driver.Properties{{Arch: "sm_90"}}},
			"none":   {Problem: "no device", Advice: "add one"},
		}[platform]
	}
	cfg := Config{Targets: []Target{{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90a"},
		{Platform: "amd", Profile: "rocm-6.4", Devices: 2},
		{Platform: "nvidia", Profile: "cuda", Arch: ""},
		{Platform: "nvidia", Profile: "cuda", Arch: "old"}}}
	if err := cfg.resolve(probe); err != nil {
		t.Fatal(err)
	}
	amd := cfg.Targets[1].Profile
	want := []Target{{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90a"},
		{Platform: "amd", Profile: amd, Arch: "gfx942", Devices: 2, DeviceArchs: []string{"gfx942", "gfx90a"}},
		{Platform: "nvidia", Profile: "cuda", Arch: "sm_90"}}
	if diff := cmp.Diff(want, cfg.Targets); diff != "" {
		t.Error(diff)
	}
	if amd == "rocm-6.4" || amd == "" {
		t.Errorf("the profile of a device with a version is %q", amd)
	}
	cfg.Targets = []Target{{Platform: "none", Profile: "cuda", Arch: ""}}
	const wrong = "platform none cannot be used: no device\nto do: add one"
	if err := cfg.resolve(probe); err == nil || err.Error() != wrong {
		t.Errorf("a platform without a device: %v", err)
	}
}

// TestResolveOnThisMachine checks that simulated devices are not looked up.
func TestResolveOnThisMachine(t *testing.T) {
	cfg := New("test")
	before := slices.Clone(cfg.Targets)
	if err := cfg.Resolve(); err != nil || !cmp.Equal(cfg.Targets, before) {
		t.Errorf("%v became %v: %v", before, cfg.Targets, err)
	}
}

// TestTargetsOverridden checks which sources replace the targets of a file.
func TestTargetsOverridden(t *testing.T) {
	for key, want := range map[string]bool{"target.platform": true, "target.profile": true, "target.arch": true,
		"target.device_memory": false, "seed": false} {
		cfg := New("test")
		k := Find(key)
		if err := cfg.override(k, "--flag", strings.Trim(k.Default, `"`)); err != nil {
			t.Fatal(err)
		}
		if cfg.TargetsOverridden() != want {
			t.Errorf("%s replaces the targets: %t", key, !want)
		}
	}
}

// TestPlatformOfTargets moves targets to another platform and expects its default profile.
func TestPlatformOfTargets(t *testing.T) {
	cfg := Config{Targets: []Target{{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90a"},
		{Platform: "nvidia", Profile: "own", Arch: "sm_90"}}}
	if err := cfg.setPlatform("nvidia"); err != nil {
		t.Fatal(err)
	}
	want := []Target{{Platform: "nvidia", Profile: "cuda", Arch: ""},
		{Platform: "nvidia", Profile: "own", Arch: "sm_90"}}
	if diff := cmp.Diff(want, cfg.Targets); diff != "" {
		t.Error(diff)
	}
}

// TestWarnings warns of an unknown architecture of a simulated device.
func TestWarnings(t *testing.T) {
	cfg := Config{Targets: []Target{{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90a:xnack-"},
		{Platform: "amd", Profile: "rocm-6.4", Arch: "gfx999"},
		{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90b"}}}
	list := cfg.Warnings()
	const want = `target 3: arch "gfx90b" is not known, did you mean "gfx90a" or "gfx90c"?`
	if len(list) != 1 || !strings.HasPrefix(list[0], want) {
		t.Errorf("warnings %q", list)
	}
}

// TestFaultAxes varies the keys of faults.
func TestFaultAxes(t *testing.T) {
	for _, name := range FaultAxes() {
		var f Faults
		if f.SetAxis(name, 3); !IsFaultAxis(name) || f.IsZero() {
			t.Errorf("%s is an axis: %t, and sets %+v", name, IsFaultAxis(name), f)
		}
	}
	if IsFaultAxis("faults.calls") || IsFaultAxis("n") {
		t.Error("faults.calls or n is an axis of faults")
	}
}

// TestPlacesOfTargets checks that an error about a target names its position in the file only if flags did not replace
// it.
func TestPlacesOfTargets(t *testing.T) {
	path := write(t, "[[target]]\n[[target]]\narch = \"x\"\n")
	for _, test := range []struct{ flag, value, want string }{
		{"device-memory", "1GiB", path + `:3:1: target 2: arch "x" must be`},
		{"profile", "rocm-6.4,rocm-7.2", `target 2: arch "x" must be`},
		{"arch", "y", `--arch: arch "y" must be`},
	} {
		cfg, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		AddFlags(flags)
		if err := flags.Set(test.flag, test.value); err != nil {
			t.Fatal(err)
		}
		err = cfg.Apply(Overrides{Getenv: func(string) string { return "" }, Flags: flags})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("--%s %s: %v, want %s", test.flag, test.value, err, test.want)
		}
	}
}
