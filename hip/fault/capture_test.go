package fault_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/fault"
)

// TestCaptures makes the first allocation fail, while a stream is captured. A call that HIP does not permit is not
// an allocation and has its own error; a captured hipMallocAsync is a node of the graph, and succeeds.
func TestCaptures(t *testing.T) {
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	d := rt.Device()
	s, err := d.NewStream(true)
	if err != nil {
		t.Fatal(err)
	}
	other, err := d.NewStream(true)
	if err != nil {
		t.Fatal(err)
	}
	malloc := func() error { _, err := d.Malloc(64); return err }
	captured := func() error { _, err := d.MallocAsync(64, s); return err }
	ordered := func() error { _, err := d.MallocAsync(64, other); return err }
	for _, test := range []struct {
		name        string
		mode        driver.CaptureMode
		allocate    func() error
		want        driver.Error
		allocations int // counted allocations
		state       driver.CaptureStatus
	}{
		{"forbidden", driver.CaptureGlobal, malloc, driver.ErrorCaptureUnsupported, 0, driver.CaptureInvalidated},
		{"permitted", driver.CaptureRelaxed, malloc, driver.ErrorOutOfMemory, 1, driver.CaptureActive},
		{"captured", driver.CaptureGlobal, captured, driver.Success, 0, driver.CaptureActive},
		{"of another stream", driver.CaptureGlobal, ordered, driver.ErrorOutOfMemory, 1, driver.CaptureActive},
	} {
		before := rt.Stats()
		_, err := d.ExchangeCaptureMode(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.BeginCapture(test.mode); err != nil {
			t.Fatal(err)
		}
		rt.SetFaults(fault.Plan{Nth: []int{1}}.Begin())
		if err := test.allocate(); driver.CodeOf(err) != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		if state, err := s.IsCapturing(); state != test.state {
			t.Errorf("%s: the state of the capture is %d (%v), want %d", test.name, state, err, test.state)
		}
		if n := rt.Stats().Allocations - before.Allocations; n != test.allocations {
			t.Errorf("%s: %d allocations, want %d", test.name, n, test.allocations)
		}
		if g, err := s.EndCapture(); err == nil {
			g.Destroy()
		}
		if err := d.Synchronize(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if free, total, err := d.MemInfo(); err != nil || free != total {
			t.Errorf("%s: %d of %d bytes are free, %v; want all", test.name, free, total, err)
		}
	}
}
