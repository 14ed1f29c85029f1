package hip_test

import (
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// capturing is a platform that captures streams and says nothing about its errors, like a vendor's runtime.
type capturing struct {
	bare
	nodes []driver.Node
	code  driver.Error // of the next call

	freed   int   // calls of Free
	freeErr error // which they return
}

func (c *capturing) Open(driver.Config) (driver.Runtime, error) { return c, nil }
func (c *capturing) Devices() []driver.Device                   { return []driver.Device{c} }

func (c *capturing) Free(driver.Ptr) error {
	c.freed++
	return c.freeErr
}

// next returns the error of the next call, with the detail that package native gives it.
func (c *capturing) next(name string) error {
	code := c.code
	c.code = 0
	if code == 0 {
		return nil
	}
	return &driver.Fault{Code: code, Func: "cuda" + name}
}

func (c *capturing) BeginCapture(driver.Stream, driver.CaptureMode) error {
	return c.next("StreamBeginCapture")
}
func (c *capturing) EndCapture(driver.Stream) (driver.Graph, error) {
	return c, c.next("StreamEndCapture")
}
func (c *capturing) CaptureInfo(driver.Stream) (driver.CaptureStatus, uint64, error) {
	return driver.CaptureActive, 3, c.next("StreamGetCaptureInfo")
}
func (c *capturing) ExchangeCaptureMode(m driver.CaptureMode) (driver.CaptureMode, error) {
	return m, nil
}
func (c *capturing) CheckHostCopy() error                   { return c.next("Memcpy") }
func (c *capturing) Nodes() ([]driver.Node, error)          { return c.nodes, nil }
func (c *capturing) Instantiate() (driver.GraphExec, error) { return launches{c}, nil }
func (c *capturing) Destroy() error                         { return nil }

type launches struct{ *capturing }

func (l launches) Launch(driver.Stream, func(driver.Site) driver.Timer) error {
	return l.next("GraphLaunch")
}

func openCapturing(t *testing.T) (*hip.Runtime, *hip.Stream, *capturing) {
	t.Helper()
	c := &capturing{}
	rt, err := hip.OpenDriver("capturing", c, driver.Config{})
	wantCode(t, err, driver.Success)
	line := 0
	rt.SetOrigin(func() string { line++; return "x.lua:" + string(rune('0'+line)) })
	s, err := rt.Device().NewStream(true)
	wantCode(t, err, driver.Success)
	return rt, s, c
}

// says checks the code and the text of an error.
func says(t *testing.T, err error, code driver.Error, text string) {
	t.Helper()
	if wantCode(t, err, code); err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("%v does not say %q", err, text)
	}
}

// TestExplanationsOfCaptures checks that errors of a platform without details name both lines.
func TestExplanationsOfCaptures(t *testing.T) {
	_, s, c := openCapturing(t)
	wantCode(t, s.BeginCapture(driver.CaptureGlobal), driver.Success) // line 2
	c.code = driver.ErrorIllegalState
	says(t, s.BeginCapture(driver.CaptureGlobal), driver.ErrorIllegalState, "at x.lua:2 began has not")
	c.code = driver.ErrorCaptureImplicit
	wantCode(t, s.Device().Fill(8, 0, 8), driver.ErrorCaptureImplicit) // line 4
	c.code = driver.ErrorCaptureInvalidated
	_, err := s.EndCapture() // line 5
	says(t, err, driver.ErrorCaptureInvalidated, "at x.lua:2 began was invalidated by hipMemset at x.lua:4")
	c.code = driver.ErrorIllegalState
	_, err = s.EndCapture()
	says(t, err, driver.ErrorIllegalState, "at x.lua:2 began was ended by hipStreamEndCapture at x.lua:5")
	if s.Captured() != 0 {
		t.Error("the stream counts as captured")
	}
}

// TestFirstInvalidation checks that the call that invalidated a capture is the first one with such an error, and not an
// EndCapture of another stream, which leaves the capture as it is.
func TestFirstInvalidation(t *testing.T) {
	_, s, c := openCapturing(t)
	wantCode(t, s.BeginCapture(driver.CaptureGlobal), driver.Success) // line 2
	c.code = driver.ErrorCaptureUnmatched
	_, err := s.EndCapture()
	wantCode(t, err, driver.ErrorCaptureUnmatched)
	for range 2 {
		c.code = driver.ErrorCaptureImplicit
		wantCode(t, s.Device().Fill(8, 0, 8), driver.ErrorCaptureImplicit) // lines 4 and 5
	}
	c.code = driver.ErrorCaptureInvalidated
	_, err = s.EndCapture()
	says(t, err, driver.ErrorCaptureInvalidated, "was invalidated by hipMemset at x.lua:4")
}

