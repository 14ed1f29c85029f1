package cpu

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/driver"
)

// begin captures a stream.
func (b *bench) begin(s driver.Stream, mode driver.CaptureMode) {
	b.Helper()
	b.ok(b.dev.BeginCapture(s, mode))
}

// end ends the capture of a stream and returns the executable graph.
func (b *bench) end(s driver.Stream) driver.GraphExec {
	b.Helper()
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	e, err := g.Instantiate()
	b.ok(err)
	b.ok(g.Destroy())
	return e
}

func (b *bench) event() driver.Event {
	b.Helper()
	e, err := b.dev.NewEvent()
	b.ok(err)
	return e
}

// says fails if an error has another code, or lacks a part of its text.
func (b *bench) says(err error, want driver.Error, parts ...string) {
	b.Helper()
	b.code(err, want)
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			b.Errorf("%v does not say %q", err, part)
		}
	}
}

// TestCaptureForksAndJoins captures two streams and checks nodes, dependencies and results of two launches.
func TestCaptureForksAndJoins(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(64)
	b.write(p, make([]byte, 64))
	s, other, third := b.stream(false), b.stream(true), b.stream(true)
	fork, join := b.event(), b.event()
	b.begin(s, driver.CaptureGlobal)
	b.at = 1
	b.ok(b.dev.Fill(s, p, 7, 32))
	b.ok(fork.Record(s))
	b.ok(other.WaitEvent(fork))
	b.at = 2
	b.ok(b.dev.Copy(other, p+32, p, driver.Row(16)))
	b.at = 3
	b.ok(b.dev.Fill(s, p+16, 8, 16))
	b.ok(join.Record(other))
	b.ok(s.WaitEvent(join))
	out := make([]byte, 64)
	b.ok(b.dev.Read(s, out, p, driver.Row(uint64(len(out)))))
	status, id, err := b.dev.CaptureInfo(other)
	if status != driver.CaptureActive || id != 1 || err != nil {
		t.Errorf("the forked stream has status %d, capture %d, %v", status, id, err)
	}
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	nodes, err := g.Nodes()
	b.ok(err)
	var have []string
	for _, n := range nodes {
		have = append(have, fmt.Sprintf("%d %d %s %v", n.Type, n.Bytes, n.Origin, n.After))
	}
	want := []string{"2 32 1 []", "1 16 2 [0]", "2 16 3 [0]", "1 64 3 [2 1]"}
	if !slices.Equal(have, want) {
		t.Errorf("nodes %q, want %q", have, want)
	}
	if !bytes.Equal(b.read(p, 64), make([]byte, 64)) {
		t.Error("captured work ran")
	}
	e, err := g.Instantiate()
	b.ok(err)
	b.ok(g.Destroy())
	for _, in := range []driver.Stream{s, third, b.dev.null} {
		b.write(p, make([]byte, 64))
		b.ok(e.Launch(in, nil))
		b.ok(in.Synchronize())
		result := slices.Concat(bytes.Repeat([]byte{7}, 16), bytes.Repeat([]byte{8}, 16), bytes.Repeat([]byte{7}, 16),
			make([]byte, 16))
		if !bytes.Equal(out, result) || !bytes.Equal(b.read(p, 64), result) {
			t.Errorf("a launch gives %v, want %v", out, result)
		}
	}
	if h := b.dev.Hazards(); len(h) > 0 {
		t.Errorf("hazards %v", h)
	}
	b.ok(e.Destroy())
	b.code(e.Destroy(), driver.ErrorInvalidValue)
	b.code(e.Launch(s, nil), driver.ErrorInvalidValue)
	b.code(g.Destroy(), driver.ErrorIllegalState)
	_, err = g.Instantiate()
	b.code(err, driver.ErrorInvalidValue)
}

