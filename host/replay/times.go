package replay

import (
	"fmt"
	"io"
	"time"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/recording"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Times are the host's times in virtual time, by the model of the devices; all 0 in real time.
type Times struct {
	Total   time.Duration // until the last thread's last call has ended
	Waits   time.Duration // in calls that wait for a device, of all threads
	Waiting int           // the number of these calls
	Growths time.Duration // of the HIP calls that grow handles
}

func (t *Times) add(calls []trace.Call) {
	for i := range calls {
		c := &calls[i]
		took := time.Duration(c.Duration * 1e9)
		if c.Synchronizing {
			t.Waits += took
			t.Waiting++
		}
		if c.Cause == trace.CauseGrowth {
			t.Growths += took
		}
	}
}

// describe records the times, if there are any.
func (t *Times) describe(to *record.Record, log io.Writer) {
	if t.Total == 0 {
		return
	}
	fmt.Fprintf(log, "modelled times of the device, with the program's pauses: %v; %v in %s that wait, and %v in "+
		"growths\n", t.Total, t.Waits, units.Count(t.Waiting, "call"), t.Growths)
	for _, m := range []struct {
		name string
		of   time.Duration
	}{{"model.seconds", t.Total}, {"model.wait_seconds", t.Waits}, {"model.growth_seconds", t.Growths}} {
		to.Metrics = append(to.Metrics, record.Metric{Name: m.name, Value: m.of.Seconds(), Unit: "s"})
	}
}

// threadTimes are the virtual times of the recorded threads. A thread pauses between two calls as long as it did when
// it was recorded, and calls begin in the recorded order: none before the call that took effect before it.
type threadTimes struct {
	clock driver.Clock // nil in real time
	of    map[int]threadTime
	begun time.Duration // the latest call, in virtual time
	start time.Duration // and when it was recorded
}

// threadTime is the end of a thread's latest call, in virtual time and when it was recorded.
type threadTime struct{ now, recorded time.Duration }

// begin sets the time of a call. A thread without earlier calls keeps its distance to the call before.
func (t *threadTimes) begin(c *recording.Call) {
	if t.clock == nil {
		return
	}
	last, ok := t.of[c.Thread]
	if !ok {
		last = threadTime{t.begun, t.start}
	}
	t.begun, t.start = max(t.begun, last.now+max(0, c.Start-last.recorded)), c.Start
	t.clock.Set(t.begun)
}

func (t *threadTimes) end(c *recording.Call) time.Duration {
	now := t.clock.Now()
	t.of[c.Thread] = threadTime{now, c.End}
	return now
}
