package hipblas_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/hipblas"
)

// The results below were recorded from the real hipBLAS over a HIP runtime without a GPU.

// bench is a modelled handle on a device that does not compute, with memory for arguments.
type bench struct {
	t      *testing.T
	handle workspace.Handle
	memory driver.Ptr
}

func newBench(t *testing.T, profile string) *bench {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 64 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	b := &bench{t: t}
	p, err := workspace.FindProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	if b.memory, err = rt.Device().Malloc(1 << 30); err != nil {
		t.Fatal(err)
	}
	if b.handle, err = workspace.Create(rt.Device(), workspace.Config{Profile: p}); err != nil {
		t.Fatal(err)
	}
	return b
}

// call makes a call with all sizes n, arrays that are not null and scalars of 1, changed by set, and describes the
// result and the memory that the handle holds.
func (b *bench) call(name string, n int64, set map[routine.Slot]int64) string {
	b.t.Helper()
	f, ok := routine.LayerNamed(name)
	if !ok {
		b.t.Fatalf("no function %s", name)
	}
	a := f.New()
	for i := range f.Params {
		switch p := &f.Params[i]; {
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, p.Legal()[0])
		case p.Kind.IsInteger():
			a.SetInt(p.Slot, n)
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		default:
			a.SetPtr(p.Slot, uint64(b.memory))
		}
	}
	for slot, v := range set {
		a.SetInt(slot, v)
	}
	out, err := hipblas.Call(b.handle, a)
	text := "success"
	var refused *workspace.LayerError
	switch {
	case errors.As(err, &refused):
		text = refused.Status.Name()
	case err != nil:
		b.t.Fatal(err)
	case f.ReturnsNumber():
		text += fmt.Sprintf(", info %d", out.Info)
	}
	held, _ := b.handle.DeviceMemorySize()
	return text + fmt.Sprintf(", holds %d", held)
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestRepeatedCalls makes calls on a handle with too little memory, of the caller and of the library.
func TestRepeatedCalls(t *testing.T) {
	const lacks = "HIPBLAS_STATUS_ALLOC_FAILED, holds 64"
	for profile, want := range map[string]map[string]string{
		"rocm-6.4": {"hipblasDtrsm": "success, holds 2512000", "hipblasDgetrf": "success, holds 525888"},
		"rocm-7.2": {"hipblasDtrsm": lacks, "hipblasDgetrf": lacks},
	} {
		for name, want := range want {
			n := map[string]int64{"hipblasDtrsm": 500, "hipblasDgetrf": 200}[name]
			for _, owned := range []bool{true, false} {
				b := newBench(t, profile)
				if owned {
					b.must(b.handle.SetWorkspace(b.memory, 64))
				} else {
					b.must(b.handle.SetDeviceMemorySize(64))
				}
				if have := b.call(name, n, nil); have != want {
					t.Errorf("%s %s, owned %v: %s, want %s", profile, name, owned, have, want)
				}
			}
		}
	}
}

// TestStatuses makes calls with wrong arguments.
func TestStatuses(t *testing.T) {
	const held = ", holds 33554432"
	for _, c := range []struct {
		name, want string
		n          int64
		set        map[routine.Slot]int64
	}{
		{"hipblasDtrsm", "HIPBLAS_STATUS_INVALID_ENUM", 4, map[routine.Slot]int64{routine.Side: 7}},
		{"hipblasDtrsm", "HIPBLAS_STATUS_INVALID_VALUE", 4, map[routine.Slot]int64{routine.M: -1}},
		{"hipblasDtrsm", "HIPBLAS_STATUS_INVALID_VALUE", 4, map[routine.Slot]int64{routine.Side: routine.SideBoth}},
		{"hipblasDtrsm", "HIPBLAS_STATUS_INVALID_VALUE", 4, map[routine.Slot]int64{routine.Uplo: routine.FillFull}},
		{"hipblasDgeqrf", "success, info 0", 5, nil},
		{"hipblasDgeqrf", "HIPBLAS_STATUS_INVALID_VALUE", 5, map[routine.Slot]int64{routine.LDA: 4}},
		{"hipblasZgels", "success, info 0", 5, map[routine.Slot]int64{
			routine.TransA: routine.OperationConjugateTranspose}},
	} {
		b := newBench(t, "rocm-7.2")
		if have := b.call(c.name, c.n, c.set); have != c.want+held {
			t.Errorf("%s %v: %s, want %s", c.name, c.set, have, c.want+held)
		}
	}
}

