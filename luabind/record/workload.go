package record

import "time"

// Workload is the field workload of a scenario: clients that run events in parallel.
type Workload struct {
	Clients  int           // at most; with stages also at the start
	Duration time.Duration // of the arrivals, or of closed load; 0 without one
	Count    int64         // events; 0 for as many as fit into the duration
	Rate     float64       // arrivals in a second; 0 for closed load
	Even     bool          // arrivals are at equal distances, not random ones
	Queue    int           // arrivals that wait for a client, at most
	Stages   []Stage
	Events   []Event       // one without a name, or several with names
	Shared   []string      // handles of setup that clients use
	Abort    []string      // metrics whose expectations end the load when they fail
	Tolerate []string      // statuses with which events may fail
	Grace    time.Duration // that the last events may take after the load
	Warmup   time.Duration // events that arrive before are not counted
}

// Stage is a part of a workload during which the number of clients or the rate changes at an even pace.
type Stage struct {
	Start, Duration time.Duration
	Clients         int     // at its end; below 0 for no change
	Rate            float64 // at its end; below 0 for no change
}

// Event is a kind of event.
type Event struct {
	Name   string // "" for the only one
	Weight float64
}

// Open reports whether events arrive at a rate, and do not begin when clients are ready.
func (w *Workload) Open() bool {
	for _, s := range w.Stages {
		if s.Rate > 0 {
			return true
		}
	}
	return w.Rate > 0
}

// Length returns how long the load lasts, 0 if the number of events decides.
func (w *Workload) Length() time.Duration {
	if n := len(w.Stages); n > 0 {
		return w.Stages[n-1].Start + w.Stages[n-1].Duration
	}
	return w.Duration
}

// MostClients returns the largest number of clients at once.
func (w *Workload) MostClients() int {
	most := w.Clients
	for _, s := range w.Stages {
		most = max(most, s.Clients)
	}
	return most
}

// Load is the result of a workload.
type Load struct {
	Clients   int              `json:"clients"`             // clients at once, at most
	Seconds   float64          `json:"seconds"`             // from the start to the end of the last event
	Warmup    float64          `json:"warmup,omitempty"`    // at the beginning, whose events are not counted
	Stopped   string           `json:"stopped"`             // why it ended: duration, count, interrupted, a condition
	Arrivals  int64            `json:"arrivals"`            // events that were due, dropped ones included
	Events    int64            `json:"events"`              // events that ended without an error
	Errors    map[string]int64 `json:"errors,omitempty"`    // events that failed, by status
	Dropped   int64            `json:"dropped,omitempty"`   // events that the full queue dropped
	Late      int64            `json:"late,omitempty"`      // events that began late although a client was idle
	Open      bool             `json:"open,omitempty"`      // events arrived at a rate
	Simulated bool             `json:"simulated,omitempty"` // the times are not of a real device
	Model     bool             `json:"model,omitempty"`     // the times are modelled, not measured

	Latency   Latencies  `json:"latency"`             // of all events
	Named     []Latency  `json:"named,omitempty"`     // latencies of each kind of event, if they have names
	Intervals []Interval `json:"intervals,omitempty"` // what happened over time
	Handles   []Holding  `json:"handles,omitempty"`   // how the memory of handles changed
}

// Latencies are quantiles of the seconds from the arrival of an event, or from its beginning in closed load, to its
// end.
type Latencies struct {
	Mean float64 `json:"mean"` // of all events, exact
	P50  float64 `json:"p50"`  // median
	P90  float64 `json:"p90"`  // 90 % of the events took at most as long
	P99  float64 `json:"p99"`  // 99 % did
	P999 float64 `json:"p999"` // 99.9 % did
	Max  float64 `json:"max"`  // the longest

	Histogram []Bucket `json:"histogram,omitempty"` // twenty buckets per decade, the shortest first
}

// Bucket counts the events whose latencies are above those of the bucket before it.
type Bucket struct {
	Most   float64 `json:"most"`   // longest latency that belongs here
	Events int64   `json:"events"` // events that ended without an error
}

// Latency are the latencies of a kind of event.
type Latency struct {
	Name      string    `json:"name"`    // name of the kind
	Events    int64     `json:"events"`  // events that ended without an error
	Latencies Latencies `json:"latency"` // quantiles
}

// Interval is a part of a workload, with times in seconds.
type Interval struct {
	Start   float64 `json:"start"`             // since the start of the load
	End     float64 `json:"end"`               // since the start of the load
	Clients int     `json:"clients"`           // active clients at the end
	Events  int64   `json:"events"`            // events that ended without an error
	Errors  int64   `json:"errors,omitempty"`  // events that failed
	Dropped int64   `json:"dropped,omitempty"` // events that the full queue dropped
	P50     float64 `json:"p50"`               // median latency
	P99     float64 `json:"p99"`               // latency of 99 % of the events
	Max     float64 `json:"max"`               // the longest latency
	Held    uint64  `json:"held"`              // bytes of device memory at the end
	Growths int     `json:"growths,omitempty"` // how often workspaces of handles grew
	Waits   int     `json:"waits,omitempty"`   // how often libraries made the host wait
}

// Holding is the memory of a handle from a time on.
type Holding struct {
	Handle  int     `json:"handle"`  // number of the handle
	Seconds float64 `json:"seconds"` // since the start of the load
	Bytes   uint64  `json:"bytes"`   // memory of the handle
}

// Threshold is an expectation on a metric, which a workload can end for when it fails.
type Threshold struct{ Metric, Is string }

// Failed returns how many events failed.
func (l *Load) Failed() (n int64) {
	for _, count := range l.Errors {
		n += count
	}
	return n
}

// Metrics returns the metrics of the load.
func (l *Load) Metrics() []Metric {
	rate := 0.0
	if counted := l.Seconds - l.Warmup; counted > 0 {
		rate = float64(l.Events) / counted
	}
	list := []Metric{{Name: "events", Value: l.Events}, {Name: "events_per_second", Value: rate, Unit: "1/s"},
		{Name: "errors", Value: l.Failed()}}
	if l.Open {
		list = append(list, Metric{Name: "dropped", Value: l.Dropped}, Metric{Name: "late", Value: l.Late})
	}
	if l.Events > 0 {
		list = l.Latency.metrics(list, "")
	}
	for _, n := range l.Named {
		list = append(list, Metric{Name: n.Name + ".events", Value: n.Events})
		if n.Events > 0 {
			list = n.Latencies.metrics(list, n.Name+".")
		}
	}
	return list
}

func (l *Latencies) metrics(list []Metric, prefix string) []Metric {
	for _, q := range []struct {
		name  string
		value float64
	}{{"mean", l.Mean}, {"p50", l.P50}, {"p90", l.P90}, {"p99", l.P99}, {"p999", l.P999}, {"max", l.Max}} {
		list = append(list, Metric{Name: prefix + "latency." + q.name, Value: q.value, Unit: "s"})
	}
	return list
}
