package run

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/worker"
	"roclua/luabind"
	"roclua/luabind/record"
)

// dispenser gives each case to one slot.
type dispenser struct {
	mu    sync.Mutex
	next  int
	count int
	slots int

	failed atomic.Int64 // cases
}

// take returns the next case, or false when there is none. With ahead, it leaves the last cases to slots that are not
// busy.
func (d *dispenser) take(ahead bool) (i int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	rest := d.count - d.next
	if rest == 0 || ahead && d.slots > 1 && rest <= d.slots*sentAhead {
		return 0, false
	}
	d.next++
	return d.next - 1, true
}

const (
	// sentAhead is how many cases are sent to a worker in addition to the one that runs, at most. More are sent when
	// half of them are left, so that the worker reads several at once.
	sentAhead = 8

	// shortCase is the longest case after which cases are sent ahead. After a longer case, the next one may be long
	// too, and those behind it would wait while other workers are idle.
	shortCase = 10 * time.Millisecond
)

// slot runs one case after another.
type slot struct {
	*Runner
	threads  int // processors that one call of a case may use
	queue    *worker.Queue
	pending  []*started // cases without a result, in order
	setups   luabind.Setups
	compiled *luabind.Script // of the previous case in this process, which is often of the same scenario
}

// started is a case that a slot has taken.
type started struct {
	*plan.Case
	index  int
	record *record.Record // result of a case that no worker runs; nil for others
}

// run runs cases until there are no more.
func (s *slot) run(ctx context.Context, cases plan.List, todo *dispenser, finished func(int, *result.Result)) {
	short := false
	for {
		s.fill(ctx, cases, todo, short)
		if len(s.pending) == 0 {
			return
		}
		c := s.pending[0]
		if s.Observer != nil {
			s.Observer.Began(c.Case)
		}
		began := time.Now()
		r := s.finish(ctx, c, began)
		for retried := 0; retried < s.Retries && mayPass(r) && ctx.Err() == nil; retried++ {
			r = s.retry(ctx, c, r)
		}
		short = time.Since(began) < shortCase
		s.pending = s.pending[1:]
		finished(c.index, r)
	}
}

// fill takes a case if none is pending, and with ahead more when few are.
func (s *slot) fill(ctx context.Context, cases plan.List, todo *dispenser, ahead bool) {
	ahead = ahead && s.MaxFail == 0 && s.Retries == 0 && len(s.pending) <= sentAhead/2
	for len(s.pending) == 0 || ahead && len(s.pending) <= sentAhead {
		i, ok := todo.take(len(s.pending) > 0)
		if !ok {
			return
		}
		s.pending = append(s.pending, s.start(ctx, cases[i], i, s.enoughFailed(todo)))
	}
}

// enoughFailed returns why no case begins any more; "" when cases begin.
func (s *slot) enoughFailed(todo *dispenser) string {
	if s.MaxFail == 0 || todo.failed.Load() < int64(s.MaxFail) {
		return ""
	}
	return fmt.Sprintf("not run: --maxfail %d ended the run", s.MaxFail)
}

// start sends a case to the worker, unless it runs in this process or not at all. stopped says why no case runs.
func (s *slot) start(ctx context.Context, c *plan.Case, index int, stopped string) (p *started) {
	p = &started{Case: c, index: index}
	defer worker.RecoverInto(c.ID, &p.record)
	switch {
	case c.Skip != "":
		p.record = &record.Record{Skipped: c.Skip}
	case stopped != "":
		p.record = &record.Record{End: &record.End{Kind: record.EndStopped, Message: stopped}}
	case ctx.Err() != nil:
		p.record = &record.Record{End: luabind.EndOf(context.Canceled)}
	case c.Definition.Source == nil:
		p.record = &record.Record{}
	case s.Config.Isolates():
		s.queue.Send(s.job(c))
	}
	return p
}

// mayPass reports whether a case may pass when it is tried again: a check or its script failed. Leaks, limits and
// values that differ from a baseline are not a matter of chance.
func mayPass(r *result.Result) bool {
	switch r.Outcome() {
	case result.Failed, result.Error:
		end := r.Record.End
		return len(r.Record.Problems) == 0 && len(r.Changes) == 0 && (end == nil || end.Kind == record.EndScript)
	}
	return false
}

// retry runs a case again that failed, with the same seed.
func (s *slot) retry(ctx context.Context, c *started, failed *result.Result) *result.Result {
	again := s.start(ctx, c.Case, c.index, "")
	r := s.finish(ctx, again, time.Now())
	r.Record.Retried = append(failed.Record.Retried, failed.Headline())
	return r
}

// second shows a second of the workload of the case that runs.
func (s *slot) second(i record.Interval) {
	if s.Observer != nil && len(s.pending) > 0 {
		s.Observer.Second(s.pending[0].Case, i)
	}
}

// job collects the input of a case.
func (s *slot) job(c *plan.Case) *worker.Job {
	cfg := s.Config
	j := &worker.Job{
		Work: worker.Work{ID: c.ID, Case: c.Input, Target: *c.Target, Faults: c.Faults.Plan()},
		File: worker.File{Script: c.Script, Source: c.Definition.Source, Library: c.Definition.SearchPaths},
		Settings: worker.Settings{Threads: s.threads, Unchecked: !cfg.MemoryChecks, History: s.History,
			Profile: s.LuaProfile != nil, RealTime: cfg.Time == config.TimeReal,
			KernelsOff: cfg.Kernels == config.KernelsOff, Time: cfg.Device.Time, Env: cfg.Env, Args: s.Args,
			Sandbox: cfg.Sandbox, Limits: cfg.Limits.Bounds()}}
	switch declared := c.Definition.Declared; {
	case declared == nil:
	case declared.Recording:
		j.Recording = true
		if j.Limits.Timeout > 0 {
			j.Limits.Timeout += timeoutOf(c.Definition.Path())
		}
	case declared.Workload:
		j.Thresholds = plan.Thresholds(c.Expectations)
	}
	return j
}

// timeoutOf returns the time that a recording may take in addition to the limit of scripts, for its size.
func timeoutOf(path string) time.Duration {
	const bytesPerSecond = 1 << 20 // less than a slow machine replays
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return time.Duration(info.Size()/bytesPerSecond) * time.Second
}

// finish waits for the record of a case, checks its expectations and compares it with its baseline.
func (s *slot) finish(ctx context.Context, c *started, began time.Time) *result.Result {
	r := &result.Result{Case: &c.Case.Case, Started: began, HistoryMissing: !s.History}
	r.Record = s.record(ctx, c)
	if p := r.Record.LuaProfile; p != nil && s.LuaProfile != nil {
		s.LuaProfile(p)
	}
	r.Record.LuaProfile = nil
	if r.Record.End == nil && r.Record.Skipped == "" && c.Definition != nil {
		r.Record.End = c.Definition.Broken // it could not be loaded when the run was planned
	}
	r.Record.Clean()
	plan.Check(c.Expectations, r.Record)
	s.Baselines.Compare(c.Case, r)
	r.CheckKnownFailure()
	return r
}

// record returns the record of a case. A panic of this program ends only that case.
func (s *slot) record(ctx context.Context, c *started) (record *record.Record) {
	defer worker.RecoverInto(c.ID, &record)
	switch {
	case c.record != nil:
		return c.record
	case s.Config.Isolates():
		return s.queue.Next(ctx)
	}
	j := s.job(c.Case)
	s.compiled = j.Compile(s.compiled)
	e := worker.Execution{Script: s.compiled, Output: s.Output, Setups: &s.setups, Second: s.second}
	record, _ = j.Execute(ctx, e)
	return record
}
