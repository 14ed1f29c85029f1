package cpu

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/cpu/vector"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestProbe describes the devices of a configuration.
func TestProbe(t *testing.T) {
	r := hip.Probe(platform, driver.Config{Devices: 2})
	if len(r.Devices) != 2 || r.Devices[0].PCIBusID != 1 || r.Devices[1].PCIBusID != 2 || r.Problem != "" ||
		r.Numbers != "Go with "+vector.Name() {
		t.Errorf("%+v", r)
	}
	r = hip.Probe(platform, driver.Config{Devices: 2, Arch: "sm_90"})
	if !strings.Contains(r.Problem, "unknown architecture") || len(r.Devices) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestComputes names the routines without a kernel.
func TestComputes(t *testing.T) {
	for cName, want := range map[string]string{
		"rocblas_dgemm": "", "rocsolver_dgetrf": "", "rocsolver_dgetrf_64": "",
		"rocsolver_dcsrrf_solve": "the simulated device has no kernel for this routine",
	} {
		r, _ := routine.Lookup(cName)
		if by, reason := (Driver{}).Computes(r); by != "" || reason != want {
			t.Errorf("%s: %q, %q, want %q", cName, by, reason, want)
		}
	}
}

// TestMostDevices opens as many devices as there are, each with its own streams and slots of clocks.
func TestMostDevices(t *testing.T) {
	b := open(t, driver.Config{Devices: driver.MaxDevices})
	if n := len(b.rt.Devices()); n != driver.MaxDevices {
		t.Errorf("%d devices, want %d", n, driver.MaxDevices)
	}
	var slots []int
	for _, d := range b.rt.devices {
		slots = append(slots, d.null.Slot())
	}
	slices.Sort(slots)
	if slices.Compact(slots)[0] != 0 || slots[driver.MaxDevices-1] != driver.MaxDevices-1 {
		t.Errorf("slots %v, want the numbers from 0 on", slots)
	}
	if have, err := b.dev.Attribute(driver.AttributeClockRate); err != nil || have != b.dev.Properties().ClockKHz {
		t.Errorf("clock rate %d, %v", have, err)
	}
}

// TestStagedRows counts the memory of queued copies of rows: the rows without their gaps.
func TestStagedRows(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	p := b.malloc(64)
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	rows := driver.Rows{Width: 8, Count: 3, HostPitch: 16, DevicePitch: 24}
	b.ok(b.dev.Write(b.dev.null, p, make([]byte, 40), rows))
	if n := b.rt.StagedBytes(); n != 24 {
		t.Errorf("%d bytes, want 24", n)
	}
	release()
	b.ok(b.dev.Synchronize())
	if n := b.rt.StagedBytes(); n != 0 {
		t.Errorf("%d bytes, want none", n)
	}
}

// TestCopiesToTheHost asks before the next work of a stream whether it is ordered after a copy to host memory.
func TestCopiesToTheHost(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	b.ok(b.dev.Fill(b.dev.null, p, 1, 64))
	b.ok(b.dev.Synchronize())
	blocking, other, idle := b.stream(false), b.stream(true), b.stream(false)
	for _, test := range []struct {
		name         string
		copied, next driver.Stream
		conflict     bool
	}{
		{"the host", other, nil, true},
		{"the same stream", other, other, false},
		{"another stream", other, blocking, true},
		{"the null stream after a blocking one", blocking, b.dev.null, false},
		{"a blocking stream after the null stream", b.dev.null, idle, false},
		{"a blocking stream after another", blocking, idle, true},
		{"the null stream after a non-blocking one", other, b.dev.null, true},
	} {
		b.ok(b.dev.Read(test.copied, make([]byte, 64), p, driver.Row(uint64(len(make([]byte, 64))))))
		c := b.dev.LastCopy(test.copied)
		if have := c.Conflicts(test.next); have != test.conflict {
			t.Errorf("%s: a conflict is %v, want %v", test.name, have, test.conflict)
		}
		b.ok(b.dev.Synchronize())
		if c.Conflicts(nil) {
			t.Errorf("%s: a conflict after the host has waited", test.name)
		}
	}
}
