package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"roclua/hip/driver"
)

// TestDevices reads the keys that choose devices.
func TestDevices(t *testing.T) {
	for _, test := range []struct {
		text, id string
		want     driver.Config
	}{
		{"", "cpu/rocm-7.2/gfx90a", driver.Config{Devices: 1, Arch: "gfx90a"}},
		{"devices = 1", "cpu/rocm-7.2/gfx90a", driver.Config{Devices: 1, Arch: "gfx90a"}},
		{"devices = 2", "cpu/rocm-7.2/gfx90a*2", driver.Config{Devices: 2, Arch: "gfx90a"}},
		{"devices = 16\narch = 'gfx942'", "cpu/rocm-7.2/gfx942*16", driver.Config{Devices: 16, Arch: "gfx942"}},
		{"device_archs = ['gfx942']", "cpu/rocm-7.2/gfx942",
			driver.Config{Devices: 1, Arch: "gfx942", Archs: []string{"gfx942"}}},
		{"device_archs = ['gfx90a', 'gfx942', 'gfx942']", "cpu/rocm-7.2/gfx90a,gfx942*2",
			driver.Config{Devices: 3, Arch: "gfx90a", Archs: []string{"gfx90a", "gfx942", "gfx942"}}},
		{"platform = 'nvidia'\ndevice_ids = [3, 1]", "nvidia/cuda/*2", driver.Config{Devices: 2, IDs: []int{3, 1}}},
	} {
		cfg, err := Load(write(t, "[[target]]\n"+test.text))
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		test.want.MemoryBytes = 64 << 30
		if diff := cmp.Diff(test.want, cfg.Targets[0].DriverConfig()); diff != "" || cfg.Targets[0].ID() != test.id {
			t.Errorf("%s: %s, want %s; %s", test.text, cfg.Targets[0].ID(), test.id, diff)
		}
	}
}

// TestWrongDevices checks the messages about keys that choose devices.
func TestWrongDevices(t *testing.T) {
	many := strings.Repeat("'gfx90a', ", driver.MaxDevices+1)
	for text, want := range map[string]string{
		"devices = 0":    ":2:1: target.devices: 0, must be 1 to 16",
		"devices = 17":   ":2:1: target.devices: 17, must be 1 to 16",
		"devices = -1":   ":2:1: target.devices: -1, must be 1 to 16",
		"devices = '2'":  `:2:1: target.devices: "2" is not an integer`,
		"devices = [0]":  ":2:1: target.devices: a list is not an integer",
		"device_ids = 1": ":2:1: target.device_ids: 1 is not a list of integers",
		"device_ids = [0, 1]": ":2:1: target 1: device_ids chooses devices of the machine, and the devices of " +
			"platform cpu are simulated: write devices = 2",
		"platform = 'amd'\ndevice_ids = []":                    ":3:1: target 1: device_ids: the list is empty",
		"platform = 'amd'\ndevice_ids = [-1]":                  ":3:1: target 1: device_ids: -1, devices are",
		"platform = 'amd'\ndevice_ids = [1, 1]":                ":3:1: target 1: device_ids: device 1 is named twice",
		"devices = 2\ndevice_archs = ['gfx90a']":               ":2:1: target 1: devices and device_archs are both set",
		"platform = 'amd'\ndevice_ids = [1]\ndevices = 2":      ":4:1: target 1: devices and device_ids are both set",
		"device_ids = [1]\ndevice_archs = ['gfx90a']":          ":2:1: target 1: device_ids and device_archs are both",
		"platform = 'amd'\ndevice_archs = ['gfx90a']":          ":3:1: target 1: device_archs makes simulated devices",
		"device_archs = ['sm_90']":                             `:2:1: target 1: device_archs: arch "sm_90" must be`,
		"device_archs = []":                                    ":2:1: target 1: device_archs: the list is empty",
		"arch = 'gfx942'\ndevice_archs = ['gfx90a', 'gfx942']": ":3:1: target 1: arch is gfx942",
		"device_archs = [" + many + "]":                        "17 devices, at most 16 are possible",
		"device = 2":                                           `:2:1: unknown key "target.device", did you mean`,
	} {
		cfg, err := Load(write(t, "[[target]]\n"+text))
		if err == nil {
			err = cfg.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDevicesFlag sets the number of devices of all targets on the command line.
func TestDevicesFlag(t *testing.T) {
	for _, test := range []struct{ text, value, want string }{
		{"", "2", "cpu/rocm-7.2/gfx90a*2"},
		{"devices = 4", "1", "cpu/rocm-7.2/gfx90a"},
		{"", "0", "--devices: 0, must be 1 to 16"},
		{"", "many", `--devices: "many" is not an integer, want 1 to 16`},
		{"device_archs = ['gfx90a', 'gfx942']", "2", "--devices: devices and device_archs are both set"},
	} {
		cfg, err := Load(write(t, "[[target]]\n"+test.text))
		if err != nil {
			t.Fatal(err)
		}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		AddFlags(flags)
		if err := flags.Set("devices", test.value); err != nil {
			t.Fatal(err)
		}
		err = cfg.Apply(Overrides{Getenv: func(string) string { return "" }, Flags: flags})
		have := cfg.Targets[0].ID()
		if err != nil {
			have = err.Error()
		}
		if !strings.HasPrefix(have, test.want) {
			t.Errorf("%s with --devices %s: %s, want %s", test.text, test.value, have, test.want)
		}
	}
}
