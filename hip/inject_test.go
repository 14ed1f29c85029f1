package hip_test

import (
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// TestAllocationsAreMadeToFail makes the second allocation fail: only it fails and is recorded as injected, and the
// same call succeeds afterwards.
func TestAllocationsAreMadeToFail(t *testing.T) {
	rt, b := open(t)
	d := rt.Device()
	asked := 0
	rt.SetFaults(func(c *trace.Call) string {
		asked++
		if asked == 2 {
			return "the second"
		}
		return ""
	})
	first, err := d.Malloc(64)
	wantCode(t, err, driver.Success)
	_, err = d.Malloc(0)
	wantCode(t, err, driver.Success)
	p, err := d.Malloc(96)
	wantCode(t, err, driver.ErrorOutOfMemory)
	want := "hipMalloc of 96 bytes failed by fault injection: allocation 2 of the case (the second)"
	if p != 0 || !strings.Contains(err.Error(), want) {
		t.Errorf("%#x, %v, want %q", p, err, want)
	}
	if _, err = d.Malloc(96); err != nil {
		t.Error(err)
	}
	b.err = driver.ErrorLaunchFailure
	asked = 1 // the error of an earlier kernel comes before the injected one, because the call waits for the kernel
	_, err = d.Malloc(96)
	wantCode(t, err, driver.ErrorLaunchFailure)
	b.err = nil
	if err := d.Free(first); err != nil {
		t.Error(err)
	}
	if s := rt.Stats(); s.Allocations != 4 || s.Injected != 1 || s.LiveBytes != 96 || s.Calls["hipMalloc"] != 5 {
		t.Errorf("stats %+v", s)
	}
	var injected []string
	for _, c := range rt.Trace() {
		if c.Injected != "" {
			injected = append(injected, c.Injected)
			if c.Result != driver.ErrorOutOfMemory || !c.Synchronizing || c.Bytes != 96 {
				t.Errorf("the trace has %+v", c)
			}
		}
	}
	reason := "allocation 2 of the case (the second)"
	if len(injected) != 1 || len(rt.Recorder().Faults()) != 1 || rt.Recorder().Faults()[0].Injected != reason {
		t.Errorf("injected %q, faults %+v", injected, rt.Recorder().Faults())
	}
}

// TestManyFaultsAreCounted checks that all faults are counted and the first ones kept.
func TestManyFaultsAreCounted(t *testing.T) {
	rt, _ := open(t)
	rt.SetFaults(func(*trace.Call) string { return "all" })
	for range 1000 {
		_, err := rt.Device().Malloc(1)
		wantCode(t, err, driver.ErrorOutOfMemory)
	}
	kept := len(rt.Recorder().Faults())
	if s := rt.Stats(); s.Allocations != 1000 || s.Injected != 1000 || s.LiveBytes != 0 || kept == 0 || kept > 100 {
		t.Errorf("stats %+v, %d kept", s, len(rt.Recorder().Faults()))
	}
}
