package drivertest

import (
	"bytes"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

var faultCases = []testcase{
	{"a block freed twice is an invalid value, and the error knows both calls", func(f *fixture) {
		line := "a.lua:1"
		f.rt.SetOrigin(func() string { return line })
		p := f.malloc(4096)
		line = "a.lua:2"
		f.ok(f.dev.Free(p))
		line = "a.lua:3"
		err := f.dev.Free(p)
		f.code(err, driver.ErrorInvalidValue)
		f.says(err, "4096 bytes", "hipMalloc at a.lua:1", "hipFree at a.lua:2")
	}},
	{"an address inside a block cannot be freed", func(f *fixture) {
		p := f.malloc(4096)
		err := f.dev.Free(p + 256)
		f.code(err, driver.ErrorInvalidValue)
		f.says(err, "256 bytes inside")
		f.ok(f.dev.Free(p))
	}},
	{"an address outside of all blocks cannot be freed", func(f *fixture) {
		f.code(f.dev.Free(0x1000), driver.ErrorInvalidValue)
	}},
	{"copies beyond a block are invalid values at once", func(f *fixture) {
		f.needWatch()
		p := f.malloc(100)
		data := make([]byte, 101)
		for _, err := range []error{
			f.dev.Write(p, data), f.dev.Read(data, p), f.dev.Copy(p, p+1, 100), f.dev.Fill(p+100, 0, 1),
			f.dev.WriteAsync(p, data, nil), f.dev.Write(0, data), f.dev.Read(data, 0x1000),
		} {
			f.code(err, driver.ErrorInvalidValue)
		}
		f.ok(f.dev.Synchronize())
	}},
	{"a copy to freed memory names who freed it", func(f *fixture) {
		f.needWatch()
		f.rt.SetOrigin(func() string { return "b.lua:7" })
		p := f.malloc(100)
		f.ok(f.dev.Free(p))
		err := f.dev.Fill(p, 0, 1)
		f.code(err, driver.ErrorInvalidValue)
		f.says(err, "freed by hipFree at b.lua:7")
	}},
	{"a kernel beyond a block is an illegal address, which later calls return too", func(f *fixture) {
		f.needWatch()
		f.needKernels()
		f.rt.SetOrigin(func() string { return "c.lua:9" })
		p := f.malloc(2048)
		f.ok(f.dev.Execute(nil, f.gemv(p, p, p)))
		err := f.dev.Synchronize()
		f.code(err, driver.ErrorIllegalAddress)
		f.says(err, "rocblas_dgemv", "8192 bytes for A", "2048 bytes", "hipMalloc at c.lua:9")
		f.code(f.dev.Synchronize(), driver.ErrorIllegalAddress)
		_, err = f.dev.Malloc(16)
		f.code(err, driver.ErrorIllegalAddress)
		f.code(f.dev.Fill(p, 0, 1), driver.ErrorIllegalAddress)
		f.ok(f.dev.Free(p))
	}},
	{"a kernel on freed memory is an illegal address", func(f *fixture) {
		f.needWatch()
		f.needKernels()
		a, x, y := f.malloc(8192), f.malloc(256), f.malloc(256)
		f.ok(f.dev.Free(x))
		f.ok(f.dev.Execute(nil, f.gemv(a, x, y)))
		err := f.dev.Synchronize()
		f.code(err, driver.ErrorIllegalAddress)
		f.says(err, "for x", "freed by hipFree")
	}},
	{"memory of another device is an illegal address for a kernel", func(f *fixture) {
		f.needWatch()
		f.needKernels()
		if f.rt.DeviceCount() < 2 {
			f.Skip("one device")
		}
		a, x := f.malloc(8192), f.malloc(256)
		f.ok(f.rt.SetDevice(1))
		y, err := f.rt.Device().Malloc(256)
		f.ok(err)
		f.ok(f.dev.Execute(nil, f.gemv(a, x, y)))
		f.code(f.dev.Synchronize(), driver.ErrorIllegalAddress)
		f.ok(f.rt.Device().Synchronize())
	}},
	{"a stream of another device cannot run a kernel, but copies", func(f *fixture) {
		if f.rt.DeviceCount() < 2 {
			f.Skip("one device")
		}
		f.ok(f.rt.SetDevice(1))
		s, err := f.rt.Device().NewStream(false)
		f.ok(err)
		p := f.malloc(64)
		f.ok(f.dev.WriteAsync(p, bytes.Repeat([]byte{4}, 64), s))
		f.ok(s.Synchronize())
		f.filled(p, 64, 4)
		f.code(f.event().Record(s), driver.ErrorInvalidHandle)
		f.needKernels()
		f.code(f.dev.Execute(s, f.gemv(p, p, p)), driver.ErrorInvalidHandle)
	}},
}

// gemv returns the launch of y = A x for a square matrix of order 32: A has 8192 bytes, x and y have 256.
func (f *fixture) gemv(a, x, y driver.Ptr) *driver.Launch {
	f.Helper()
	r, ok := routine.Lookup("rocblas_dgemv")
	if !ok {
		f.Fatal("no rocblas_dgemv in the table")
	}
	args := r.New()
	for s, v := range map[routine.Slot]int64{
		routine.TransA: routine.OperationNone, routine.M: 32, routine.N: 32, routine.LDA: 32,
		routine.IncX: 1, routine.IncY: 1,
		routine.A: int64(a), routine.X: int64(x), routine.Y: int64(y),
	} {
		args.SetInt(s, v)
	}
	args.SetScalar(routine.Alpha, 1)
	args.SetScalar(routine.Beta, 0)
	return &driver.Launch{Args: args}
}

// says fails the case unless the text of the error contains all the words.
func (f *fixture) says(err error, words ...string) {
	f.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			f.Errorf("error %v does not say %q", err, w)
		}
	}
}
