package replay_test

import (
	"testing"
	"time"

	"roclua/hip/function"
	"roclua/host/recording"
	"roclua/host/replay"
)

// easy is a row of the model of time that is easy to add up: a launch takes 1 us, a kernel 10 us, a wait 2 us,
// hipMalloc and hipFree 50 us, and operations, bytes and rows take no time.
var easy = map[string]float64{"launch": 1e-6, "kernel": 10e-6, "step": 1e-15, "row": 1e-15, "wait": 2e-6,
	"malloc": 50e-6, "free": 50e-6, "bandwidth": 1e30, "f64": 1e30}

// TestTimes adds up the times of two threads. A call of the tape takes 1 us, and the next one begins 1 us later, or
// 5 us later after a growth, whose two calls are before it.
//
//	create   begins at 2 us, as recorded; hipMalloc waits and takes 50: until 54
//	solve    after a pause of 1, with 3 launches: until 58; the kernel until 68
//	solve    after a pause of 5, at 63, grows: hipFree waits until 68 + 2 and takes 50, hipMalloc 2 and 50: until 172,
//	         with the launches until 175; the kernel until 185
//	solve    after a pause of 501, at 676: until 679; the kernel until 689
//	thread 2 begins 2 us after the call before, at 678, and waits: until 689 + 2
//
// The waits are 52 + 109 + 13 us. A preallocated handle saves the 109 us of the growth and nothing else.
func TestTimes(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.solve(1, 100, 0, 0)
	r.solve(1, 6000, 0, 0, r.hip("hipFree", 'm', 0x1000), r.malloc(0x2000, grown, 0))
	r.now += 500 * time.Microsecond
	r.solve(1, 100, 0, 0)
	r.thread = 2
	r.runtime("hipDeviceSynchronize")
	if have := r.run().Times; have.Total != 0 || have.Waits != 0 {
		t.Errorf("in real time: %+v", have)
	}
	r.time = easy
	const us = time.Microsecond
	for range 2 {
		if have, want := r.run().Times, (replay.Times{Total: 691 * us, Waits: 174 * us, Waiting: 4,
			Growths: 109 * us}); have != want {
			t.Errorf("%+v, want %+v", have, want)
		}
	}
	r.scheme, r.bytes = "preallocated", grown
	if have, want := r.run().Times, (replay.Times{Total: 582 * us, Waits: 65 * us, Waiting: 2}); have != want {
		t.Errorf("preallocated: %+v, want %+v", have, want)
	}
}

// TestTimesOfQueries lets a program that asked a stream until its work had ended wait, too. The kernel of the handle
// begins at 58 us and ends at 68. The query is made at 59, 61, 64 and 69: a look takes 1 us, and the pauses are 1,
// 2 and 4 us. The last one takes a wait of 2 us.
func TestTimesOfQueries(t *testing.T) {
	r := newTape(t)
	r.time = easy
	r.create(1, 0x1000)
	r.solve(1, 100, 0, 0)
	r.runtime("hipStreamQuery", recording.Value{Letter: function.Stream})
	result := r.run()
	expectAgreement(t, result, "growths 0/0, statuses 3/3, queries 0/0")
	if have := result.Times.Total; have != 71*time.Microsecond {
		t.Errorf("the query ends at %v", have)
	}
}
