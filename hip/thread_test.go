package hip_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
)

// threads is a shared runtime of the simulated platform.
type threads struct {
	*testing.T
	rt  *hip.Runtime
	dev *hip.Device
}

func share(t *testing.T) *threads {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 2, RealTime: true})
	if err == nil {
		err = rt.Share()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		rt.Unshare()
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return &threads{t, rt, rt.Device()}
}

// during makes a thread's calls.
func during(t *hip.Thread, do func()) {
	t.Enter()
	defer t.Leave()
	do()
}

func (f *threads) ok(errs ...error) {
	f.Helper()
	if err := errors.Join(errs...); err != nil {
		f.Error(err)
	}
}

func (f *threads) code(err error, want driver.Error) {
	f.Helper()
	if have := driver.CodeOf(err); have != want {
		f.Errorf("have %v, want %v", err, want)
	}
}

// TestThreadsHaveTheirOwnState sets the state of one thread and reads it in another.
func TestThreadsHaveTheirOwnState(t *testing.T) {
	f := share(t)
	a, b := f.rt.NewThread(), f.rt.NewThread()
	a.SetOrigin(func() string { return "a.lua:1" })
	b.SetOrigin(func() string { return "b.lua:1" })
	var own *hip.Stream
	during(a, func() {
		f.ok(f.rt.SetDevice(1))
		f.code(f.dev.Free(4096), driver.ErrorInvalidValue)
		_, err := f.dev.ExchangeCaptureMode(driver.CaptureRelaxed)
		f.ok(err)
		own, err = f.dev.NamedStream(driver.StreamPerThread)
		f.ok(err)
	})
	during(b, func() {
		if f.rt.Device().Index() != 0 || f.rt.LastError() != driver.Success {
			t.Errorf("device %d, last error %v of another thread", f.rt.Device().Index(), f.rt.LastError())
		}
		mode, err := f.dev.ExchangeCaptureMode(driver.CaptureGlobal)
		f.ok(err)
		if mode != driver.CaptureGlobal {
			t.Errorf("the capture mode is %d", mode)
		}
		if other, err := f.dev.NamedStream(driver.StreamPerThread); err != nil || other == own {
			t.Errorf("the threads have the same stream %v, %v", other, err)
		}
	})
	during(a, func() {
		if f.rt.Device().Index() != 1 || f.rt.LastError() != driver.ErrorInvalidValue {
			t.Errorf("device %d, last error %v", f.rt.Device().Index(), f.rt.LastError())
		}
	})
	for _, c := range f.rt.Trace() {
		want := "b.lua:1"
		if c.Name == "hipSetDevice" || c.Name == "hipFree" {
			want = "a.lua:1"
		}
		if c.Origin != want && c.Name != "hipThreadExchangeStreamCaptureMode" && c.Name != "hipGetLastError" {
			t.Errorf("%s at %s, want %s", c.Name, c.Origin, want)
		}
	}
	a.Close()
	b.Close()
}

// TestCapturesOfThreads makes calls in one thread during captures that another one began.
func TestCapturesOfThreads(t *testing.T) {
	for _, test := range []struct {
		name                  string
		capture, other        driver.CaptureMode
		malloc, ends, endsOwn driver.Error
	}{
		{"global", driver.CaptureGlobal, driver.CaptureGlobal, driver.ErrorCaptureUnsupported,
			driver.ErrorCaptureWrongThread, driver.ErrorCaptureInvalidated},
		{"global and relaxed", driver.CaptureGlobal, driver.CaptureRelaxed, driver.Success,
			driver.ErrorCaptureWrongThread, driver.Success},
		{"of the thread", driver.CaptureThreadLocal, driver.CaptureGlobal, driver.Success,
			driver.ErrorCaptureWrongThread, driver.Success},
		{"relaxed", driver.CaptureRelaxed, driver.CaptureGlobal, driver.Success, driver.Success,
			driver.ErrorIllegalState},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := share(t)
			a, b := f.rt.NewThread(), f.rt.NewThread()
			defer a.Close()
			defer b.Close()
			var s *hip.Stream
			during(a, func() {
				var err error
				s, err = f.dev.NewStream(true)
				f.ok(err, s.BeginCapture(test.capture))
			})
			during(b, func() {
				_, err := f.dev.ExchangeCaptureMode(test.other)
				f.ok(err)
				p, err := f.dev.Malloc(64)
				f.code(err, test.malloc)
				if p != 0 {
					f.ok(f.dev.Free(p))
				}
				_, err = s.EndCapture()
				f.code(err, test.ends)
			})
			during(a, func() {
				_, err := s.EndCapture()
				f.code(err, test.endsOwn)
			})
		})
	}
}

