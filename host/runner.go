package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
)

// result is what one case came to.
type result struct {
	*plannedCase
	record *luabind.Record
}

// outcome sums a result up in a word.
type outcome string

const (
	passed      outcome = "passed"
	failed      outcome = "failed"
	errored     outcome = "error"
	timedOut    outcome = "timeout"
	skippedCase outcome = "skipped"
	unavailable outcome = "unavailable"
	interrupted outcome = "interrupted"
	defect      outcome = "internal error"
)

// errUnavailable is a platform that cannot be opened.
type errUnavailable struct{ err error }

func (e *errUnavailable) Error() string { return e.err.Error() }
func (e *errUnavailable) Unwrap() error { return e.err }

func (r *result) outcome() outcome {
	err := r.record.Err
	var (
		internal *luabind.InternalError
		abort    *luabind.Abort
		platform *errUnavailable
	)
	switch {
	case r.record.Skipped != "":
		return skippedCase
	case errors.As(err, &internal):
		return defect
	case errors.As(err, &platform):
		return unavailable
	case errors.Is(err, context.Canceled):
		return interrupted
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut
	case errors.As(err, &abort):
		return failed
	case err != nil:
		return errored
	case !r.record.Passed():
		return failed
	}
	return passed
}

// gravity orders outcomes: the exit code is that of the gravest.
var gravity = []struct {
	outcome outcome
	code    ExitCode
}{{defect, ExitDefect}, {interrupted, ExitInterrupted}, {unavailable, ExitUnavailable}, {errored, ExitScript}, {timedOut, ExitTimeout}, {failed, ExitFailed}}

// exitCode returns the code of a whole run.
func exitCode(results []*result) ExitCode {
	for _, g := range gravity {
		for _, r := range results {
			if r.outcome() == g.outcome {
				return g.code
			}
		}
	}
	return ExitPass
}

// runner runs cases side by side.
type runner struct {
	cfg      *Config
	jobs     int
	output   io.Writer // where plain scripts print; nil keeps it in the log
	args     []string
	finished func(*result) // called for each case when it ends, one at a time
}

// run executes the cases and returns their results in the order of the cases. When the context ends, running cases are
// cancelled and the others are not started.
func (r *runner) run(ctx context.Context, cases []*plannedCase) []*result {
	results := make([]*result, len(cases))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for range min(r.jobs, len(cases)) {
		workers.Go(func() {
			for i := range next {
				results[i] = &result{cases[i], r.runCase(ctx, cases[i])}
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
	workers.Wait()
	return results
}

// runCase runs one case on a device of its own. A panic of ours costs that case alone.
func (r *runner) runCase(ctx context.Context, c *plannedCase) (record *luabind.Record) {
	defer func() {
		if p := recover(); p != nil {
			record = &luabind.Record{Err: &luabind.InternalError{Where: c.id, Value: p, Stack: string(debug.Stack())}}
		}
	}()
	if c.skip != "" {
		return &luabind.Record{Skipped: c.skip}
	}
	if ctx.Err() != nil {
		return &luabind.Record{Err: context.Canceled}
	}
	rt, err := hip.Open(c.target.Platform, driver.Config{Devices: 1, Arch: c.target.Arch, MemoryBytes: uint64(c.target.DeviceMemory), BLAS: r.cfg.BLAS})
	if err != nil {
		return &luabind.Record{Err: &errUnavailable{err}}
	}
	limit, cancel := context.WithTimeout(ctx, time.Duration(r.cfg.Limits.Timeout))
	defer cancel()
	record = luabind.Run(limit, c.scenario.script, c.Case, luabind.Options{Runtime: rt, Profile: c.profile, Env: r.cfg.Env,
		LibraryPaths: c.scenario.searchPaths, Output: r.output, Args: r.args})
	if err := rt.Close(); err != nil {
		record.Problems = append(record.Problems, "closing the device failed: "+err.Error())
	}
	return record
}

// explainEnd says in words why a case ended early.
func (r *result) explainEnd(limit time.Duration) string {
	switch r.outcome() {
	case timedOut:
		return fmt.Sprintf("ran longer than its limit of %s", limit)
	case interrupted:
		return "interrupted"
	}
	return r.record.Err.Error()
}