// TestSetWorkspace sets the workspace by hipBLAS, which the older release cannot.
func TestSetWorkspace(t *testing.T) {
	for profile, steps := range map[string][]struct {
		memory driver.Ptr
		bytes  uint64
		want   string
		held   uint64
	}{
		"rocm-6.4": {{1 << 40, 4096, "HIPBLAS_STATUS_NOT_SUPPORTED", 32 << 20}},
		"rocm-7.2": {{1 << 40, 4096, "", 4096}, {1 << 40, 100, "", 100}, {0, 4096, "", 0}},
	} {
		b := newBench(t, profile)
		for _, s := range steps {
			have := ""
			var refused *workspace.LayerError
			if err := hipblas.SetWorkspace(b.handle, s.memory, s.bytes); errors.As(err, &refused) {
				have = refused.Status.Name()
			} else {
				b.must(err)
			}
			if held, _ := b.handle.DeviceMemorySize(); have != s.want || held != s.held {
				t.Errorf("%s: %d bytes at %x: %q, holds %d, want %q, %d", profile, s.bytes, s.memory, have, held,
					s.want, s.held)
			}
		}
	}
}

// TestDatatypes makes calls whose arguments give datatypes.
func TestDatatypes(t *testing.T) {
	f32, f64 := int64(routine.HipR32F), int64(routine.HipR64F)
	product := map[routine.Slot]int64{routine.AType: f32, routine.BType: f32, routine.CType: f32,
		routine.ComputeType: routine.Compute32F}
	with := func(slot routine.Slot, v int64) map[routine.Slot]int64 {
		set := maps.Clone(product)
		set[slot] = v
		return set
	}
	for _, c := range []struct {
		name, want string
		set        map[routine.Slot]int64
	}{
		{"hipblasGemmEx", "success", product},
		{"hipblasGemmEx", "HIPBLAS_STATUS_NOT_SUPPORTED", with(routine.CType, f64)},
		{"hipblasGemmEx", "HIPBLAS_STATUS_NOT_SUPPORTED", with(routine.ComputeType, routine.Compute64F)},
		{"hipblasGemmEx", "HIPBLAS_STATUS_NOT_SUPPORTED", with(routine.AType, 77)},
		{"hipblasGemmEx", "HIPBLAS_STATUS_INVALID_ENUM", with(routine.TransA, 7)},
		{"hipblasGemmStridedBatchedExWithFlags_64", "success", product},
		{"hipblasScalEx", "success", map[routine.Slot]int64{routine.AlphaType: f64, routine.XType: f64,
			routine.ExecutionType: f64}},
		{"hipblasScalEx", "HIPBLAS_STATUS_NOT_SUPPORTED", map[routine.Slot]int64{routine.AlphaType: f32,
			routine.XType: f64, routine.ExecutionType: f64}},
		{"hipblasScalEx", "HIPBLAS_STATUS_INVALID_ENUM", map[routine.Slot]int64{routine.XType: 77}},
	} {
		b := newBench(t, "rocm-7.2")
		if have, _, _ := strings.Cut(b.call(c.name, 4, c.set), ","); have != c.want {
			t.Errorf("%s %v: %s, want %s", c.name, c.set, have, c.want)
		}
	}
}

// TestNullHandle calls with the null handle: hipBLAS converts enumerations first.
func TestNullHandle(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	b.handle = workspace.Null
	for side, want := range map[int64]string{141: "HIPBLAS_STATUS_NOT_INITIALIZED", 7: "HIPBLAS_STATUS_INVALID_ENUM"} {
		if have := b.call("hipblasDtrsm", 4, map[routine.Slot]int64{routine.Side: side}); have != want+", holds 0" {
			t.Errorf("side %d: %s, want %s", side, have, want)
		}
	}
}

// TestRoutines finds the routine of every function.
func TestRoutines(t *testing.T) {
	for _, f := range routine.HipBLAS.Routines() {
		if len(hipblas.Routines(f)) == 0 {
			t.Errorf("%s calls nothing", f.Name)
		}
	}
}