// TestCallsDuringCapture makes each call that a mode forbids: its status, whether it invalidates the capture, and that
// the device works afterwards.
func TestCallsDuringCapture(t *testing.T) {
	const never, always = -1, 3
	for _, test := range []struct {
		name    string
		call    func(b *bench, s, other driver.Stream, recorded driver.Event) error
		code    driver.Error
		allowed driver.CaptureMode // in which the call is allowed; never or always
	}{
		{"malloc", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			_, err := b.dev.Malloc(8)
			return err
		}, driver.ErrorCaptureUnsupported, driver.CaptureRelaxed},
		{"free of null", func(b *bench, _, _ driver.Stream, _ driver.Event) error { return b.dev.Free(0) },
			driver.ErrorCaptureUnsupported, driver.CaptureRelaxed},
		{"device", func(b *bench, _, _ driver.Stream, _ driver.Event) error { return b.dev.Synchronize() },
			driver.ErrorCaptureUnsupported, never},
		{"stream", func(_ *bench, s, _ driver.Stream, _ driver.Event) error { return s.Synchronize() },
			driver.ErrorCaptureUnsupported, never},
		{"query", func(_ *bench, s, _ driver.Stream, _ driver.Event) error { return s.Query() },
			driver.ErrorCaptureUnsupported, never},
		{"other stream", func(_ *bench, _, other driver.Stream, _ driver.Event) error { return other.Synchronize() },
			driver.ErrorCaptureUnsupported, driver.CaptureRelaxed},
		{"other query", func(_ *bench, _, other driver.Stream, _ driver.Event) error { return other.Query() },
			driver.ErrorCaptureUnsupported, driver.CaptureRelaxed},
		{"event", func(_ *bench, _, _ driver.Stream, e driver.Event) error { return e.Synchronize() },
			driver.ErrorCapturedEvent, never},
		{"event query", func(_ *bench, _, _ driver.Stream, e driver.Event) error { return e.Query() },
			driver.ErrorCapturedEvent, never},
		{"other event", func(b *bench, _, _ driver.Stream, _ driver.Event) error { return b.event().Query() },
			driver.ErrorCaptureUnsupported, driver.CaptureRelaxed},
		{"null stream", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			return b.event().Record(b.dev.null)
		}, driver.ErrorCaptureImplicit, never},
		{"null stream waits", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			return b.dev.null.WaitEvent(b.event())
		}, driver.ErrorCaptureImplicit, never},
		{"null stream joins", func(b *bench, _, _ driver.Stream, e driver.Event) error {
			return b.dev.null.WaitEvent(e)
		}, driver.ErrorCaptureImplicit, never},
		{"null stream synchronizes", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			return b.dev.null.Synchronize()
		}, driver.ErrorCaptureImplicit, never},
		{"host copy", func(b *bench, _, _ driver.Stream, _ driver.Event) error { return b.dev.CheckHostCopy() },
			driver.ErrorCaptureImplicit, never},
		{"wait for work that is not captured", func(b *bench, s, other driver.Stream, _ driver.Event) error {
			e := b.event()
			b.ok(e.Record(other))
			return s.WaitEvent(e)
		}, driver.ErrorCaptureIsolation, never},
		{"wait for an event without a record", func(b *bench, s, _ driver.Stream, _ driver.Event) error {
			return s.WaitEvent(b.event())
		}, 0, always},
		{"pool of the null stream", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			p, err := b.dev.MallocAsync(b.dev.null, 8)
			b.ok(err)
			return b.dev.FreeAsync(b.dev.null, p)
		}, 0, always},
		{"memory info", func(b *bench, _, _ driver.Stream, _ driver.Event) error {
			_, _, err := b.dev.MemInfo()
			return err
		}, 0, always},
	} {
		for mode := driver.CaptureGlobal; mode <= driver.CaptureRelaxed; mode++ {
			b := open(t, driver.Config{})
			s, other, e := b.stream(false), b.stream(true), b.event()
			b.at = 10
			b.begin(s, mode)
			b.ok(e.Record(s))
			b.at = 20
			err := test.call(b, s, other, e)
			allowed := test.allowed == always || test.allowed == mode
			_, endErr := b.dev.EndCapture(s)
			if allowed {
				b.code(err, driver.Success)
				b.code(endErr, driver.Success)
			} else {
				b.says(err, test.code)
				b.says(endErr, driver.ErrorCaptureInvalidated, "the capture of stream 1 that call at 10 began",
					"invalidated by call at 20")
			}
			if t.Failed() {
				t.Fatalf("%s in mode %d", test.name, mode)
			}
			b.ok(b.dev.Synchronize())
			b.ok(b.dev.Free(b.malloc(8)))
			b.begin(s, mode)
			b.end(s)
		}
	}
}

