package drivertest

import (
	"encoding/binary"
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// kernelCases test that arguments arrive, in both pointer modes, and that kernels run in stream order. The results of
// the routines are tested in the packages of the kernels.
var kernelCases = []testcase{
	{"a product is computed in the order of its stream", func(f *fixture) {
		f.needKernels()
		s := f.stream(true)
		a, x, y := f.malloc(8192), f.malloc(256), f.malloc(256)
		twice := make([]float64, 32*32)
		for i := range 32 {
			twice[33*i] = 2
		}
		f.ok(f.dev.WriteAsync(a, doubles(twice...), s))
		f.ok(f.dev.WriteAsync(x, doubles(counting(32, 1)...), s))
		f.ok(f.dev.Execute(s, f.gemv(a, x, y)))
		f.ok(f.dev.Execute(s, f.gemv(a, y, x)))
		f.ok(s.Synchronize())
		f.holds(y, counting(32, 2)...)
		f.holds(x, counting(32, 4)...)
		if n := f.rt.Stats().Kernels; n != 2 {
			f.Errorf("%d kernels were counted, want 2", n)
		}
	}},
	{"alpha and beta come from the device in device pointer mode", func(f *fixture) {
		f.needKernels()
		a, x, y, scalars := f.malloc(8192), f.malloc(256), f.malloc(256), f.malloc(512)
		f.ok(f.dev.Fill(a, 0, 8192))
		f.ok(f.dev.Fill(x, 0, 256))
		f.ok(f.dev.Write(y, doubles(counting(32, 1)...)))
		f.ok(f.dev.Write(scalars, doubles(1)))
		f.ok(f.dev.Write(scalars+256, doubles(3)))
		l := f.gemv(a, x, y)
		l.OnDevice = true
		l.Args.SetPtr(routine.Alpha, uint64(scalars))
		l.Args.SetPtr(routine.Beta, uint64(scalars+256))
		f.ok(f.dev.Execute(nil, l))
		f.ok(f.dev.Synchronize())
		f.holds(y, counting(32, 3)...)
	}},
	{"a result for the host is stored where the launch says", func(f *fixture) {
		f.needKernels()
		x, work, result := f.malloc(256), f.malloc(64), f.malloc(8)
		f.ok(f.dev.Write(x, doubles(counting(32, -1)...)))
		r, ok := routine.Lookup("rocblas_dasum")
		if !ok {
			f.Fatal("no rocblas_dasum in the table")
		}
		buffers := []driver.Work{{ID: buffer.PartialSums, Span: driver.Span{Ptr: work, Bytes: 64}}}
		l := &driver.Launch{Args: r.New(), Work: buffers, Result: result}
		l.Args.SetInt(routine.N, 32)
		l.Args.SetInt(routine.IncX, 1)
		l.Args.SetPtr(routine.X, uint64(x))
		l.Args.SetInt(routine.Result, routine.Host)
		f.ok(f.dev.Execute(nil, l))
		f.ok(f.dev.Synchronize())
		f.holds(result, 528)
	}},
}

// counting returns step, 2 step, 3 step, ...
func counting(n int, step float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = step * float64(i+1)
	}
	return list
}

func doubles(list ...float64) []byte {
	var data []byte
	for _, v := range list {
		data = binary.NativeEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

// holds fails the case unless device memory contains the given doubles, which are small integers and so exact.
func (f *fixture) holds(p driver.Ptr, want ...float64) {
	f.Helper()
	data := f.read(p, 8*len(want))
	for i, w := range want {
		if have := math.Float64frombits(binary.NativeEndian.Uint64(data[8*i:])); have != w {
			f.Errorf("double %d is %v, want %v", i, have, w)
			return
		}
	}
}
