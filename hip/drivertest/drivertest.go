// Package drivertest is what every platform of hip must do, as tests: the interfaces own them, and a platform's own
// test calls Run. An ability that a platform does not have is skipped by name. What only a simulated device survives,
// wrong addresses in kernels above all, is asked of platforms that report hazards.
package drivertest

import (
	"errors"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
)

// Run checks a registered platform. It is skipped when the machine has no device of it, which Open must say with
// driver.ErrorNoDevice.
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
		{"async allocator", poolCases}, {"kernels", kernelCases}, {"faults", faultCases}, {"order", orderCases}, {"books", recordCases},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) { c.run(open(t, platform, cfg)) })
			}
		})
	}
}

// testcase is one demand; its name is the sentence that fails.
type testcase struct {
	name string
	run  func(*fixture)
}

// fixture is a fresh runtime and what the cases do with it again and again.
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
		f.Errorf("answered %v, want %v (%v)", have, want, err)
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

// read returns device memory as the synchronous copy sees it.
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
	if !f.dev.ReportsHazards() {
		f.Skip("the platform does not watch uses of memory")
	}
}

// needKernels skips the case on a platform that does not compute routines.
func (f *fixture) needKernels() {
	f.Helper()
	if !f.dev.CanExecute() {
		f.Skip("the platform does not compute routines")
	}
}
