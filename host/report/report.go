// Package report describes a finished run, as text, JSON, tests, a table, a page and a trace.
//
//	r := &report.Report{Config: cfg, Results: results, Exit: result.ExitCode(results, nil, nil)}
//	err = output.Write(outs, r, to)
//
// A Report is output.Data: package output has the formats.
package report

import (
	"fmt"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Report is a finished run.
type Report struct {
	Version string   // of the program
	Argv    []string // command line
	Config  *config.Config
	Results []*result.Result // in the order of the plan; not whole when there is a Store
	Store   *result.Store    // has the whole results; may be nil
	New     []*result.Result // results of the cases that ran now, when others keep earlier results; else nil
	Exit    exit.Code
	Overall []record.Check    // expectations over several cases
	Gone    []baseline.Change // cases of baselines that the run does not have
	Updated string            // changes of --update

	Otherwise []string // which baselines have values that depend on libraries other than the run's

	Started time.Time
	Seconds float64 // wall time

	Profiles []record.Profile // modelled releases of the run

	SchemeDefects []record.SchemeDefects
	Quiet         bool // text does not have them

	Environment func() *record.Environment // describes machine and project; opens the libraries of the platforms
	Shards      []Shard                    // attempts of shards that were merged; nil for a single run

	Slowest int  // slowest cases that the text lists; SlowestOfLongRuns by default
	Verbose bool // text has a row for each scenario, and the logs of cases that passed

	Again string              // command that runs the cases again that failed; "" for none
	Skips map[string][]string // reasons for skipping cases of each scenario that ran earlier
}

// Title names the run.
func (r *Report) Title() string { return "roclua: " + r.Summary() }

// On returns the report for an output. A stream has only the cases that ran now, if there are any. A file has all
// results, without facts about the folder of the run: it is the same when a run was resumed.
func (r *Report) On(o output.Output) output.Data {
	shown := *r
	if o.File != "" {
		shown.Again, shown.Skips = "", nil
		return &shown
	}
	if shown.Results = r.Shown(); len(shown.Results) == 0 {
		return nil // all results were shown by an earlier report
	}
	return &shown
}

// Shown returns the results of the cases that ran now.
func (r *Report) Shown() []*result.Result {
	if r.New != nil {
		return r.New
	}
	return r.Results
}

// Each calls f with every result but nil and its whole record, one after the other, and returns the first error.
func (r *Report) Each(f func(i int, c *result.Result) error) error {
	for i, c := range r.Results {
		if c == nil {
			continue
		}
		full, err := r.Store.Full(c)
		if err == nil {
			err = f(i, full)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Summary describes the whole run in one line.
func (r *Report) Summary() string {
	t := result.Total(r.Results)
	extra := ""
	if t.SkippedRows > 0 {
		extra = ", " + units.Count(t.SkippedRows, "row") + " skipped"
	}
	if t.New > 0 {
		extra += fmt.Sprintf(", %d not in the baseline", t.New)
	}
	if t.Known > 0 {
		extra += fmt.Sprintf(", %d known to fail", t.Known)
	}
	if t.Flaky > 0 {
		extra += fmt.Sprintf(", %d flaky", t.Flaky)
	}
	if n := result.Count(r.Results, result.Interrupted); n > 0 {
		extra += fmt.Sprintf(", %d interrupted", n)
	}
	if n := result.Count(r.Results, result.NotRun); n > 0 {
		extra += fmt.Sprintf(", %d not run", n)
	}
	return fmt.Sprintf("%s: %d passed, %d not passed, %d skipped%s in %.1f s (seed %d)",
		units.Count(t.Cases, "case"), t.Passed, t.NotPassed, t.Skipped, extra, r.Seconds, r.Config.Seed)
}

// goneIDs returns the ids of the cases of baselines that the run does not have.
func (r *Report) goneIDs() []string {
	var ids []string
	for _, c := range r.Gone {
		ids = append(ids, c.Case)
	}
	return ids
}
