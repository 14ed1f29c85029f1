package drivertest

import (
	"errors"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
)

// size is large enough that an operation is not finished when the next one is queued.
const size = 4 << 20

var streamCases = []testcase{
	{"work of one stream is done in order", func(f *fixture) {
		for _, nonBlocking := range []bool{false, true} {
			s := f.stream(nonBlocking)
			p, q := f.malloc(size), f.malloc(size)
			for i := range 10 {
				f.ok(f.dev.FillAsync(p, byte(i), size, s))
				f.ok(f.dev.CopyAsync(q, p, size, s))
			}
			f.ok(f.dev.FillAsync(p, 100, size, s))
			data := make([]byte, size)
			f.ok(f.dev.ReadAsync(data, q, s))
			f.ok(s.Synchronize())
			if data[0] != 9 || data[size-1] != 9 {
				f.Errorf("non-blocking %v: the copy has %d and %d, want 9", nonBlocking, data[0], data[size-1])
			}
		}
	}},
	{"the data of a write is copied before the call returns", func(f *fixture) {
		s := f.stream(true)
		p := f.malloc(size)
		data := make([]byte, size)
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(f.dev.WriteAsync(p, data, s))
		for i := range data {
			data[i] = 7
		}
		f.ok(s.Synchronize())
		f.filled(p, size, 0)
	}},
	{"the null stream waits for blocking streams, and they wait for it", func(f *fixture) {
		s := f.stream(false)
		p, q := f.malloc(size), f.malloc(size)
		for i := range 10 {
			f.ok(f.dev.FillAsync(p, byte(i), size, s))
			f.ok(f.dev.CopyAsync(q, p, size, nil))
			f.ok(f.dev.CopyAsync(p, q, size, s))
		}
		f.filled(q, size, 9)
		f.unordered(0)
	}},
	{"a function runs between the earlier and the later work of its stream", func(f *fixture) {
		s, p := f.stream(true), f.malloc(size)
		data, ran := make([]byte, size), 0
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(f.dev.ReadAsync(data, p, s))
		err := f.dev.LaunchHostFunc(s, func(hip.HostRun) { ran = int(data[size-1]) })
		if driver.CodeOf(err) == driver.ErrorNotSupported {
			f.Skip(err)
		}
		f.ok(err)
		f.ok(f.dev.FillAsync(p, 2, size, s))
		f.ok(f.dev.LaunchHostFunc(s, func(hip.HostRun) { ran *= 10 }))
		f.ok(f.dev.ReadAsync(data, p, s))
		f.ok(s.Synchronize())
		if ran != 10 || data[0] != 2 {
			f.Errorf("the functions leave %d, want 10; the last copy has %d, want 2", ran, data[0])
		}
	}},
	{"a function cannot make calls", func(f *fixture) {
		var inside error
		err := f.dev.LaunchHostFunc(nil, func(run hip.HostRun) {
			inside = f.dev.Synchronize()
			if run.Queued.Call != "hipLaunchHostFunc" || run.Ran.Call != "hipDeviceSynchronize" {
				f.Errorf("the function of %s ran in %s", run.Queued, run.Ran)
			}
		})
		if driver.CodeOf(err) == driver.ErrorNotSupported {
			f.Skip(err)
		}
		f.ok(err)
		f.ok(f.dev.Synchronize())
		f.code(inside, driver.ErrorNotPermitted)
		f.ok(f.dev.Synchronize())
	}},
	{"a stream is ready after it was waited for", func(f *fixture) {
		s := f.stream(true)
		p := f.malloc(size)
		f.ok(f.dev.FillAsync(p, 1, size, s))
		if err := s.Query(); err != nil {
			f.code(err, driver.ErrorNotReady)
		}
		f.ok(s.Synchronize())
		f.ok(s.Query())
	}},
	{"work of a destroyed stream is still done", func(f *fixture) {
		s := f.stream(true)
		p := f.malloc(size)
		f.ok(f.dev.FillAsync(p, 5, size, s))
		f.ok(s.Destroy())
		f.ok(f.dev.Synchronize())
		f.filled(p, size, 5)
	}},
	{"a destroyed stream is an invalid handle", func(f *fixture) {
		s := f.stream(false)
		e := f.event()
		p := f.malloc(64)
		f.ok(s.Destroy())
		if !s.Destroyed() {
			f.Error("the stream does not say that it is destroyed")
		}
		for _, err := range []error{s.Destroy(), s.Synchronize(), s.Query(), s.WaitEvent(e), e.Record(s),
			f.dev.FillAsync(p, 1, 64, s)} {
			f.code(err, driver.ErrorInvalidHandle)
		}
	}},
	{"the null stream cannot be destroyed", func(f *fixture) {
		f.code(f.dev.NullStream().Destroy(), driver.ErrorInvalidHandle)
	}},
	{"streams are numbered from 1", func(f *fixture) {
		if a, b, null := f.stream(false).ID(), f.stream(true).ID(), f.dev.NullStream().ID(); a != 1 || b != 2 ||
			null != 0 {
			f.Errorf("numbers %d and %d, the null stream has %d", a, b, null)
		}
	}},
	{"thousands of streams can be made and destroyed", func(f *fixture) {
		p := f.malloc(64)
		for i := range 2000 {
			s := f.stream(true)
			f.ok(f.dev.FillAsync(p, byte(i), 64, s))
			f.ok(s.Synchronize())
			f.ok(s.Destroy())
		}
		f.unordered(0)
	}},
}

