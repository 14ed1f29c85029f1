package drivertest

import (
	"fmt"
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine/buffer"

	"github.com/google/go-cmp/cmp"
)

var orderCases = []testcase{
	{"unordered use of memory by two streams is reported, and the numbers are right", func(f *fixture) {
		f.needWatch()
		line := "x.lua:1"
		f.rt.SetOrigin(func() string { return line })
		s, other := f.stream(true), f.stream(true)
		p, q := f.malloc(size), f.malloc(size)
		line = "x.lua:2"
		f.ok(f.dev.FillAsync(p, 3, size, s))
		line = "x.lua:3"
		f.ok(f.dev.CopyAsync(q, p+100, 1000, other))
		f.ok(f.dev.Synchronize())
		f.filled(q, 1000, 3)
		want := []driver.Hazard{{Ptr: p + 100, Bytes: 1000,
			Earlier: driver.Use{Call: "hipMemsetAsync", Stream: s.ID(), Write: true, Origin: "x.lua:2"},
			Later:   driver.Use{Call: "hipMemcpyAsync", Stream: other.ID(), Origin: "x.lua:3"},
			Memory:  fmt.Sprintf("byte 100 of a block of %d bytes allocated by hipMalloc at x.lua:1", size)}}
		if diff := cmp.Diff(want, f.rt.Hazards()); diff != "" {
			f.Errorf("hazards (-want +have):\n%s", diff)
		}
		f.unordered(0)
	}},
	{"use of host memory before a copy to it is awaited is reported", func(f *fixture) {
		f.needWatch()
		s, other, p, data := f.stream(true), f.stream(true), f.malloc(64), make([]byte, 64)
		f.ok(f.dev.Fill(p, 7, 64))
		read := func() *hip.HostCopy {
			f.ok(f.dev.ReadAsync(data, p, s))
			return f.dev.LastHostCopy(s, 64)
		}
		read().BeforeHostUse("x")
		if data[63] != 7 {
			f.Error("the copy is not done")
		}
		f.unordered(1)
		c := read()
		f.ok(s.Synchronize())
		c.BeforeHostUse("x")
		c.BeforeCopy("y", other)
		f.unordered(0)
		c = read()
		c.BeforeCopy("y", s)
		f.unordered(0)
		c.BeforeCopy("y", other)
		f.unordered(1)
		f.ok(f.dev.Synchronize())
	}},
	{"two reads need no ordering", func(f *fixture) {
		f.needWatch()
		p, q := f.malloc(size), f.malloc(size)
		for i := range uint64(3) {
			f.ok(f.dev.CopyAsync(q+driver.Ptr(i*64), p, 64, f.stream(true)))
		}
		f.unordered(0)
	}},
	{"different parts of one block need no ordering", func(f *fixture) {
		f.needWatch()
		p := f.malloc(size)
		f.ok(f.dev.FillAsync(p, 1, size/2, f.stream(true)))
		f.ok(f.dev.FillAsync(p+size/2, 2, size/2, f.stream(true)))
		f.unordered(0)
	}},
	{"work that the host waited for is ordered", func(f *fixture) {
		f.needWatch()
		e := f.event()
		p := f.malloc(size)
		waits := []func(*hip.Stream) error{
			func(s *hip.Stream) error { return s.Synchronize() },
			func(*hip.Stream) error { return f.dev.Synchronize() },
			func(s *hip.Stream) error {
				if err := e.Record(s); err != nil {
					return err
				}
				return e.Synchronize()
			},
			func(*hip.Stream) error { return f.dev.Free(f.malloc(16)) },
			func(*hip.Stream) error { _, err := f.dev.Malloc(16); return err },
		}
		for _, wait := range waits {
			s := f.stream(true)
			f.ok(f.dev.FillAsync(p, 1, size, s))
			f.ok(wait(s))
			f.ok(f.dev.FillAsync(p, 2, size, f.stream(true)))
			f.unordered(0)
			f.ok(f.dev.Synchronize())
		}
	}},
	{"the null stream does not order non-blocking streams", func(f *fixture) {
		f.needWatch()
		s := f.stream(true)
		p := f.malloc(size)
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(f.dev.FillAsync(p, 2, size, nil))
		f.unordered(1)
	}},
	{"two blocking streams are ordered only through the null stream", func(f *fixture) {
		f.needWatch()
		s, other := f.stream(false), f.stream(false)
		p, q := f.malloc(size), f.malloc(size)
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(f.dev.FillAsync(p, 2, size, other))
		f.unordered(1)
		f.ok(f.dev.FillAsync(q, 1, 64, nil))
		f.ok(f.dev.FillAsync(p, 3, size, s))
		f.unordered(0)
	}},
	{"memory allocated in one stream is a hazard in another without ordering", func(f *fixture) {
		f.needWatch()
		f.needPool()
		s, other, e := f.stream(true), f.stream(true), f.event()
		p, err := f.dev.MallocAsync(4096, s)
		f.ok(err)
		f.ok(f.dev.FillAsync(p, 1, 64, other))
		f.unordered(1)
		f.ok(f.dev.FreeAsync(p, s))
		f.unordered(1)

		p, err = f.dev.MallocAsync(4096, s)
		f.ok(err)
		f.ok(e.Record(s))
		f.ok(other.WaitEvent(e))
		f.ok(f.dev.FillAsync(p, 1, 64, other))
		f.ok(e.Record(other))
		f.ok(s.WaitEvent(e))
		f.ok(f.dev.FreeAsync(p, s))
		f.unordered(0)
	}},
	{"a workspace shared by two streams is reported", func(f *fixture) {
		f.needWatch()
		f.needKernels()
		work, a, x := f.malloc(4096), f.malloc(8192), f.malloc(256)
		ys := []driver.Ptr{f.malloc(256), f.malloc(256)}
		for _, y := range ys {
			l := f.gemv(a, x, y)
			l.Work = []driver.Work{{ID: buffer.ColumnSums, Span: driver.Span{Ptr: work, Bytes: 4096}}}
			f.ok(f.dev.Execute(f.stream(true), l))
		}
		f.unordered(1)
		f.ok(f.dev.Synchronize())
	}},
}

