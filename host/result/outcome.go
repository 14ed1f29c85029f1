package result

import (
	"slices"

	"roclua/host/baseline"
	"roclua/host/exit"
	"roclua/luabind/record"
)

// Outcome is the result of a case in a word or two, as reports show it.
type Outcome string

// The outcomes of a case.
const (
	Passed       Outcome = "passed"
	Failed       Outcome = "failed"
	Error        Outcome = "error"   // the script raised an error
	Timeout      Outcome = "timeout" // it reached its time limit
	Limit        Outcome = "limit"   // it reached another limit
	Flaky        Outcome = "flaky"   // it passed after it had failed
	Skipped      Outcome = "skipped"
	Changed      Outcome = "changed"     // a value differs from the baseline
	New          Outcome = "new"         // it passed, but is not in its baseline
	Unavailable  Outcome = "unavailable" // the platform cannot be opened
	Crashed      Outcome = "crashed"     // the worker process exited unexpectedly
	KnownFailure Outcome = "known failure"
	Interrupted  Outcome = "interrupted"
	NotRun       Outcome = "not run"        // enough other cases had failed
	Lost         Outcome = "lost"           // no shard of the run has run the case
	Internal     Outcome = "internal error" // a defect of this program
)

// ofEnd is the outcome of a case that ended early.
var ofEnd = map[record.EndKind]Outcome{
	record.EndScript:      Error,
	record.EndInvalid:     Error,
	record.EndAbort:       Failed,
	record.EndInternal:    Internal,
	record.EndUnavailable: Unavailable,
	record.EndDied:        Crashed,
	record.EndTimeout:     Timeout,
	record.EndLimit:       Limit,
	record.EndCanceled:    Interrupted,
	record.EndLost:        Lost,
	record.EndStopped:     NotRun,
	record.EndOther:       Error,
}

// Outcome returns the outcome of the case. A known failure does not fail the run. A case that reached a limit, or whose
// worker was killed, did not show whether it fails as expected.
func (r *Result) Outcome() Outcome {
	o := r.rawOutcome()
	switch o {
	case Failed, Error, Crashed, Changed, New:
		if r.KnownFailure != "" && !r.PassedUnexpectedly && !r.Record.End.WasKilled() {
			return KnownFailure
		}
	}
	return o
}

// rawOutcome is the outcome without regard to known failures.
func (r *Result) rawOutcome() Outcome {
	switch {
	case r.Record.WasSkipped() && len(r.Changes) == 0:
		return Skipped
	case r.Record.End != nil:
		return ofEnd[r.Record.End.Kind]
	case !r.Record.Passed():
		return Failed
	case len(r.Changes) > 0:
		return OutcomeOf(r.Changes[0])
	case len(r.Record.Retried) > 0:
		return Flaky
	}
	return Passed
}

// OutcomeOf returns the outcome of a case with a change.
func OutcomeOf(c baseline.Change) Outcome {
	if c.Name == "" && c.Kind == baseline.New {
		return New
	}
	return Changed
}

// FailsRun reports whether the case makes the run fail.
func (r *Result) FailsRun() bool {
	o := r.Outcome()
	return o != Passed && (o != Flaky || r.FailsIfFlaky) && o != Skipped && o != KnownFailure && o != NotRun
}

// IsUnfinished reports whether a case with the outcome has no result, so that a run that resumes runs it.
func (o Outcome) IsUnfinished() bool { return o == Interrupted || o == NotRun }

// Unfinished returns how many cases have no result.
func Unfinished(results []*Result) int { return Count(results, Interrupted) + Count(results, NotRun) }

// severity lists the outcomes that can fail a run, the most severe first, with their exit codes.
var severity = []struct {
	outcome Outcome
	code    exit.Code
}{
	{Internal, exit.Defect},
	{Interrupted, exit.Interrupted},
	{Unavailable, exit.Unavailable},
	{Error, exit.Script},
	{Timeout, exit.Timeout},
	{Limit, exit.Timeout},
	{Lost, exit.Failed},
	{Crashed, exit.Failed},
	{Failed, exit.Failed},
	{Flaky, exit.Failed},
	{Changed, exit.Baseline},
	{New, exit.Baseline},
}

// ExitCode returns the exit code of a run, which the most severe outcome decides. overall are the checks over several
// cases, gone the cases of baselines that the run does not have.
func ExitCode(results []*Result, overall []record.Check, gone []baseline.Change) exit.Code {
	code := exit.Pass
	for _, s := range severity {
		if slices.ContainsFunc(results, func(r *Result) bool { return r.Outcome() == s.outcome && r.FailsRun() }) {
			code = s.code
			break
		}
	}
	isInvalid := func(r *Result) bool { return r.Record.End != nil && r.Record.End.Kind == record.EndInvalid }
	switch {
	case code == exit.Script && slices.ContainsFunc(results, isInvalid):
		return exit.Usage
	case code != exit.Pass && code != exit.Baseline:
		return code
	case slices.ContainsFunc(overall, func(c record.Check) bool { return !c.Passed }):
		return exit.Failed
	case len(gone) > 0:
		return exit.Baseline
	case code == exit.Pass && len(results) > 0 && Count(results, Skipped) == len(results):
		return exit.Nothing
	}
	return code
}

// MostSevere returns the more severe of two outcomes that fail a run.
func MostSevere(a, b Outcome) Outcome {
	for _, s := range severity {
		if s.outcome == a || s.outcome == b {
			return s.outcome
		}
	}
	return a
}

// Count returns how many results have an outcome.
func Count(results []*Result, o Outcome) int {
	n := 0
	for _, r := range results {
		if r.Outcome() == o {
			n++
		}
	}
	return n
}

// Totals counts the cases of a run.
type Totals struct {
	Cases     int `json:"cases"`           // all of them
	Passed    int `json:"passed"`          // passed
	NotPassed int `json:"not_passed"`      // fail the run, without those that are new
	New       int `json:"new,omitempty"`   // passed, but are not in their baseline, which fails the run
	Skipped   int `json:"skipped"`         // skipped, with a reason
	Known     int `json:"known_failures"`  // failed as the configuration expects
	Flaky     int `json:"flaky,omitempty"` // passed after they had failed

	SkippedRows int `json:"skipped_rows,omitempty"` // rows and forms of cases that were skipped
}

// Total counts results.
func Total(results []*Result) Totals {
	t := Totals{Cases: len(results), Passed: Count(results, Passed), Skipped: Count(results, Skipped),
		Known: Count(results, KnownFailure), New: Count(results, New), Flaky: Count(results, Flaky)}
	for _, r := range results {
		for _, skipped := range r.Record.SkippedRows {
			t.SkippedRows += skipped.Rows
		}
		if r.FailsRun() && r.Outcome() != New {
			t.NotPassed++
		}
	}
	return t
}
