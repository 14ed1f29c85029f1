package hip_test

import (
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
)

// TestAllocationsAreMadeToFail refuses the second allocation: it fails alone, with everything that tells of it, and the same
// call succeeds afterwards.
func TestAllocationsAreMadeToFail(t *testing.T) {
	rt, b := open(t)
	d := rt.Device()
	asked := 0
	rt.SetFaults(func(c *hip.Call) string {
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
	if want := "hipMalloc of 96 bytes was made to fail: allocation 2 of the case (the second)"; p != 0 || !strings.Contains(err.Error(), want) {
		t.Errorf("%#x, %v, want %q", p, err, want)
	}
	if _, err = d.Malloc(96); err != nil {
		t.Error(err)
	}
	b.answer = driver.ErrorLaunchFailure
	asked = 1 // the error of an earlier kernel comes before the refusal of the call that waits for it
	_, err = d.Malloc(96)
	wantCode(t, err, driver.ErrorLaunchFailure)
	b.answer = nil
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
	if len(injected) != 1 || len(rt.Faults()) != 1 || rt.Faults()[0].Injected != "allocation 2 of the case (the second)" {
		t.Errorf("injected %q, faults %+v", injected, rt.Faults())
	}
}

// TestManyFaultsAreCounted keeps the first of them only.
func TestManyFaultsAreCounted(t *testing.T) {
	rt, _ := open(t)
	rt.SetFaults(func(*hip.Call) string { return "all" })
	for range 1000 {
		_, err := rt.Device().Malloc(1)
		wantCode(t, err, driver.ErrorOutOfMemory)
	}
	if s := rt.Stats(); s.Allocations != 1000 || s.Injected != 1000 || s.LiveBytes != 0 || len(rt.Faults()) == 0 || len(rt.Faults()) > 100 {
		t.Errorf("stats %+v, %d kept", s, len(rt.Faults()))
	}
}
