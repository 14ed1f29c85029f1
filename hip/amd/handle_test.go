package amd

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

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

// TestResultsAndScalars checks the arguments of calls: memory for the results of a batch and for scalars in host
// pointer mode, and addresses of the caller in device pointer mode.
func TestResultsAndScalars(t *testing.T) {
	for _, test := range []struct {
		routine  string
		batch    int64
		onDevice bool
		want     int // bytes of results
	}{
		{"rocblas_dasum", 1, false, 8}, {"rocblas_sasum", 1, false, 4}, {"rocblas_zdotc", 1, false, 16},
		{"rocblas_dasum_batched", 3, false, 24}, {"rocblas_dasum_batched", 0, false, 0},
		{"rocblas_dasum_batched", 3, true, 0},
	} {
		h := &handle{scalars: new([routine.ScalarCount][16]byte)}
		r, _ := routine.Lookup(test.routine)
		a := r.New()
		a.SetInt(routine.BatchCount, test.batch)
		a.SetPtr(routine.Result, 4096)
		list, results := h.arguments(a, test.onDevice)
		if len(list) != len(r.Params)+1 || len(results) != test.want {
			t.Errorf("%s of %d: %d arguments and %d bytes of results, want %d and %d", test.routine, test.batch,
				len(list), len(results), len(r.Params)+1, test.want)
		}
		if last := list[len(list)-1]; (last == dl.Word(4096)) != test.onDevice {
			t.Errorf("%s, on device %v: the result is at %v", test.routine, test.onDevice, last)
		}
	}
	h := &handle{scalars: new([routine.ScalarCount][16]byte)}
	r, _ := routine.Lookup("rocblas_dscal")
	a := r.New()
	a.SetScalar(routine.Alpha, 2.5)
	list, _ := h.arguments(a, false)
	stored := &h.scalars[routine.ScalarIndex(routine.Alpha)]
	if have := math.Float64frombits(binary.NativeEndian.Uint64(stored[:])); have != 2.5 ||
		list[2] != dl.Word(uintptr(unsafe.Pointer(stored))) {
		t.Errorf("alpha %v is passed as %v", have, list[2])
	}
}
