package host

import (
	"encoding/json"
	"io"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/luabind"
)

// schemaVersion changes when a field of the JSON report changes its meaning or goes; new fields do not change it.
const schemaVersion = 1

// jsonReport is a run. The comments of its fields are what the schema says of them.
type jsonReport struct {
	SchemaVersion int              `json:"schema_version"`    // version of this form: other fields may join it, none changes its meaning or goes
	Tool          string           `json:"tool"`              // "roclua"
	Version       string           `json:"version"`           // version of the program
	Argv          []string         `json:"argv"`              // command line
	Started       time.Time        `json:"started"`           // when the run began
	Seconds       float64          `json:"seconds"`           // wall time of the run
	Environment   *jsonEnvironment `json:"environment"`       // machine that it ran on
	Config        *config.Config   `json:"config"`            // configuration as it was resolved from file, variables and flags
	Cases         []jsonCase       `json:"cases"`             // in the order of the plan
	Overall       []jsonCheck      `json:"overall,omitempty"` // what was expected over several cases
	Gone          []string         `json:"gone,omitempty"`    // cases of a baseline that the run has no more
	Totals        jsonTotals       `json:"totals"`            // cases by what became of them
	Exit          jsonExit         `json:"exit"`              // exit code of the program
}

// jsonTotals counts the cases of a run.
type jsonTotals struct {
	Cases     int `json:"cases"`          // all of them
	Passed    int `json:"passed"`         // passed
	NotPassed int `json:"not_passed"`     // fail the run
	Skipped   int `json:"skipped"`        // skipped, with a reason
	Known     int `json:"known_failures"` // failed as the configuration said they would
}

type jsonExit struct {
	Code   int    `json:"code"`   // exit code
	Reason string `json:"reason"` // what it means
}

// jsonCase is one case: a scenario on a target, under a scheme, with its parameters.
type jsonCase struct {
	ID        string         `json:"id"`                      // name of the case, which run takes back: solve[scheme=manual,n=64]@cpu/rocm-7.2/gfx90a
	Scenario  string         `json:"scenario"`                // name of the scenario
	Script    string         `json:"script"`                  // file of the scenario
	Tags      []string       `json:"tags,omitempty"`          // tags of the scenario
	Scheme    string         `json:"scheme,omitempty"`        // memory scheme; none when the scenario opens its handles itself
	Params    map[string]any `json:"params,omitempty"`        // parameters that the configuration set
	Platform  string         `json:"platform"`                // cpu, nvidia or amd
	Profile   string         `json:"profile"`                 // library release that it behaves like
	RocBLAS   string         `json:"rocblas"`                 // version of rocBLAS in that release
	RocSOLVER string         `json:"rocsolver"`               // version of rocSOLVER in that release
	Arch      string         `json:"arch"`                    // architecture that the device reports
	Outcome   outcome        `json:"outcome"`                 // what became of it
	Seconds   float64        `json:"seconds"`                 // wall time
	Metrics   []jsonMetric   `json:"metrics,omitempty"`       // values that the script recorded
	Checks    []jsonCheck    `json:"checks,omitempty"`        // checks of the script, and expectations of the configuration
	Error     *jsonError     `json:"error,omitempty"`         // what ended the case
	Problems  []string       `json:"problems,omitempty"`      // leaks, hazards and failures of teardown
	Skipped   string         `json:"skipped,omitempty"`       // reason for which it was skipped
	Known     string         `json:"known_failure,omitempty"` // reason for which it is known to fail
	Baseline  []jsonChange   `json:"baseline,omitempty"`      // values that moved from the baseline
	Log       string         `json:"log,omitempty"`           // what it printed
	HIP       jsonHIP        `json:"hip"`                     // what it asked of the HIP runtime
	Statuses  map[string]int `json:"statuses,omitempty"`      // statuses of rocBLAS and rocSOLVER, counted: rocsolver_dgetrf.success
	Faults    []jsonFault    `json:"faults,omitempty"`        // allocations that were made to fail, the first of them; hip.injected counts all
}

type jsonMetric struct {
	Name  string `json:"name"`           // name
	Value any    `json:"value"`          // number, text or truth; a number that JSON has no form for is the text NaN, +Inf or -Inf
	Unit  string `json:"unit,omitempty"` // unit
}

