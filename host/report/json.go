package report

import (
	"io"
	"time"

	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/luabind/record"
)

// Document is a run as --out json writes it. Its schema is made from these types and their comments.
type Document struct {
	SchemaVersion int                    `json:"schema_version"`           // of this format; fields may be added
	Tool          string                 `json:"tool"`                     // "roclua"
	Version       string                 `json:"version"`                  // version of the program
	Argv          []string               `json:"argv"`                     // command line
	Started       time.Time              `json:"started"`                  // when the run began
	Seconds       float64                `json:"seconds"`                  // wall time of the run
	Environment   *record.Environment    `json:"environment"`              // machine that it ran on
	Shards        []Shard                `json:"shards,omitempty"`         // attempts of shards that were merged
	Config        *config.Config         `json:"config"`                   // configuration as it was resolved
	SchemeDefects []record.SchemeDefects `json:"scheme_defects,omitempty"` // known defects of the schemes
	Cases         []result.Entry         `json:"cases"`                    // in the order of the plan
	Overall       []record.Check         `json:"overall,omitempty"`        // expectations over several cases
	Gone          []string               `json:"gone,omitempty"`           // cases of a baseline that the run lacks
	Totals        result.Totals          `json:"totals"`                   // cases by outcome
	Failures      []output.Failure       `json:"failures,omitempty"`       // reasons why the run does not pass
	Exit          result.ExitEntry       `json:"exit"`                     // exit code of the program
}

// Shard is an attempt of a shard that was merged.
type Shard struct {
	Shard       string              `json:"shard,omitempty"`       // part of the plan, "3/6"; absent for all of it
	File        string              `json:"file"`                  // its events
	Started     time.Time           `json:"started"`               // when it began
	Cases       int                 `json:"cases"`                 // cases that it recorded
	Ended       bool                `json:"ended"`                 // it ended by itself, and was not killed
	Environment *record.Environment `json:"environment,omitempty"` // machine that it ran on
}

// Document is the report for programs: numbers unrounded, sizes as integers.
func (r *Report) Document() (any, error) { return output.Stream(r.writeJSON), nil }

func (r *Report) writeJSON(w io.Writer) error {
	doc := &Document{SchemaVersion: result.SchemaVersion, Tool: "roclua", Version: r.Version, Argv: r.Argv,
		Started: r.Started, Seconds: r.Seconds, Environment: r.Environment(), Shards: r.Shards, Config: r.Config,
		SchemeDefects: r.SchemeDefects,
		Gone:          r.goneIDs(), Overall: r.Overall, Totals: result.Total(r.Results),
		Failures: r.Failures(), Exit: result.NewExitEntry(r.Exit)}
	err := result.Encode(w, doc, result.Indented, result.Stream(func(add func(*result.Entry) error) error {
		return r.Each(func(_ int, c *result.Result) error {
			e := c.Entry()
			return add(&e)
		})
	}))
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}
