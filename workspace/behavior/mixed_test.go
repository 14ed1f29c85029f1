package behavior_test

import (
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// TestShortInverse checks which calls of trsm_ex do not use the inverted blocks of their caller. Each diagonal block of
// 128 x 128 elements counts.
func TestShortInverse(t *testing.T) {
	r, _ := routine.Lookup("rocblas_trsm_ex")
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	for _, test := range []struct {
		name           string
		m, n, supplied int64
		inverse        uint64
		want           bool
	}{
		{"one element less than three blocks", 300, 300, 128*300 - 1, 4096, true},
		{"enough", 300, 300, 128 * 300, 4096, false},
		{"no elements", 300, 300, 0, 4096, true},
		{"no array", 300, 300, 0, 0, false},
		{"one right-hand side, which needs no inverse", 300, 1, 0, 4096, false},
		{"substitution, which needs no memory", 32, 32, 0, 4096, false},
	} {
		a := r.New()
		for slot, v := range map[routine.Slot]int64{
			routine.Side: routine.SideLeft, routine.TransA: routine.OperationNone, routine.M: test.m, routine.N: test.n,
			routine.ComputeType: routine.DatatypeF32, routine.InvASize: test.supplied,
		} {
			a.SetInt(slot, v)
		}
		a.SetPtr(routine.InvA, test.inverse)
		if d := behavior.Of(target, a); d.ShortInverse != test.want {
			t.Errorf("%s: %v, want %v", test.name, d.ShortInverse, test.want)
		}
	}
}

// TestUnknownGemmEx checks which gemm_ex multiplies 16-bit numbers and adds in 32 bits, so that its workspace is not
// known.
func TestUnknownGemmEx(t *testing.T) {
	r, _ := routine.Lookup("rocblas_gemm_ex")
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	for _, test := range []struct {
		matrices, compute int64
		want              bool
	}{
		{routine.DatatypeF16, routine.DatatypeF32, true},
		{routine.DatatypeBF16, routine.DatatypeF32, true},
		{routine.DatatypeF16, routine.DatatypeF16, false},
		{routine.DatatypeF32, routine.DatatypeF32, false},
		{routine.DatatypeF64, routine.DatatypeF64, false},
		{routine.DatatypeI8, routine.DatatypeI32, false},
	} {
		a := r.New()
		a.SetInt(routine.AType, test.matrices)
		a.SetInt(routine.ComputeType, test.compute)
		if have := behavior.Of(target, a).Unknown != ""; have != test.want {
			t.Errorf("matrices of type %d, computed in %d: unknown %v, want %v", test.matrices, test.compute, have,
				test.want)
		}
		bounded, want := *target, uint64(0)
		bounded.Bound = behavior.Bound{Bytes: 65, Given: true}
		if test.want {
			want = 128
		}
		if d := behavior.Of(&bounded, a); d.Unknown != "" || d.Optimal.Total() != want {
			t.Errorf("matrices of type %d, computed in %d, with a bound of 65 bytes: %d bytes, %q, want %d bytes",
				test.matrices, test.compute, d.Optimal.Total(), d.Unknown, want)
		}
	}
}