type jsonCheck struct {
	Text   string `json:"text"`   // what was checked
	Where  string `json:"where"`  // line of the script, or place of the configuration
	Passed bool   `json:"passed"` // whether it held
	Have   string `json:"have"`   // what there was
	Want   string `json:"want"`   // what there should have been
}

// jsonError is how a case ended early, with the message that the reports show.
type jsonError struct {
	Message string `json:"message"` // message, as the reports show it
	luabind.End
}

// jsonChange is a value that moved, from a baseline or from another run.
type jsonChange struct {
	Kind       baseline.Kind `json:"kind"`                 // MORE, LESS, CHANGED, NEW or GONE
	Case       string        `json:"case,omitempty"`       // id of the case
	Name       string        `json:"name,omitempty"`       // name of the value
	Old        any           `json:"old,omitempty"`        // value that it had
	New        any           `json:"new,omitempty"`        // value that it has
	Difference any           `json:"difference,omitempty"` // new less old
}

func changesJSON(list []baseline.Change) []jsonChange {
	out := []jsonChange{}
	for _, c := range list {
		j := jsonChange{Kind: c.Kind, Case: c.Case, Name: c.Name, Old: finite(c.Old), New: finite(c.New)}
		if d, ok := c.Difference(); ok {
			j.Difference = finite(d)
		}
		out = append(out, j)
	}
	return out
}

type jsonHIP struct {
	Calls     map[string]int `json:"calls,omitempty"` // calls by their names in C
	Syncs     map[string]int `json:"syncs,omitempty"` // calls that made the host wait, by cause
	Kernels   int            `json:"kernels"`         // routines that ran on the device
	PeakBytes uint64         `json:"peak_bytes"`      // most device memory that was in use at a time

	Allocations int `json:"allocations"`        // requests for device memory, of at least a byte
	Injected    int `json:"injected,omitempty"` // requests that were made to fail
}

// writeJSON writes the report for programs: one document, numbers unrounded, sizes as integers.
func writeJSON(w io.Writer, r *report) error {
	doc := jsonReport{SchemaVersion: schemaVersion, Tool: "roclua", Version: version(), Argv: r.argv, Started: r.started, Seconds: r.seconds,
		Environment: environmentOf(r.cfg, r.cpus), Config: r.cfg, Exit: jsonExit{int(r.exit), r.exit.String()}, Cases: []jsonCase{}}
	for _, c := range r.results {
		doc.Cases = append(doc.Cases, c.json())
	}
	doc.Totals = r.totals()
	for _, check := range r.overall {
		doc.Overall = append(doc.Overall, jsonCheck(check))
	}
	for _, c := range r.gone {
		doc.Gone = append(doc.Gone, c.Case)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

func (r *report) totals() jsonTotals {
	return jsonTotals{Cases: len(r.results), Passed: r.count(passed), NotPassed: r.bad(), Skipped: r.count(skippedCase), Known: r.count(knownFailure)}
}

func (c *result) json() jsonCase {
	j := jsonCase{ID: c.id, Scenario: c.scenario.name, Script: c.scenario.script.Name, Tags: c.scenario.declared.Tags, Scheme: c.Scheme, Params: c.axes,
		Platform: c.target.Platform, Profile: c.target.Profile, RocBLAS: c.profile.RocBLAS, RocSOLVER: c.profile.RocSOLVER, Arch: c.target.Arch,
		Outcome: c.outcome(), Seconds: c.record.Seconds, Problems: c.record.Problems, Skipped: c.record.Skipped, Known: c.known, Log: c.record.Log,
		HIP: jsonHIP{c.record.Stats.Calls, c.record.Stats.Syncs, c.record.Stats.Kernels, c.record.Stats.PeakBytes, c.record.Stats.Allocations,
			c.record.Stats.Injected}, Faults: faultsJSON(c.record.Faults)}
	j.Statuses = c.record.Statuses
	if len(c.changes) > 0 {
		j.Baseline = changesJSON(c.changes)
	}
	for _, m := range c.record.Metrics {
		j.Metrics = append(j.Metrics, jsonMetric{m.Name, finite(m.Value), m.Unit})
	}
	for _, check := range c.record.Checks {
		j.Checks = append(j.Checks, jsonCheck(check))
	}
	if e := c.record.End; e != nil {
		j.Error = &jsonError{e.String(), *e}
	}
	return j
}
