package workspace_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/tests/conformance"
	"roclua/workspace"
)

// failing is a runtime and its device, whose methods fail when a test gives them an error. Its libraries report the
// memory that calls need, as the libraries of the platform nvidia do.
type failing struct {
	driver.Runtime
	driver.Device

	errs     map[string]error // by method
	needs    driver.Needs
	launches []driver.Launch
}

type failingPlatform struct {
	driver.Unsupported
	current *failing
}

var failures = &failingPlatform{}

func init() { hip.Register("failing", failures) }

func (p *failingPlatform) Open(c driver.Config) (driver.Runtime, error) {
	c.Unchecked, c.Kernels = true, driver.KernelsIdle
	rt, err := cpu.Driver{}.Open(c)
	if err != nil {
		return nil, err
	}
	dev := rt.Devices()[0]
	p.current = &failing{Runtime: rt, Device: dev, errs: map[string]error{}}
	return p.current, nil
}

func (f *failing) Devices() []driver.Device { return []driver.Device{f} }

func (f *failing) NullStream() driver.Stream { return failingStream{f.Device.NullStream(), f} }

func (f *failing) Malloc(bytes uint64) (driver.Ptr, error) {
	if err := f.errs["Malloc"]; err != nil {
		return 0, err
	}
	return f.Device.Malloc(bytes)
}

func (f *failing) Free(p driver.Ptr) error {
	if err := f.errs["Free"]; err != nil {
		return err
	}
	return f.Device.Free(p)
}

func (f *failing) SearchNumbers(driver.Stream, *routine.Args, *routine.Param, driver.Ptr) error {
	return driver.ErrorNotSupported
}

func (f *failing) FreeAsync(s driver.Stream, p driver.Ptr) error {
	if err := f.errs["FreeAsync"]; err != nil {
		return err
	}
	return f.Device.FreeAsync(inner(s), p)
}

func (f *failing) MallocAsync(s driver.Stream, bytes uint64) (driver.Ptr, error) {
	return f.Device.MallocAsync(inner(s), bytes)
}

func (f *failing) Write(s driver.Stream, dst driver.Ptr, src []byte, r driver.Rows) error {
	return f.Device.Write(inner(s), dst, src, r)
}

func (f *failing) Read(s driver.Stream, dst []byte, src driver.Ptr, r driver.Rows) error {
	return f.Device.Read(inner(s), dst, src, r)
}

func (f *failing) Copy(s driver.Stream, dst, src driver.Ptr, r driver.Rows) error {
	return f.Device.Copy(inner(s), dst, src, r)
}

func (f *failing) Fill(driver.Stream, driver.Ptr, byte, uint64) error { return f.errs["Fill"] }

func (f *failing) Execute(_ driver.Stream, l *driver.Launch) error {
	f.launches = append(f.launches, *l)
	return f.errs["Execute"]
}

func (f *failing) Needs(*routine.Args) (driver.Needs, error) { return f.needs, f.errs["Needs"] }

type failingStream struct {
	driver.Stream
	f *failing
}

// inner returns the stream of the device itself.
func inner(s driver.Stream) driver.Stream {
	if wrapped, ok := s.(failingStream); ok {
		return wrapped.Stream
	}
	return s
}

func (s failingStream) Synchronize() error { return s.f.errs["Synchronize"] }

// openFailing opens a runtime and creates a handle. The device has 1 GiB.
func openFailing(t *testing.T, profileName string, env map[string]string) (*failing, *hip.Runtime, workspace.Handle) {
	t.Helper()
	rt, err := hip.Open("failing", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return failures.current, rt, create(t, rt, profileName, env)
}

// callOf returns a call with the given integers, one valid device address for all arrays, host scalars of 1, and
// host results.
func callOf(t *testing.T, rt *hip.Runtime, cName string, ints map[routine.Slot]int64) *routine.Args {
	t.Helper()
	r, ok := routine.Lookup(cName)
	if !ok {
		t.Fatalf("%s is not in the table", cName)
	}
	p, err := rt.Device().Malloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	a := conformance.WithDefaults(r, ints)
	for i := range r.Params {
		switch q := &r.Params[i]; {
		case q.Kind == routine.Scalar:
			a.SetScalar(q.Slot, 1)
		case q.Kind == routine.Output:
			a.SetInt(q.Slot, routine.Host)
		case q.Kind.IsPointer():
			a.SetPtr(q.Slot, uint64(p))
		}
	}
	return a
}
