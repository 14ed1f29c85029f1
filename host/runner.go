package host

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/luabind"
)

// result is what one case came to.
type result struct {
	*plannedCase
	record   *luabind.Record
	started  time.Time
	changes  []baseline.Change // from the baseline
	surprise bool              // it passed, although it was known to fail
	untold   bool              // nobody kept what happened in it
}

// outcome sums a result up in a word.
type outcome string

const (
	passed      outcome = "passed"
	failed      outcome = "failed"
	errored     outcome = "error"
	timedOut    outcome = "timeout"
	limited     outcome = "limit" // another than that of the time
	skippedCase outcome = "skipped"
	changed     outcome = "changed" // from the baseline
	unavailable outcome = "unavailable"
	crashed     outcome = "crashed"

	knownFailure outcome = "known failure"
	interrupted  outcome = "interrupted"
	defect       outcome = "internal error"
)

// settle holds a finished case against what is known of it.
func (r *result) settle() {
	if r.known != "" && r.outcome() == passed {
		r.record.Problems = append(r.record.Problems, "it passes, but is listed as a known failure: "+r.known)
		r.surprise = true
	}
}

func (r *result) outcome() outcome {
	switch o := r.ended(); o {
	case failed, errored, timedOut, limited, crashed, changed:
		if r.known != "" && !r.surprise {
			return knownFailure
		}
		return o
	default:
		return o
	}
}

// ended is the outcome by itself, whatever is known of the case.
func (r *result) ended() outcome {
	switch {
	case r.record.Skipped != "" && len(r.changes) == 0:
		return skippedCase
	case r.record.End != nil:
		return outcomeOf[r.record.End.Kind]
	case !r.record.Passed():
		return failed
	case len(r.changes) > 0:
		return changed
	}
	return passed
}

// outcomeOf is the outcome of a case that ended early.
var outcomeOf = map[luabind.EndKind]outcome{
	luabind.EndScript:      errored,
	luabind.EndAbort:       failed,
	luabind.EndInternal:    defect,
	luabind.EndUnavailable: unavailable,
	luabind.EndDied:        crashed,
	luabind.EndTimeout:     timedOut,
	luabind.EndLimit:       limited,
	luabind.EndCanceled:    interrupted,
	luabind.EndOther:       errored,
}

// gravity orders outcomes: the exit code is that of the gravest.
var gravity = []struct {
	outcome outcome
	code    exit.Code
}{{defect, exit.Defect}, {interrupted, exit.Interrupted}, {unavailable, exit.Unavailable}, {errored, exit.Script}, {timedOut, exit.Timeout}, {limited, exit.Timeout}, {crashed, exit.Failed}, {failed, exit.Failed}, {changed, exit.Baseline}}

// exitCode returns the code of a whole run.
func exitCode(results []*result, overall []luabind.Check, gone []baseline.Change) exit.Code {
	code := exit.Pass
	for _, g := range gravity {
		if slices.ContainsFunc(results, func(r *result) bool { return r.outcome() == g.outcome }) {
			code = g.code
			break
		}
	}
	switch {
	case code != exit.Pass && code != exit.Baseline:
		return code
	case slices.ContainsFunc(overall, failedCheck):
		return exit.Failed
	case len(gone) > 0:
		return exit.Baseline
	}
	return code
}

// runner runs cases side by side.
type runner struct {
	cfg      *config.Config
	jobs     int
	output   io.Writer // where plain scripts print; nil keeps it in the log
	args     []string
	book     *book              // the baselines to hold cases against; nil when none are
	history  bool               // keep what happened in each case, for a report that shows it
	began    func(*plannedCase) // called for each case when it begins, from any lane; may be nil
	finished func(*result)      // called for each case when it ends, one at a time
}

// run executes the cases and returns their results in the order of the cases. When the context ends, running cases are
// cancelled and the others are not started.
func (r *runner) run(ctx context.Context, cases []*plannedCase) []*result {
	results := make([]*result, len(cases))
	next := make(chan int)
	var lanes sync.WaitGroup
	var mu sync.Mutex
	for range min(r.jobs, len(cases)) {
		lanes.Go(func() {
			l := &lane{runner: r}
			defer l.end()
			for i := range next {
				if r.began != nil {
					r.began(cases[i])
				}
				results[i] = l.result(ctx, cases[i])
				mu.Lock()
				r.finished(results[i])
				mu.Unlock()
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	lanes.Wait()
	return results
}

// lane runs one case after the other, with a worker process of its own where cases need one.
type lane struct {
	*runner
	worker *worker
}

func (l *lane) end() {
	if l.worker != nil {
		l.worker.stop()
	}
}

// result runs one case and holds it against what is expected of it.
func (l *lane) result(ctx context.Context, c *plannedCase) *result {
	r := &result{plannedCase: c, started: time.Now(), untold: !l.history}
	r.record = l.runCase(ctx, c)
	printableRecord(r.record)
	r.expectOf(r.expect)
	l.book.compare(r)
	r.settle()
	return r
}

// runCase runs one case on a device of its own. A panic of ours costs that case alone.
func (l *lane) runCase(ctx context.Context, c *plannedCase) (record *luabind.Record) {
	defer survive(c.id, &record)
	switch {
	case c.skip != "":
		return &luabind.Record{Skipped: c.skip}
	case ctx.Err() != nil:
		return &luabind.Record{End: luabind.EndOf(context.Canceled)}
	case !l.cfg.Isolates(c.target):
		record, _ = l.describe(c).execute(ctx, surroundings{script: c.scenario.script, output: l.output})
		return record
	}
	return l.runApart(ctx, l.describe(c))
}

// runApart runs a job in the lane's worker process. A worker that ended before it began with the job costs nothing: another
// takes its place, once.
func (l *lane) runApart(ctx context.Context, j *job) *luabind.Record {
	told := ""
	for {
		if l.worker == nil {
			var err error
			if l.worker, err = startWorker(l.output); err != nil {
				return &luabind.Record{End: unavailableEnd(err)}
			}
		}
		record, fate := l.worker.run(ctx, j)
		if fate != usable {
			l.worker.stop()
			l.worker = nil
		}
		if fate == untouched && told == "" {
			told = record.End.String() + " before it began with the case; another took its place\n"
			continue
		}
		record.Log = told + record.Log
		return record
	}
}
