package report

import (
	"encoding/json"
	"io"
	"time"

	"roclua/host/config"
	"roclua/host/result"
	"roclua/host/run"
)

// Document is a run as --out json writes it. Its schema is made from these types and their comments.
type Document struct {
	SchemaVersion int                 `json:"schema_version"`    // version of this format; fields may be added to it
	Tool          string              `json:"tool"`              // "roclua"
	Version       string              `json:"version"`           // version of the program
	Argv          []string            `json:"argv"`              // command line
	Started       time.Time           `json:"started"`           // when the run began
	Seconds       float64             `json:"seconds"`           // wall time of the run
	Environment   *run.Environment    `json:"environment"`       // machine that it ran on
	Config        *config.Config      `json:"config"`            // configuration as it was resolved
	Cases         []result.Entry      `json:"cases"`             // in the order of the plan
	Overall       []result.CheckEntry `json:"overall,omitempty"` // expectations over several cases
	Gone          []string            `json:"gone,omitempty"`    // cases of a baseline that the run does not have
	Totals        result.Totals       `json:"totals"`            // cases by outcome
	Exit          result.ExitEntry    `json:"exit"`              // exit code of the program
}

// writeJSON writes the report for programs: one document, numbers unrounded, sizes as integers.
func writeJSON(w io.Writer, r *Report) error {
	doc := Document{SchemaVersion: result.SchemaVersion, Tool: "roclua", Version: r.Version, Argv: r.Argv,
		Started: r.Started,
		Seconds: r.Seconds, Environment: r.Environment(), Config: r.Config,
		Cases: []result.Entry{}, Gone: r.goneIDs(),
		Overall: result.CheckEntries(r.Overall), Totals: result.Total(r.Results), Exit: result.NewExitEntry(r.Exit)}
	for _, c := range r.Results {
		doc.Cases = append(doc.Cases, c.Entry())
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
