package trace

import (
	"testing"

	"roclua/internal/codec"
	"roclua/internal/codec/codectest"
)

func TestCodeOfHistories(t *testing.T) { codectest.Check[History](t) }

func TestCodeOfStats(t *testing.T) { codectest.Check[Stats](t) }

// BenchmarkCodeOfHistory encodes and decodes the history of a case of a few calls.
func BenchmarkCodeOfHistory(b *testing.B) {
	call := Call{Name: "hipMalloc", Bytes: 1 << 20, HasBytes: true, Ptr: 1 << 30, Seconds: 1e-3, Cause: "script",
		Origin: "solve.lua:12"}
	h := History{Capacity: 1 << 36, Calls: []Call{call, call, call, call, call, call}}
	var c codec.Coder
	for b.Loop() {
		data, _ := c.Encode(h.Code)
		if err := c.Decode(string(data), new(History).Code); err != nil {
			b.Fatal(err)
		}
	}
}
