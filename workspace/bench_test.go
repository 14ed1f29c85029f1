package workspace_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
)

// BenchmarkModel measures the call and the size query of a modelled handle.
func BenchmarkModel(b *testing.B) {
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { rt.Close() })
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		b.Fatal(err)
	}
	dev := rt.Device()
	memory, err := dev.Malloc(1 << 20)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name, function string
		order          int64
		query, device  bool
		prepared       bool
	}{
		{name: "query", function: "rocsolver_dgetrf", order: 1024, query: true},
		{name: "empty query", function: "rocblas_dgemm", order: 4, query: true},
		{name: "empty call", function: "rocblas_dgemm"},
		{name: "call", function: "rocblas_dgemm", order: 1},
		{name: "call with workspace", function: "rocsolver_dgetrf", order: 1},
		{name: "prepared call", function: "rocblas_dgemm", order: 1, prepared: true},
		{name: "prepared call with workspace", function: "rocsolver_dgeqrf", order: 100, prepared: true},
		{name: "call in device pointer mode", function: "rocblas_dgemv", order: 1, device: true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			h, err := workspace.Create(dev, workspace.Config{Profile: profile})
			if err != nil {
				b.Fatal(err)
			}
			r, _ := routine.Lookup(bench.function)
			a := r.New()
			for i := range a.Routine.Params {
				switch p := &a.Routine.Params[i]; {
				case p.Kind == routine.Scalar && !bench.device:
					a.SetScalar(p.Slot, 1)
				case p.Kind.IsPointer():
					a.SetPtr(p.Slot, uint64(memory)+4096*uint64(i))
				case p.Kind.IsEnum():
					a.SetInt(p.Slot, p.Legal()[0])
				case p.Role == routine.LeadingDimension, p.Role == routine.Increment:
					a.SetInt(p.Slot, max(1, bench.order))
				default:
					a.SetInt(p.Slot, bench.order)
				}
			}
			if bench.device {
				wantSuccess(b, h.SetPointerMode(routine.PointerModeDevice))
			}
			if bench.query {
				wantSuccess(b, h.StartQuery())
			}
			b.ReportAllocs()
			var plan workspace.Plan
			for bench.prepared && b.Loop() {
				if _, err := h.Repeat(a, &plan); err != nil {
					b.Fatal(err)
				}
			}
			for !bench.prepared && b.Loop() {
				if _, err := h.Call(a); err != nil {
					b.Fatal(err)
				}
			}
			wantSuccess(b, dev.Synchronize())
			if bench.query {
				_, err := h.StopQuery(false)
				wantSuccess(b, err)
			}
			wantSuccess(b, h.Destroy())
		})
	}
}

func wantSuccess(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
