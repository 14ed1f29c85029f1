package cpu

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestProbe describes the devices of a configuration and whether OpenBLAS computes.
func TestProbe(t *testing.T) {
	library, missing := blas.Open("openblas")
	installed := driver.Part{Name: "OpenBLAS"}
	advice, problem, required := "", "", ""
	if missing == nil {
		installed.Path, installed.Version = library.Path, library.Version
	} else {
		installed.Missing, problem = "Go computes instead; "+missing.Error(), missing.Error()
		required = `install OpenBLAS, or set blas = "auto"`
		advice = "install OpenBLAS (libopenblas0-pthread on Debian) for faster products of large matrices"
	}
	auto := installed
	if missing == nil && library.IsSlow() {
		auto = driver.Part{Name: "OpenBLAS", Missing: "Go computes instead; " + library.Version +
			" has chosen its kernels for " + library.Core + ", which are slower than those in Go"}
		advice = "set OPENBLAS_CORETYPE to the nearest processor that this OpenBLAS knows, for example Haswell, or " +
			"install a newer one"
	}
	for _, test := range []struct {
		name, choice, arch string
		part               driver.Part
		problem, advice    string
	}{
		{"the default", "", "", auto, "", advice},
		{"with OpenBLAS only", "openblas", "", installed, problem, required},
		{"without OpenBLAS", "go", "", driver.Part{Name: "OpenBLAS", Missing: "not used: Go computes"}, "", ""},
		{"with an unknown library", "mkl", "", auto, `blas "mkl", want auto, openblas or go`, ""},
		{"of an unknown architecture", "go", "sm_90", driver.Part{Name: "OpenBLAS", Missing: "not used: Go computes"},
			"unknown architecture", ""},
		{"with OpenBLAS only, of an unknown architecture", "openblas", "sm_90", installed, "unknown architecture",
			required},
	} {
		r := Driver{}.Probe(driver.Config{Devices: 2, BLAS: test.choice, Arch: test.arch})
		if !slices.Equal(r.Parts, []driver.Part{test.part}) {
			t.Errorf("%s: parts %+v, want %+v", test.name, r.Parts, test.part)
		}
		if test.problem == "" {
			if len(r.Devices) != 2 || r.Devices[0].PCIBusID != 1 || r.Devices[1].PCIBusID != 2 || r.Problem != "" {
				t.Errorf("%s: %+v", test.name, r)
			}
			if r.Advice != test.advice {
				t.Errorf("%s: advice %q, want %q", test.name, r.Advice, test.advice)
			}
		} else if !strings.Contains(r.Problem, test.problem) || len(r.Devices) != 0 || r.Advice != test.advice {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

// TestComputes names the routines without a kernel.
func TestComputes(t *testing.T) {
	for cName, want := range map[string]string{
		"rocblas_dgemm": "", "rocsolver_dgetrf": "",
		"rocsolver_dgetrf_64": "the simulated device has no kernel for this routine",
	} {
		r, _ := routine.Lookup(cName)
		if by, reason := (Driver{}).Computes(r); by != "" || reason != want {
			t.Errorf("%s: %q, %q, want %q", cName, by, reason, want)
		}
	}
}

// TestMostDevices opens as many devices as there are, each with its own streams and slots of clocks.
func TestMostDevices(t *testing.T) {
	b := open(t, driver.Config{Devices: driver.MaxDevices, BLAS: "go"})
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

// TestStagedRows counts what queued copies of rows hold: the rows without their gaps.
func TestStagedRows(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	p := b.malloc(64)
	b.ok(b.dev.Execute(b.dev.null, b.asum(p, 8)))
	rows := driver.Rows{Width: 8, Count: 3, HostPitch: 16, DevicePitch: 24}
	b.ok(b.dev.WriteRows(b.dev.null, p, make([]byte, 40), rows))
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
		b.ok(b.dev.Read(test.copied, make([]byte, 64), p))
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