// TestInjectedFaultDuringCapture makes an allocation fail that the platform permits while a stream is captured: its
// memory is freed again, and the call returns the error of freeing it.
func TestInjectedFaultDuringCapture(t *testing.T) {
	rt, s, c := openCapturing(t)
	rt.SetFaults(func(*trace.Call) string { return "all" })
	wantCode(t, s.BeginCapture(driver.CaptureRelaxed), driver.Success)
	_, err := s.Device().Malloc(64)
	wantCode(t, err, driver.ErrorOutOfMemory)
	c.freeErr = driver.ErrorLaunchFailure
	_, err = s.Device().Malloc(64)
	wantCode(t, err, driver.ErrorLaunchFailure)
	if c.freed != 2 || rt.Stats().LiveBytes != 0 {
		t.Errorf("%d blocks were freed, %d bytes are live", c.freed, rt.Stats().LiveBytes)
	}
	c.err = driver.ErrorCaptureUnsupported // not an allocation
	_, err = s.Device().Malloc(64)
	wantCode(t, err, driver.ErrorCaptureUnsupported)
	c.err = driver.ErrorOutOfMemory // an allocation, which is injected although it fails anyway
	_, err = s.Device().Malloc(64)
	wantCode(t, err, driver.ErrorOutOfMemory)
	if stats := rt.Stats(); stats.Allocations != 3 || stats.Injected != 3 || c.freed != 2 {
		t.Errorf("%d allocations, %d of them injected, %d frees", stats.Allocations, stats.Injected, c.freed)
	}
}

// TestMemoryOfGraphs checks the allocated memory after a capture and after launches, and the leaks.
func TestMemoryOfGraphs(t *testing.T) {
	rt, s, c := openCapturing(t)
	live := func(want uint64) {
		t.Helper()
		if have := rt.Stats().LiveBytes; have != want {
			t.Errorf("%d bytes are live, want %d", have, want)
		}
	}
	wantCode(t, s.BeginCapture(driver.CaptureRelaxed), driver.Success)
	c.nodes = []driver.Node{{Type: driver.NodeMemAlloc, Ptr: 4096, Bytes: 64}, {Type: driver.NodeMemAlloc, Ptr: 8192,
		Bytes: 32}, {Type: driver.NodeMemFree, Ptr: 8192}}
	g, err := s.EndCapture()
	wantCode(t, err, driver.Success)
	e, err := g.Instantiate()
	wantCode(t, err, driver.Success)
	live(0)
	wantCode(t, e.Launch(nil), driver.Success)
	live(64)
	if leaks := rt.Leaks(); len(leaks) != 4 || leaks[0].Call != "hipGraphLaunch" || leaks[2].Kind != "graph" ||
		leaks[3].Kind != "executable graph" {
		t.Errorf("leaks %+v", leaks)
	}
	wantCode(t, rt.Device().Free(4096), driver.Success)
	live(0)
	c.code = driver.ErrorOutOfMemory
	wantCode(t, e.Launch(s), driver.ErrorOutOfMemory)
	live(0)
	wantCode(t, g.Destroy(), driver.Success)
	wantCode(t, g.Destroy(), driver.ErrorIllegalState)
	_, err = g.Nodes()
	wantCode(t, err, driver.ErrorInvalidValue)
	_, err = g.Instantiate()
	wantCode(t, err, driver.ErrorInvalidValue)
	wantCode(t, e.Destroy(), driver.Success)
	wantCode(t, e.Destroy(), driver.ErrorInvalidValue)
	wantCode(t, e.Launch(s), driver.ErrorInvalidValue)
	if leaks := rt.Leaks(); len(leaks) != 1 {
		t.Errorf("leaks %+v", leaks)
	}
}

// TestPlatformsWithoutCapture makes the calls on a platform that has no captures, pools or managed memory.
func TestPlatformsWithoutCapture(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	s, err := d.NewStream(true)
	wantCode(t, err, driver.Success)
	wantCode(t, s.BeginCapture(driver.CaptureGlobal), driver.ErrorNotSupported)
	_, err = s.EndCapture()
	wantCode(t, err, driver.ErrorNotSupported)
	_, err = s.IsCapturing()
	wantCode(t, err, driver.ErrorNotSupported)
	_, err = d.ExchangeCaptureMode(driver.CaptureGlobal)
	wantCode(t, err, driver.ErrorNotSupported)
	_, err = d.MallocManaged(8)
	wantCode(t, err, driver.ErrorNotSupported)
	_, err = d.PoolAttribute(driver.PoolReleaseThreshold)
	wantCode(t, err, driver.ErrorNotSupported)
	wantCode(t, d.SetPoolAttribute(driver.PoolReleaseThreshold, 1), driver.ErrorNotSupported)
	if code := rt.PeekAtLastError("hipPeekAtLastError"); code != driver.ErrorNotSupported {
		t.Errorf("the last error is %v", code)
	}
	if first, second := rt.LastError(), rt.LastError(); first != driver.ErrorNotSupported || second != 0 {
		t.Errorf("the last errors are %v and %v", first, second)
	}
}