// TestCaptureModeOfThread exchanges the mode: in relaxed mode the thread may make unsafe calls.
func TestCaptureModeOfThread(t *testing.T) {
	b := open(t, driver.Config{})
	s := b.stream(true)
	before, err := b.dev.ExchangeCaptureMode(driver.CaptureRelaxed)
	b.ok(err)
	_, err = b.dev.ExchangeCaptureMode(3)
	b.code(err, driver.ErrorInvalidValue)
	b.begin(s, driver.CaptureGlobal)
	b.ok(b.dev.Free(b.malloc(8)))
	after, err := b.dev.ExchangeCaptureMode(before)
	b.ok(err)
	if before != driver.CaptureGlobal || after != driver.CaptureRelaxed {
		t.Errorf("modes %d and %d", before, after)
	}
	b.code(b.dev.Fill(s, 1, 1, 1), driver.ErrorInvalidValue)
	_, err = b.dev.Malloc(8)
	b.code(err, driver.ErrorCaptureUnsupported)
	b.code(b.dev.Fill(s, 1, 1, 1), driver.ErrorCaptureInvalidated) // the capture is checked before the arguments
	b.code(b.dev.Fill(s, 1, 1, 0), driver.ErrorCaptureInvalidated) // also of a copy without bytes
	_, err = b.dev.MallocAsync(s, 1<<60)
	b.code(err, driver.ErrorCaptureInvalidated)
	b.code(b.dev.FreeAsync(s, 1), driver.ErrorCaptureInvalidated)
	_, err = b.dev.EndCapture(s)
	b.code(err, driver.ErrorCaptureInvalidated)
}

// TestInvalidatedCaptures begins a global capture in another thread, and a global and a thread-local one in this one,
// and makes a call: which captures it invalidates.
func TestInvalidatedCaptures(t *testing.T) {
	wait := func(b *bench) error { return b.stream(true).Synchronize() }
	query := func(b *bench) error { return b.stream(true).Query() }
	malloc := func(b *bench) error { _, err := b.dev.Malloc(8); return err }
	for _, test := range []struct {
		name        string
		call        func(b *bench) error
		findsGlobal bool
		mode        driver.CaptureMode // of the thread
		begun       string             // other, global and local captures
		want        string             // those that the call invalidates
	}{
		{"wait", wait, false, driver.CaptureGlobal, "gl", "g"},
		{"query", query, false, driver.CaptureGlobal, "gl", "g"},
		{"wait", wait, true, driver.CaptureGlobal, "ogl", "og"},
		{"wait", wait, false, driver.CaptureGlobal, "ogl", "og"},
		{"wait", wait, false, driver.CaptureGlobal, "l", "l"},
		{"wait", wait, true, driver.CaptureThreadLocal, "ogl", "og"},
		{"wait", wait, true, driver.CaptureThreadLocal, "l", "l"},
		{"wait", wait, false, driver.CaptureThreadLocal, "ogl", "gl"},
		{"wait", wait, false, driver.CaptureThreadLocal, "o", ""},
		{"query", query, true, driver.CaptureThreadLocal, "o", "o"},
		{"wait", wait, true, driver.CaptureRelaxed, "ogl", ""},
		{"malloc", malloc, true, driver.CaptureGlobal, "ogl", "gl"},
		{"malloc", malloc, true, driver.CaptureGlobal, "o", "o"},
		{"malloc", malloc, true, driver.CaptureThreadLocal, "ogl", "gl"},
		{"malloc", malloc, true, driver.CaptureThreadLocal, "o", ""},
	} {
		b := open(t, driver.Config{WaitsFindGlobal: test.findsGlobal})
		main, other := b.rt.thread, b.rt.NewThread(func(wait func()) { wait() })
		streams := map[rune]driver.Stream{}
		for _, c := range test.begun {
			streams[c] = b.stream(true)
			switch c {
			case 'o':
				other.Enter()
				b.begin(streams[c], driver.CaptureGlobal)
				main.Enter()
			case 'g':
				b.begin(streams[c], driver.CaptureGlobal)
			case 'l':
				b.begin(streams[c], driver.CaptureThreadLocal)
			}
		}
		_, err := b.dev.ExchangeCaptureMode(test.mode)
		b.ok(err)
		if err = test.call(b); test.want == "" {
			b.ok(err)
		} else {
			b.code(err, driver.ErrorCaptureUnsupported)
		}
		var have string
		for _, c := range test.begun {
			if status, _, err := b.dev.CaptureInfo(streams[c]); status == driver.CaptureInvalidated && err == nil {
				have += string(c)
			}
		}
		if have != test.want {
			t.Errorf("%s in mode %d, global first %v, invalidates %q of %q, want %q", test.name, test.mode,
				test.findsGlobal, have, test.begun, test.want)
		}
	}
}

