package host

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"roclua/host/baseline"
	"roclua/luabind"
)

// schemaVersion changes when a field of the JSON report changes its meaning or goes; new fields do not change it.
const schemaVersion = 1

type jsonReport struct {
	SchemaVersion int         `json:"schema_version"`
	Tool          string      `json:"tool"`
	Version       string      `json:"version"`
	Argv          []string    `json:"argv"`
	Started       time.Time   `json:"started"`
	Seconds       float64     `json:"seconds"`
	Config        *Config     `json:"config"`
	Cases         []jsonCase  `json:"cases"`
	Overall       []jsonCheck `json:"overall,omitempty"`
	Gone          []string    `json:"gone,omitempty"` // cases of a baseline that the run has no more
	Totals        jsonTotals  `json:"totals"`
	Exit          jsonExit    `json:"exit"`
}

type jsonTotals struct {
	Cases     int `json:"cases"`
	Passed    int `json:"passed"`
	NotPassed int `json:"not_passed"`
	Skipped   int `json:"skipped"`
	Known     int `json:"known_failures"`
}

type jsonExit struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}

type jsonCase struct {
	ID        string         `json:"id"`
	Scenario  string         `json:"scenario"`
	Script    string         `json:"script"`
	Tags      []string       `json:"tags,omitempty"`
	Scheme    string         `json:"scheme,omitempty"`
	Params    map[string]any `json:"params,omitempty"`
	Platform  string         `json:"platform"`
	Profile   string         `json:"profile"`
	RocBLAS   string         `json:"rocblas"`
	RocSOLVER string         `json:"rocsolver"`
	Arch      string         `json:"arch"`
	Outcome   outcome        `json:"outcome"`
	Seconds   float64        `json:"seconds"`
	Metrics   []jsonMetric   `json:"metrics,omitempty"`
	Checks    []jsonCheck    `json:"checks,omitempty"`
	Error     *jsonError     `json:"error,omitempty"`
	Problems  []string       `json:"problems,omitempty"`
	Skipped   string         `json:"skipped,omitempty"`
	Known     string         `json:"known_failure,omitempty"`
	Baseline  []jsonChange   `json:"baseline,omitempty"`
	Log       string         `json:"log,omitempty"`
	HIP       jsonHIP        `json:"hip"`
	Statuses  map[string]int `json:"statuses,omitempty"`
}

type jsonMetric struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	Unit  string `json:"unit,omitempty"`
}

type jsonCheck struct {
	Text   string `json:"text"`
	Where  string `json:"where"`
	Passed bool   `json:"passed"`
	Have   string `json:"have"`
	Want   string `json:"want"`
}

// jsonError is what ended a case: Message is as reports show it, Kind and the rest what it is made of.
type jsonError struct {
	Message   string `json:"message"`
	Kind      string `json:"kind"` // script, abort, internal, unavailable, died, timeout, canceled, other
	Text      string `json:"text,omitempty"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Func      string `json:"func,omitempty"`
	Where     string `json:"where,omitempty"`
	Traceback string `json:"traceback,omitempty"`
}

// jsonChange is a value that moved, from a baseline or from another run.
type jsonChange struct {
	Kind       baseline.Kind `json:"kind"`
	Case       string        `json:"case,omitempty"`
	Name       string        `json:"name,omitempty"`
	Old        any           `json:"old,omitempty"`
	New        any           `json:"new,omitempty"`
	Difference any           `json:"difference,omitempty"`
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
	Calls     map[string]int `json:"calls,omitempty"`
	Syncs     map[string]int `json:"syncs,omitempty"`
	Kernels   int            `json:"kernels"`
	PeakBytes uint64         `json:"peak_bytes"`
}

// writeJSON writes the report for programs: one document, numbers unrounded, sizes as integers.
func writeJSON(w io.Writer, r *report) error {
	doc := jsonReport{SchemaVersion: schemaVersion, Tool: "roclua", Version: version(), Argv: r.argv, Started: r.started, Seconds: r.seconds,
		Config: r.cfg, Exit: jsonExit{int(r.exit), r.exit.String()}, Cases: []jsonCase{}}
	for _, c := range r.results {
		doc.Cases = append(doc.Cases, c.json(time.Duration(r.cfg.Limits.Timeout)))
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

func (c *result) json(limit time.Duration) jsonCase {
	j := jsonCase{ID: c.id, Scenario: c.scenario.name, Script: c.scenario.script.Name, Tags: c.scenario.declared.Tags, Scheme: c.Scheme, Params: c.axes,
		Platform: c.target.Platform, Profile: c.target.Profile, RocBLAS: c.profile.RocBLAS, RocSOLVER: c.profile.RocSOLVER, Arch: c.target.Arch,
		Outcome: c.outcome(), Seconds: c.record.Seconds, Problems: c.record.Problems, Skipped: c.record.Skipped, Known: c.known, Log: c.record.Log,
		HIP: jsonHIP{c.record.Stats.Calls, c.record.Stats.Syncs, c.record.Stats.Kernels, c.record.Stats.PeakBytes}}
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
	if e := packError(c.record.Err); e != nil {
		j.Error = &jsonError{Message: c.explainEnd(limit), Kind: e.Kind, Text: e.Message, File: e.File, Line: e.Line, Func: e.Func, Where: e.Where,
			Traceback: tracebackOf(c.record.Err)}
	}
	return j
}

// tracebackOf returns where a script was, or where the program was when it failed itself.
func tracebackOf(err error) string {
	var e *luabind.Error
	var internal *luabind.InternalError
	switch {
	case errors.As(err, &internal):
		return internal.Stack
	case errors.As(err, &e):
		return e.Traceback
	}
	return ""
}
