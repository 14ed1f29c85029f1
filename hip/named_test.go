package hip_test

import (
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
)

// TestNamedStreams checks the streams that HIP names by numbers: the legacy stream is the null stream, the stream of a
// thread is another one that can be captured, and neither is destroyed or counted.
func TestNamedStreams(t *testing.T) {
	rt, err := hip.Open("cpu", driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	dev := rt.Device()
	for number, id := range map[int]int{driver.StreamLegacy: 0, driver.StreamPerThread: 1} {
		s, err := dev.NamedStream(number)
		if err != nil || s.Number() != number || s.ID() != id || s == dev.NullStream() {
			t.Fatalf("stream %d: number %d, ID %d, %v", number, s.Number(), s.ID(), err)
		}
		if again, _ := dev.NamedStream(number); again != s {
			t.Errorf("stream %d is another one the second time", number)
		}
		want := driver.Success
		if number == driver.StreamLegacy {
			want = driver.ErrorCaptureUnsupported
		}
		if code := driver.CodeOf(s.BeginCapture(driver.CaptureRelaxed)); code != want {
			t.Errorf("capture of stream %d: %s, want %s", number, code, want)
		}
		if captured := s.CaptureStatus() != driver.CaptureNone; captured != (want == driver.Success) {
			t.Errorf("stream %d is captured: %v", number, captured)
		}
		if captured := want == driver.Success; captured {
			if _, err := s.EndCapture(); err != nil {
				t.Error(err)
			}
		}
		if code := driver.CodeOf(s.Destroy()); code != driver.ErrorInvalidHandle {
			t.Errorf("destroying stream %d: %s", number, code)
		}
	}
	if n := rt.Stats().Streams; n != 0 {
		t.Errorf("%d streams are open", n)
	}
}
