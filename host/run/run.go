// Package run executes cases, several at a time, each on its own device: in this process or, isolated from the C
// libraries of real devices, in worker processes.
//
//	r := run.Runner{Config: cfg, Jobs: run.DefaultJobs(cfg, runtime.NumCPU())}
//	results := r.Run(ctx, cases)
//
// Whatever happens in a case, including a panic of this program, becomes its result. A program that uses worker
// processes must call Serve in the hidden command "worker", with which a Runner starts its own executable.
package run

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind"
)

// Runner runs cases.
type Runner struct {
	Config    *config.Config
	Jobs      int        // cases that run at a time; at least one
	Output    io.Writer  // where scripts print while they run; nil keeps the output in the log alone
	Args      []string   // arguments of scripts
	Baselines *Baselines // baselines to compare with; nil compares with none
	History   bool       // keep the history of each case
	Observer  Observer   // may be nil
}

// Observer follows a run.
type Observer interface {
	// Began is called when a case begins, from several goroutines.
	Began(c *plan.Case)
	// Finished is called when a case has ended, one call at a time.
	Finished(r *result.Result)
}

// DefaultJobs returns how many cases run at a time by default: one for each processor. On real devices cases share the
// device memory, and run one after the other.
func DefaultJobs(cfg *config.Config, cpus int) int {
	switch {
	case cfg.Jobs != 0:
		return cfg.Jobs
	case slices.ContainsFunc(cfg.Targets, config.Target.IsReal):
		return 1
	}
	return cpus
}

// Run executes the cases and returns their results in the order of the cases. When the context ends, running cases are
// canceled and the others are not started.
func (r *Runner) Run(ctx context.Context, cases []*plan.Case) []*result.Result {
	results := make([]*result.Result, len(cases))
	next := make(chan int)
	var slots sync.WaitGroup
	var mu sync.Mutex
	for range min(r.Jobs, len(cases)) {
		slots.Go(func() {
			s := &slot{Runner: r}
			defer s.close()
			for i := range next {
				if r.Observer != nil {
					r.Observer.Began(cases[i])
				}
				results[i] = s.result(ctx, cases[i])
				if r.Observer != nil {
					mu.Lock()
					r.Observer.Finished(results[i])
					mu.Unlock()
				}
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	slots.Wait()
	return results
}

// slot runs one case after another, and owns a worker process where cases need one.
type slot struct {
	*Runner
	worker   *worker
	compiled *luabind.Script // of the previous case in this process, which is often of the same scenario
}

func (s *slot) close() {
	if s.worker != nil {
		s.worker.stop()
	}
}

// result runs a case, checks its expectations and compares it with its baseline.
func (s *slot) result(ctx context.Context, c *plan.Case) *result.Result {
	r := &result.Result{Case: &c.Case, Started: time.Now(), HistoryMissing: !s.History}
	r.Record = s.run(ctx, c)
	result.MakePrintable(r.Record)
	plan.Check(c.Expectations, r.Record)
	s.Baselines.Compare(c, r)
	r.CheckKnownFailure()
	return r
}

// run runs a case. A panic of this program ends only that case.
func (s *slot) run(ctx context.Context, c *plan.Case) (record *luabind.Record) {
	defer recoverInto(c.ID, &record)
	switch {
	case c.Skip != "":
		return &luabind.Record{Skipped: c.Skip}
	case ctx.Err() != nil:
		return &luabind.Record{End: luabind.EndOf(context.Canceled)}
	}
	record = &luabind.Record{}
	if c.Definition.Source != nil {
		record = s.runScript(ctx, c)
	}
	if record.End == nil {
		record.End = luabind.EndOf(c.Definition.Broken) // it could not be loaded when the run was planned
	}
	return record
}

// runScript runs the script of a case in this process or in a worker.
func (s *slot) runScript(ctx context.Context, c *plan.Case) *luabind.Record {
	j := NewJob(s.Config, s.Args, c)
	j.History = s.History
	if s.Config.Isolates(c.Target) {
		return s.runInWorker(ctx, j)
	}
	s.compiled = j.compile(s.compiled)
	record, _ := j.execute(ctx, process{script: s.compiled, output: s.Output})
	return record
}

// runInWorker runs a job in the slot's worker process. When a worker exits before it begins with the job, another one
// gets the job, once.
func (s *slot) runInWorker(ctx context.Context, j *Job) *luabind.Record {
	note := ""
	for {
		if s.worker == nil {
			var err error
			if s.worker, err = startWorker(s.Output); err != nil {
				return &luabind.Record{End: unavailable(err)}
			}
		}
		record, state := s.worker.run(ctx, j)
		if state != workerReady {
			s.worker.stop()
			s.worker = nil
		}
		if state == workerNotBegun && note == "" {
			note = record.End.String() + " before it began with the case; the case was given to another one\n"
			continue
		}
		record.Log = note + record.Log
		return record
	}
}
