package peak

import (
	"testing"

	"roclua/hip/routine"
)

// TestPeaks checks that the table is complete, and that complex and narrow types have the peak of their unit.
func TestPeaks(t *testing.T) {
	for name, p := range peaks {
		f64, f32, f16 := p.Flops(routine.DatatypeF64), p.Flops(routine.DatatypeF32), p.Flops(routine.DatatypeF16)
		if p.Source == "" || p.Bytes() < 9e11 || f64 < 1e12 || f32 < f64 || f16 <= f32 {
			t.Errorf("%s: %+v", name, p)
		}
		if p.Flops(routine.DatatypeF64C) != f64 || p.Flops(routine.DatatypeF32C) != f32 {
			t.Errorf("%s: complex types have another peak", name)
		}
	}
	if p := Of("NVIDIA H100 80GB HBM3 MIG 1g.10gb"); p.Bytes() != 0 || p.Flops(routine.DatatypeF64) != 0 {
		t.Errorf("a part of a device has the peak %+v", p)
	}
	if p := Of("NVIDIA H200"); p.Bytes() != 4.8e12 || p.Flops(routine.DatatypeF64) != 67e12 {
		t.Errorf("H200: %+v", p)
	}
}
