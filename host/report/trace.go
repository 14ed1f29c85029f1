package report

import (
	"fmt"
	"io"
	"slices"

	"roclua/hip/trace"
	"roclua/host/report/timeline"
	"roclua/host/result"
)

// traceEvent is one event of the Trace Event Format, which Perfetto opens: a case is a process, the host and each
// stream are its threads. Times are microseconds.
type traceEvent struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"` // X: lasts; C: counter; i: instant; M: a name
	Time     float64        `json:"ts"`
	Duration float64        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Scope    string         `json:"s,omitempty"`
	Category string         `json:"cat,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

const (
	hostThread  = 1
	firstStream = 2 // the thread of the null stream; stream n has this + n

	threadsOfDevice = 1 << 20 // between the null streams of devices
)

func threadOf(device, stream int) int { return firstStream + device*threadsOfDevice + stream }

// traceFile is the file of the format. Its events are written one after the other.
type traceFile struct {
	Unit   string            `json:"displayTimeUnit"`
	Other  map[string]string `json:"otherData"`
	Events []traceEvent      `json:"traceEvents"`
}

// WriteTrace writes the calls of the host and the kernels in the streams of every case.
func (r *Report) WriteTrace(w io.Writer) error {
	file := traceFile{Unit: "ms", Other: map[string]string{"tool": "roclua", "version": r.Version}}
	events := result.Stream(func(add func(*traceEvent) error) error {
		return r.Each(func(i int, c *result.Result) error {
			for _, e := range r.events(i, c) {
				if err := add(&e); err != nil {
					return err
				}
			}
			return nil
		})
	})
	err := result.Encode(w, file, result.Plain, events)
	fmt.Fprintln(w)
	return err
}

func (r *Report) events(i int, c *result.Result) []traceEvent {
	if c.Record.WasSkipped() {
		return nil
	}
	t := tracer{process: i + 1, start: c.Started.Sub(r.Started).Seconds()}
	t.name("process_name", 0, c.ID)
	t.name("thread_name", hostThread, "host")
	t.draw(timeline.Of(c.Record.History))
	args := map[string]any{"id": c.ID, "why": explainQuietly(c)}
	if c.HistoryMissing {
		args["no_history"] = "an earlier run finished the case, and no output of that run needed its calls"
	}
	return append(t.events, traceEvent{Name: string(c.Outcome()), Phase: "X", Time: micros(t.start),
		Duration: micros(c.Record.Seconds), Process: t.process, Thread: hostThread, Category: "case", Args: args})
}

func micros(seconds float64) float64 { return seconds * 1e6 }

// tracer collects the events of one case.
type tracer struct {
	process int
	start   float64 // seconds since the run began
	events  []traceEvent
}

func (t *tracer) name(event string, thread int, name string) {
	t.events = append(t.events, traceEvent{Name: event, Phase: "M", Process: t.process, Thread: thread,
		Args: map[string]any{"name": name}})
}

func (t *tracer) at(seconds float64) float64 { return micros(t.start + seconds) }

func (t *tracer) draw(line *timeline.Timeline) {
	for _, c := range line.Calls {
		t.events = append(t.events, traceEvent{Name: c.Name, Phase: "X", Time: t.at(c.Seconds),
			Duration: micros(c.Duration), Process: t.process, Thread: hostThread,
			Category: "hip", Args: callArgs(c)})
	}
	var threads []int
	for _, k := range line.Kernels {
		thread := threadOf(k.Device, k.Stream)
		if !slices.Contains(threads, thread) {
			threads = append(threads, thread)
			name := fmt.Sprintf("stream %d", k.Stream)
			if line.Devices != nil {
				name += fmt.Sprintf(" of device %d", k.Device)
			}
			t.name("thread_name", thread, name)
		}
		e := traceEvent{Name: k.Name, Phase: "X", Time: t.at(k.Start), Duration: micros(k.End - k.Start),
			Process: t.process, Thread: thread,
			Category: "kernel", Args: map[string]any{"origin": k.Origin, "queued_us": micros(k.Queued)}}
		if k.End == 0 {
			e.Phase, e.Scope, e.Time, e.Duration = "i", "t", t.at(k.Queued), 0
		}
		t.events = append(t.events, e)
	}
	for _, h := range line.Hazards {
		t.events = append(t.events, traceEvent{Name: fmt.Sprintf("hazard: %s and %s", h.Earlier.Call, h.Later.Call),
			Phase: "i", Scope: "p", Time: t.at(h.Seconds), Process: t.process, Thread: hostThread, Category: "hazard",
			Args: map[string]any{"text": h.String(), "earlier": h.Earlier, "later": h.Later}})
	}
	t.counter("device memory", line.Live)
	for i, d := range line.Devices {
		t.counter(fmt.Sprintf("memory of device %d", i), d.Live)
	}
	for _, track := range line.Handles {
		name := fmt.Sprintf("memory of handle %d", track.Handle)
		if line.Devices != nil {
			name += fmt.Sprintf(" on device %d", track.Device)
		}
		t.counter(name, track.Steps)
	}
	for _, m := range line.Marks {
		if m.Text != "" {
			t.events = append(t.events, traceEvent{Name: "failure", Phase: "i", Scope: "p", Time: t.at(m.Seconds),
				Process: t.process, Thread: hostThread,
				Args: map[string]any{"text": m.Text, "origin": m.Origin}})
		}
	}
}

func (t *tracer) counter(name string, steps []timeline.Step) {
	for _, s := range steps {
		t.events = append(t.events, traceEvent{Name: name, Phase: "C", Time: t.at(s.At), Process: t.process,
			Args: map[string]any{"bytes": s.Bytes}})
	}
}

func callArgs(c trace.Call) map[string]any {
	args := map[string]any{"cause": c.Cause, "origin": c.Origin}
	if c.Device > 0 {
		args["device"] = c.Device
	}
	if c.HasBytes {
		args["bytes"] = c.Bytes
	}
	if c.HasStream {
		args["stream"] = c.Stream
	}
	if c.Result != 0 {
		args["result"] = c.Result.Error()
	}
	if c.Injected != "" {
		args["injected"] = c.Injected
	}
	if c.Synchronizing {
		args["host_waits"] = true
	}
	return args
}
