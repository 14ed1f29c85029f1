package result

import (
	"encoding/json"
	"fmt"
	"math"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/exit"
	"roclua/internal/escape"
	"roclua/luabind/record"
)

// SchemaVersion is the version of the JSON that reports and event files are written in. It changes when a field
// changes its meaning or is removed; new fields do not change it.
const SchemaVersion = 1

// Entry is a result in a JSON report or an event file. The schemas are made from these types and their comments.
type Entry struct {
	ID        string         `json:"id"`                      // name of the case, which roclua run accepts
	Scenario  string         `json:"scenario"`                // name of the scenario
	Script    string         `json:"script"`                  // file of the scenario
	Tags      []string       `json:"tags,omitempty"`          // tags of the scenario
	Scheme    string         `json:"scheme,omitempty"`        // memory scheme; absent for a scenario without
	Params    map[string]any `json:"params,omitempty"`        // parameters that the configuration set
	Platform  string         `json:"platform"`                // cpu, nvidia or amd
	Profile   string         `json:"profile"`                 // library release that it reproduces
	RocBLAS   string         `json:"rocblas"`                 // version of rocBLAS in that release
	RocSOLVER string         `json:"rocsolver"`               // version of rocSOLVER in that release
	Arch      string         `json:"arch"`                    // architecture that the device reports; gfx90a*2 for two
	Outcome   Outcome        `json:"outcome"`                 // result of the case in a word or two
	Note      string         `json:"note,omitempty"`          // what a reader of a passed case should know
	Seconds   float64        `json:"seconds"`                 // wall time
	Metrics   []MetricEntry  `json:"metrics,omitempty"`       // values that the script recorded
	Measured  []Measurement  `json:"measurements,omitempty"`  // calls that the script measured
	Load      *record.Load   `json:"load,omitempty"`          // what the clients of a workload did
	Checks    []CheckEntry   `json:"checks,omitempty"`        // checks of the script, and expectations
	Error     *ErrorEntry    `json:"error,omitempty"`         // how the case ended early
	Problems  []string       `json:"problems,omitempty"`      // leaks, hazards and failures of teardown
	Retried   []string       `json:"retried,omitempty"`       // problems of earlier attempts
	Skipped   string         `json:"skipped,omitempty"`       // why it was skipped
	Known     string         `json:"known_failure,omitempty"` // why it is known to fail
	Baseline  []ChangeEntry  `json:"baseline,omitempty"`      // values that differ from the baseline
	Log       string         `json:"log,omitempty"`           // output of the script
	HIP       HIPEntry       `json:"hip"`                     // use of the HIP runtime
	Statuses  map[string]int `json:"statuses,omitempty"`      // counts of statuses: rocsolver_dgetrf.success
	Faults    []FaultEntry   `json:"faults,omitempty"`        // first allocations that were made to fail
}

// Measurement are the times of a call that a script measured.
type Measurement = record.Measurement

// MetricEntry is a value that a script recorded.
type MetricEntry struct {
	Name  string `json:"name"`           // name
	Value any    `json:"value"`          // number, string or boolean; NaN, +Inf and -Inf are strings
	Unit  string `json:"unit,omitempty"` // unit

	Epsilon float64 `json:"epsilon,omitempty"` // of a residual: rounding unit of the type that was checked
}

// CheckEntry is a check of a script, or an expectation of the configuration.
type CheckEntry struct {
	Text   string `json:"text"`   // what was checked
	Where  string `json:"where"`  // line of the script, or place of the configuration
	Passed bool   `json:"passed"` // whether it passed
	Have   string `json:"have"`   // actual value
	Want   string `json:"want"`   // expected value
}

// ErrorEntry is how a case ended early, with the message that the reports show.
type ErrorEntry struct {
	Message string `json:"message"` // message, as the reports show it
	record.End
}

// HIPEntry is how a case used the HIP runtime.
type HIPEntry struct {
	HIPCounts
	Devices []HIPCounts `json:"devices,omitempty"` // counts of each device by its number, if there are several
}

// HIPCounts are what a case did on one device, or on all.
type HIPCounts struct {
	Calls     map[string]int `json:"calls,omitempty"` // calls by their names in C
	Syncs     map[string]int `json:"syncs,omitempty"` // calls that made the host wait, by cause
	Kernels   int            `json:"kernels"`         // routines that ran on the device
	PeakBytes uint64         `json:"peak_bytes"`      // peak device memory in use

	Allocations int `json:"allocations"`        // requests for device memory of at least one byte
	Injected    int `json:"injected,omitempty"` // requests that were made to fail
}

func newHIPEntry(s *trace.Stats) HIPEntry {
	h := HIPEntry{HIPCounts: newHIPCounts(&s.Counts)}
	for i := range s.Devices {
		h.Devices = append(h.Devices, newHIPCounts(&s.Devices[i]))
	}
	return h
}

func newHIPCounts(c *trace.Counts) HIPCounts {
	return HIPCounts{c.Calls, c.Syncs, c.Kernels, c.PeakBytes, c.Allocations, c.Injected}
}

// stats is the inverse of newHIPEntry.
func (h *HIPEntry) stats() trace.Stats {
	s := trace.Stats{Counts: h.counts()}
	for i := range h.Devices {
		s.Devices = append(s.Devices, h.Devices[i].counts())
	}
	return s
}

func (h *HIPCounts) counts() trace.Counts {
	return trace.Counts{Calls: h.Calls, Syncs: h.Syncs, Kernels: h.Kernels, PeakBytes: h.PeakBytes,
		Allocations: h.Allocations, Injected: h.Injected}
}