var eventCases = []testcase{
	{"a stream waits for an event of another", func(f *fixture) {
		s, other := f.stream(true), f.stream(true)
		e := f.event()
		p, q := f.malloc(size), f.malloc(size)
		for i := range 10 {
			f.ok(f.dev.FillAsync(p, byte(i), size, s))
			f.ok(e.Record(s))
			f.ok(other.WaitEvent(e))
			f.ok(f.dev.CopyAsync(q, p, size, other))
			f.ok(e.Record(other))
			f.ok(s.WaitEvent(e))
		}
		f.ok(other.Synchronize())
		f.filled(q, size, 9)
		f.unordered(0)
	}},
	{"events have times in the order of the stream", func(f *fixture) {
		s := f.stream(true)
		start, stop := f.event(), f.event()
		p := f.malloc(size)
		f.ok(start.Record(s))
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(stop.Record(s))
		f.ok(stop.Synchronize())
		ms, err := hip.Elapsed(start, stop)
		f.ok(err)
		if ms <= 0 || ms > 60_000 {
			f.Errorf("%v milliseconds", ms)
		}
	}},
	{"an event becomes ready", func(f *fixture) {
		s, e := f.stream(true), f.event()
		p := f.malloc(size)
		f.ok(f.dev.FillAsync(p, 1, size, s))
		f.ok(e.Record(s))
		deadline := time.Now().Add(10 * time.Second)
		for err := e.Query(); err != nil; err = e.Query() {
			if !errors.Is(err, driver.ErrorNotReady) || time.Now().After(deadline) {
				f.Fatal(err)
			}
		}
	}},
	{"an event that was never recorded does not delay streams and has no time", func(f *fixture) {
		s, e, other := f.stream(true), f.event(), f.event()
		f.ok(s.WaitEvent(e))
		f.ok(e.Synchronize())
		f.ok(e.Query())
		f.ok(other.Record(s))
		f.ok(other.Synchronize())
		_, err := hip.Elapsed(e, other)
		f.code(err, driver.ErrorInvalidHandle)
	}},
	{"the null event is an invalid handle", func(f *fixture) {
		null, other := f.dev.NullEvent(), f.event()
		_, before := hip.Elapsed(null, other)
		_, after := hip.Elapsed(other, null)
		for _, err := range []error{null.Destroy(), null.Record(f.stream(true)), null.Query(), null.Synchronize(),
			f.stream(true).WaitEvent(null), before, after} {
			f.code(err, driver.ErrorInvalidHandle)
		}
	}},
	{"a destroyed event is an invalid handle, and streams still wait for it", func(f *fixture) {
		s, other, e := f.stream(true), f.stream(true), f.event()
		p, q := f.malloc(size), f.malloc(size)
		f.ok(f.dev.FillAsync(p, 5, size, s))
		f.ok(e.Record(s))
		f.ok(other.WaitEvent(e))
		f.ok(e.Destroy())
		f.ok(f.dev.CopyAsync(q, p, size, other))
		for _, err := range []error{e.Destroy(), e.Record(s), e.Query(), e.Synchronize(), s.WaitEvent(e)} {
			f.code(err, driver.ErrorInvalidHandle)
		}
		f.ok(other.Synchronize())
		f.filled(q, size, 5)
	}},
}