// unordered fails the case unless the given number of hazards was reported since the last call.
func (f *fixture) unordered(want int) {
	f.Helper()
	if have := f.rt.Hazards(); len(have) != want && f.dev.Capabilities().Hazards {
		f.Errorf("%d hazards, want %d: %+v", len(have), want, have)
	}
}

var recordCases = []testcase{
	{"calls are recorded as in C", func(f *fixture) {
		f.rt.SetOrigin(func() string { return "t.lua:4" })
		s := f.stream(false)
		restore := f.dev.SetCause("growth", 1)
		p := f.malloc(4096)
		restore()
		f.ok(f.dev.FillAsync(p, 0, 64, s))
		f.code(f.dev.Free(12345), driver.ErrorInvalidValue)
		f.ok(f.dev.Free(p))
		type call struct {
			Name, Cause string
			Bytes       uint64
			Stream      int
			Sync        bool
			Result      driver.Error
		}
		want := []call{
			{"hipStreamCreate", "script", 0, 1, false, 0},
			{"hipMalloc", "growth", 4096, 0, true, 0},
			{"hipMemsetAsync", "script", 64, 1, false, 0},
			{"hipFree", "script", 0, 0, false, driver.ErrorInvalidValue},
			{"hipFree", "script", 0, 0, true, 0},
		}
		var have []call
		last := 0.0
		for _, c := range f.rt.Trace() {
			have = append(have, call{c.Name, c.Cause, c.Bytes, c.Stream, c.Synchronizing, c.Result})
			if c.Seconds < last || c.Duration < 0 || c.Origin != "t.lua:4" {
				f.Errorf("call %+v after second %v", c, last)
			}
			last = c.Seconds
		}
		if diff := cmp.Diff(want, have); diff != "" {
			f.Errorf("trace (-want +have):\n%s", diff)
		}
		if again := f.rt.Trace(); len(again) != 0 {
			f.Errorf("a drained trace has %d calls", len(again))
		}
	}},
	{"statistics count what is allocated", func(f *fixture) {
		p, q := f.malloc(1000), f.malloc(24)
		f.ok(f.dev.Free(p))
		s := f.stream(true)
		f.event()
		f.ok(s.Destroy())
		have := f.rt.Stats()
		if have.LiveBytes != 24 || have.PeakBytes != 1024 || have.LiveBlocks != 1 || have.Streams != 0 ||
			have.Events != 1 {
			f.Errorf("have %+v", have)
		}
		if have.Calls["hipMalloc"] != 2 || have.Calls["hipFree"] != 1 || have.Syncs["script"] != 3 {
			f.Errorf("have %+v", have)
		}
		f.ok(f.dev.Free(q))
	}},
	{"what is left open is reported with the place that made it", func(f *fixture) {
		line := "l.lua:1"
		f.rt.SetOrigin(func() string { return line })
		restore := f.dev.SetCause("create_handle", 1)
		p := f.malloc(512)
		restore()
		line = "l.lua:2"
		f.stream(true)
		line = "l.lua:3"
		f.event()
		f.ok(f.dev.Free(f.malloc(16)))
		want := []hip.Leak{
			{Kind: "device memory", Ptr: p, Bytes: 512, Origin: "l.lua:1", Call: "hipMalloc", Cause: "create_handle"},
			{Kind: "stream", Origin: "l.lua:2", Call: "hipStreamCreateWithFlags", Cause: "script"},
			{Kind: "event", Origin: "l.lua:3", Call: "hipEventCreate", Cause: "script"},
		}
		if diff := cmp.Diff(want, f.rt.Leaks()); diff != "" {
			f.Errorf("leaks (-want +have):\n%s", diff)
		}
	}},
	{"a closed runtime returns errors and does not crash", func(f *fixture) {
		p, s := f.malloc(64), f.stream(false)
		f.ok(f.rt.Close())
		_, err := f.dev.Malloc(64)
		for _, err := range []error{err, f.dev.Free(p), s.Synchronize(), f.dev.Fill(p, 0, 1), f.rt.Close()} {
			if err != nil {
				f.code(err, driver.ErrorDeinitialized)
			}
		}
		f.code(err, driver.ErrorDeinitialized)
	}},
}
