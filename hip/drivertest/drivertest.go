// Package drivertest has the tests that every platform of hip must pass. A test of the platform's package calls Run:
//
//	func TestDriver(t *testing.T) { drivertest.Run(t, "cpu", driver.Config{}) }
//
// A feature that a platform does not have is skipped with its name. Tests that only a simulated device survives, such
// as wrong addresses in kernels, run on platforms that report hazards.
package drivertest

import (
	"errors"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
)

// Run tests a registered platform. It skips the test when the machine has no device of the platform: Open must then
// return driver.ErrorNoDevice.
func Run(t *testing.T, platform string, cfg driver.Config) {
	t.Helper()
	rt, err := hip.Open(platform, cfg)
	if errors.Is(err, driver.ErrorNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	groups := []struct {
		name  string
		cases []testcase
	}{
		{"device", deviceCases}, {"memory", memoryCases}, {"streams", streamCases}, {"events", eventCases},
		{"async allocator", poolCases}, {"kernels", kernelCases}, {"faults", faultCases}, {"order", orderCases},
		{"records", recordCases}, {"several devices", severalCases},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) { c.run(open(t, platform, cfg)) })
			}
		})
	}
}

// testcase is one requirement. Its name is the requirement as a sentence.
type testcase struct {
	name string
	run  func(*fixture)
}

// fixture is a new runtime with helpers for the cases.
type fixture struct {
	*testing.T
	rt  *hip.Runtime
	dev *hip.Device
}

func open(t *testing.T, platform string, cfg driver.Config) *fixture {
	rt, err := hip.Open(platform, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &fixture{T: t, rt: rt, dev: rt.Device()}
}

// ok fails the case on an error.
func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// code fails the case unless the error has the HIP code.
func (f *fixture) code(err error, want driver.Error) {
	f.Helper()
	if have := driver.CodeOf(err); have != want {
		f.Errorf("have %v, want %v (%v)", have, want, err)
	}
}

func (f *fixture) malloc(bytes uint64) driver.Ptr {
	f.Helper()
	p, err := f.dev.Malloc(bytes)
	f.ok(err)
	return p
}

func (f *fixture) stream(nonBlocking bool) *hip.Stream {
	f.Helper()
	s, err := f.dev.NewStream(nonBlocking)
	f.ok(err)
	return s
}

func (f *fixture) event() *hip.Event {
	f.Helper()
	e, err := f.dev.NewEvent()
	f.ok(err)
	return e
}

// read returns device memory by a synchronous copy.
func (f *fixture) read(p driver.Ptr, n int) []byte {
	f.Helper()
	data := make([]byte, n)
	f.ok(f.dev.Read(data, p))
	return data
}

// filled fails the case unless n bytes have one value.
func (f *fixture) filled(p driver.Ptr, n int, want byte) {
	f.Helper()
	for i, have := range f.read(p, n) {
		if have != want {
			f.Fatalf("byte %d is %d, want %d", i, have, want)
		}
	}
}

// needPool skips the case on a device without a memory pool.
func (f *fixture) needPool() {
	f.Helper()
	if !f.dev.Properties().MemoryPoolSupported {
		f.Skip("the device has no memory pool")
	}
}

// needWatch skips the case on a platform that does not watch uses of memory.
func (f *fixture) needWatch() {
	f.Helper()
	if !f.dev.Capabilities().Hazards {
		f.Skip("the platform does not watch uses of memory")
	}
}

// needKernels skips the case on a platform that does not compute routines.
func (f *fixture) needKernels() {
	f.Helper()
	if !f.dev.Capabilities().Executes {
		f.Skip("the platform does not compute routines")
	}
}
