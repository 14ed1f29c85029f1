package tests

import (
	"bytes"
	"strings"
	"testing"

	"roclua/host"
)

// TestDeviceScenarios runs the bundled scenarios about devices on two and three devices, and clients of a workload that
// each use a device. With one device most are skipped.
func TestDeviceScenarios(t *testing.T) {
	for _, test := range []struct {
		path, devices, want string
	}{
		{"devices", "2", "5 passed, 0 not passed, 0 skipped"},
		{"devices", "3", "5 passed, 0 not passed, 0 skipped"},
		{"devices", "1", "0 passed, 0 not passed, 5 skipped"},
		{"load/devices.lua", "2", "1 passed, 0 not passed, 0 skipped"},
	} {
		var stdout, stderr bytes.Buffer
		args := []string{"run", "--quiet", "--isolation", "case", "--devices", test.devices, "../scripts/" + test.path}
		host.Main(args, testEnv(&stdout, &stderr))
		if !strings.Contains(stdout.String(), test.want) {
			t.Errorf("%s with %s devices: %s%s, want %s", test.path, test.devices, stdout.String(), stderr.String(),
				test.want)
		}
	}
}