// TestThreadsAreOrderedByWaits uses memory in two threads. Work that the first thread waited for before is done for
// both, but a wait of one of them orders nothing for the other.
func TestThreadsAreOrderedByWaits(t *testing.T) {
	f := share(t)
	var p driver.Ptr
	var event *hip.Event
	during(f.rt.Main(), func() {
		var err error
		p, err = f.dev.Malloc(64)
		f.ok(err, f.dev.Fill(p, 1, 64))
		event, err = f.dev.NewEvent()
		f.ok(err)
	})
	use := func(thread *hip.Thread, first func(s *hip.Stream)) {
		during(thread, func() {
			s, err := f.dev.NewStream(true)
			f.ok(err)
			if first != nil {
				first(s)
			}
			f.ok(f.dev.FillAsync(p, 2, 64, s), event.Record(s), s.Synchronize())
		})
	}
	hazards := func() (n int) {
		during(f.rt.Main(), func() { n = len(f.rt.Hazards()) })
		return n
	}
	a, b := f.rt.NewThread(), f.rt.NewThread()
	use(a, nil)
	if n := hazards(); n != 0 {
		t.Errorf("%d hazards with what was done before the threads", n)
	}
	use(b, nil)
	if n := hazards(); n != 1 {
		t.Errorf("%d hazards between the threads, want 1", n)
	}
	use(a, func(s *hip.Stream) { f.ok(s.WaitEvent(event)) })
	if n := hazards(); n != 0 {
		t.Errorf("%d hazards after a wait for the event of the other thread", n)
	}
	a.Close()
	b.Close()
	during(f.rt.Main(), func() { f.ok(f.dev.Fill(p, 3, 64)) })
	if n := hazards(); n != 0 {
		t.Errorf("%d hazards after the end of the threads", n)
	}
}

// TestThreadsRunTheirFunctions lets two threads wait for functions of the host that the other one queued, at the same
// time.
func TestThreadsRunTheirFunctions(t *testing.T) {
	f := share(t)
	var streams [2]*hip.Stream
	during(f.rt.Main(), func() {
		for i := range streams {
			streams[i], _ = f.dev.NewStream(true)
		}
	})
	var queued, done sync.WaitGroup
	var inside [2]atomic.Bool
	queued.Add(2)
	for i := range streams {
		done.Go(func() {
			thread := f.rt.NewThread()
			defer thread.Close()
			during(thread, func() {
				f.ok(f.dev.LaunchHostFunc(streams[i], func(hip.HostRun) {
					if f.rt.Thread != thread {
						t.Errorf("another thread runs the function of thread %d", i)
					}
					inside[i].Store(true)
				}))
			})
			queued.Done()
			queued.Wait()
			during(thread, func() { f.ok(streams[1-i].Synchronize(), thread.RunHostFuncs()) })
			if !inside[1-i].Load() {
				t.Errorf("thread %d does not wait for the function", i)
			}
		})
	}
	done.Wait()
}

// TestOthersMakeCallsDuringAWait lets a thread wait for a function that another thread queues and runs later.
func TestOthersMakeCallsDuringAWait(t *testing.T) {
	f := share(t)
	a, b := f.rt.NewThread(), f.rt.NewThread()
	var s *hip.Stream
	during(b, func() {
		s, _ = f.dev.NewStream(true)
		f.ok(f.dev.LaunchHostFunc(s, func(hip.HostRun) {}))
	})
	var waited atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		during(a, func() { f.ok(s.Synchronize()) })
		waited.Store(true)
	}()
	for range 100 {
		during(b, func() {
			e, err := f.dev.NewEvent()
			f.ok(err, e.Destroy())
		})
		time.Sleep(50 * time.Microsecond)
	}
	during(b, func() {
		if waited.Load() {
			t.Error("the wait ends before the function runs")
		}
		f.ok(b.RunHostFuncs())
	})
	<-done
	a.Close()
	b.Close()
}

// TestManyThreads makes many calls in many threads, which share a stream and memory.
func TestManyThreads(t *testing.T) {
	f := share(t)
	var shared *hip.Stream
	during(f.rt.Main(), func() { shared, _ = f.dev.NewStream(true) })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			thread := f.rt.NewThread()
			defer thread.Close()
			for i := range 300 {
				during(thread, func() { f.someCalls(i, shared) })
			}
		})
	}
	group.Wait()
	if live := f.rt.Stats().LiveBlocks; live != 0 || f.rt.OpenStreams() != 1 {
		t.Errorf("%d blocks and %d streams are open", live, f.rt.OpenStreams())
	}
	if n := len(f.rt.Hazards()); n != 0 {
		t.Errorf("%d hazards", n)
	}
}

func (f *threads) someCalls(i int, shared *hip.Stream) {
	s, err := f.dev.NewStream(true)
	f.ok(err)
	if i%3 == 0 {
		f.ok(s.Destroy())
		s = shared
	}
	const n = 64 << 10 // more than the host performs itself
	p, err := f.dev.Malloc(n)
	f.ok(err)
	data := make([]byte, n)
	f.ok(f.dev.FillAsync(p, byte(i), n, s), f.dev.ReadAsync(data, p, s))
	if i%2 == 0 {
		f.ok(s.Synchronize())
	} else {
		f.ok(f.dev.Synchronize())
	}
	if data[0] != byte(i) || data[n-1] != byte(i) {
		f.Errorf("read %d and %d, want %d", data[0], data[n-1], byte(i))
	}
	f.ok(f.dev.Free(p))
	if s != shared {
		f.ok(s.Destroy())
	}
}
