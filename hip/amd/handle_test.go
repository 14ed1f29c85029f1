package amd

import (
	"testing"

	"roclua/hip/dl"
	"roclua/hip/routine"
)

// TestRealArguments checks every routine with a floating-point number that is passed by value: float for s and c,
// double for d and z, in host and in device pointer mode.
func TestRealArguments(t *testing.T) {
	h := &handle{scalars: new([routine.ScalarCount][16]byte)}
	for _, r := range routine.All() {
		for i := range r.Params {
			p := &r.Params[i]
			if p.Kind != routine.Real {
				continue
			}
			a := r.New()
			a.SetReal(p.Slot, 0.1)
			want := dl.Double(0.1)
			if r.Type == routine.TypeS || r.Type == routine.TypeC {
				want = dl.Float(0.1)
			}
			for _, onDevice := range []bool{false, true} {
				if list, _ := h.arguments(a, onDevice); list[i+1] != want {
					t.Errorf("%s: %s is passed as %v, want %v", r.CName(), p.Name, list[i+1], want)
				}
			}
		}
	}
}