// TestCaptureErrors begins and ends captures wrongly.
func TestCaptureErrors(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(8)
	s, other := b.stream(false), b.stream(true)
	fork := b.event()
	end := func(s driver.Stream) error { _, err := b.dev.EndCapture(s); return err }
	b.says(b.dev.BeginCapture(b.dev.null, 0), driver.ErrorCaptureUnsupported)
	b.says(b.dev.BeginCapture(s, 3), driver.ErrorInvalidValue)
	b.says(end(s), driver.ErrorIllegalState)
	b.says(end(b.dev.null), driver.ErrorIllegalState)
	b.at = 5
	b.begin(s, 0)
	b.says(b.dev.BeginCapture(s, 0), driver.ErrorIllegalState, "since call at 5")
	_, _, err := b.dev.CaptureInfo(b.dev.null)
	b.says(err, driver.ErrorCaptureImplicit, "call at 5")
	b.ok(fork.Record(s))
	b.ok(other.WaitEvent(fork))
	b.says(end(other), driver.ErrorCaptureUnmatched, "stream 1 by call at 5")
	b.at = 6
	b.ok(b.dev.Fill(other, p, 1, 8))
	b.says(end(s), driver.ErrorCaptureUnjoined, "call at 6 in stream 2")
	b.ok(b.dev.Fill(other, p, 1, 8)) // neither is captured any more
	b.ok(other.Synchronize())
	// An event of a capture that has ended counts as not recorded.
	b.ok(fork.Query())
	_, err = fork.Since(fork)
	b.code(err, driver.ErrorInvalidHandle)
	b.begin(s, 0)
	b.begin(other, 0)
	b.ok(fork.Record(s))
	b.says(other.WaitEvent(fork), driver.ErrorCaptureMerge)
	status, _, _ := b.dev.CaptureInfo(other)
	if status != driver.CaptureInvalidated {
		t.Errorf("status %d after a merge", status)
	}
	b.says(b.dev.Fill(other, p, 1, 8), driver.ErrorCaptureInvalidated)
	b.says(fork.Record(other), driver.ErrorCaptureInvalidated)
	b.says(s.WaitEvent(fork), driver.ErrorCaptureInvalidated)
	b.says(end(s), driver.ErrorCaptureInvalidated)
	b.says(end(other), driver.ErrorCaptureInvalidated)
	b.begin(s, 0)
	b.ok(s.Destroy())
	b.ok(b.dev.Free(p))
}