// FaultEntry is an allocation that was made to fail.
type FaultEntry struct {
	Call   string `json:"call"`             // name in C
	Bytes  uint64 `json:"bytes"`            // requested bytes
	Stream *int   `json:"stream,omitempty"` // number of the stream that it names
	Cause  string `json:"cause"`            // script, or why a library made it
	Origin string `json:"origin,omitempty"` // line of the script
	Why    string `json:"why"`              // which allocation it is, and what chose it
}

// ChangeEntry is a difference from a baseline or between two runs.
type ChangeEntry struct {
	Kind       baseline.Kind `json:"kind"`                 // MORE, LESS, CHANGED, NEW or GONE
	Case       string        `json:"case,omitempty"`       // id of the case
	Name       string        `json:"name,omitempty"`       // name of the value
	Old        any           `json:"old,omitempty"`        // value before
	New        any           `json:"new,omitempty"`        // value now
	Difference any           `json:"difference,omitempty"` // new minus old
}

// ExitEntry is an exit code of the program.
type ExitEntry struct {
	Code   int    `json:"code"`   // exit code
	Reason string `json:"reason"` // meaning of the code
}

// NewExitEntry describes an exit code.
func NewExitEntry(code exit.Code) ExitEntry { return ExitEntry{int(code), code.String()} }

// Entry returns the result as reports and event files have it. Entry.Record is its inverse.
func (r *Result) Entry() Entry {
	record := r.Record
	e := Entry{ID: r.ID, Scenario: r.Scenario, Script: r.Script, Tags: r.Tags, Scheme: r.Scheme, Params: r.Params,
		Platform: r.Platform, Profile: r.Profile, RocBLAS: r.RocBLAS, RocSOLVER: r.RocSOLVER, Arch: r.Arch,
		Outcome: r.Outcome(), Note: r.Note(), Known: r.KnownFailure, Seconds: record.Seconds, Problems: record.Problems,
		Retried: record.Retried, Skipped: record.Skipped, Measured: record.Measurements, Load: record.Load,
		Log: record.Log, Statuses: record.Statuses, Checks: CheckEntries(record.Checks),
		HIP: newHIPEntry(&record.Stats)}
	if len(r.Changes) > 0 {
		e.Baseline = ChangeEntries(r.Changes)
	}
	for _, m := range record.Metrics {
		e.Metrics = append(e.Metrics, MetricEntry{m.Name, Finite(m.Value), m.Unit, m.Epsilon})
	}
	for _, c := range record.Faults {
		f := FaultEntry{Call: c.Name, Bytes: c.Bytes, Cause: c.Cause, Origin: c.Origin, Why: c.Injected}
		if c.HasStream {
			f.Stream = &c.Stream
		}
		e.Faults = append(e.Faults, f)
	}
	if record.End != nil {
		e.Error = &ErrorEntry{record.End.String(), *record.End}
	}
	return e
}

// Record restores what the case did. The entry must have been decoded with json.Decoder.UseNumber, which keeps whole
// numbers whole. The entry does not have the history and the required files of the case.
func (e *Entry) Record() (*record.Record, error) {
	escape.Clean(e)
	r := &record.Record{Skipped: e.Skipped, Problems: e.Problems, Log: e.Log, Seconds: e.Seconds, Statuses: e.Statuses,
		Retried: e.Retried, Measurements: e.Measured, Load: e.Load,
		Stats: e.HIP.stats()}
	for _, f := range e.Faults {
		c := trace.Call{Name: f.Call, Bytes: f.Bytes, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: f.Cause,
			Origin: f.Origin, Injected: f.Why}
		if f.Stream != nil {
			c.Stream, c.HasStream = *f.Stream, true
		}
		r.Faults = append(r.Faults, c)
	}
	for _, m := range e.Metrics {
		v, err := restoreValue(m.Value)
		if err != nil {
			return nil, fmt.Errorf("metric %s: %w", m.Name, err)
		}
		r.Metrics = append(r.Metrics, record.Metric{Name: m.Name, Value: v, Unit: m.Unit, Epsilon: m.Epsilon})
	}
	for _, c := range e.Checks {
		r.Checks = append(r.Checks, record.Check(c))
	}
	if e.Error != nil {
		r.End = &e.Error.End
	}
	return r, nil
}

// CheckEntries returns checks as reports have them.
func CheckEntries(checks []record.Check) []CheckEntry {
	var list []CheckEntry
	for _, c := range checks {
		list = append(list, CheckEntry(c))
	}
	return list
}

// ChangeEntries returns changes as reports have them. The list is never nil.
func ChangeEntries(changes []baseline.Change) []ChangeEntry {
	list := []ChangeEntry{}
	for _, c := range changes {
		e := ChangeEntry{Kind: c.Kind, Case: c.Case, Name: c.Name, Old: Finite(c.Old), New: Finite(c.New)}
		if d, ok := c.Difference(); ok {
			e.Difference = Finite(d)
		}
		list = append(list, e)
	}
	return list
}

// Finite returns the value, or for NaN and the infinities, which JSON cannot represent, their names.
func Finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return fmt.Sprint(f)
	}
	return v
}

// notFinite is the inverse of Finite.
var notFinite = map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)}

// exactNumbers bounds the whole numbers that Lua represents exactly.
const exactNumbers = 1 << 53

func restoreValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && -exactNumbers < n && n < exactNumbers {
			return n, nil
		}
		return v.Float64()
	case string:
		if f, ok := notFinite[v]; ok {
			return f, nil
		}
		return v, nil
	case bool:
		return v, nil
	}
	return nil, fmt.Errorf("%v is a %T, want a number, a string or a boolean", v, v)
}
