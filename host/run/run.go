// Package run runs planned cases. A Session takes a plan through one pipeline:
//
//	source   the results that earlier runs have: --resume, --watch or the shards of roclua merge
//	execute  runs the other cases
//	judge    expectations over several cases, baselines, the exit code
//	write    the outputs, the events, the baselines of --update
//
// A Runner executes cases, several in parallel, each on its own device: in worker processes, or in this process.
//
//	r := run.Runner{Config: cfg, Jobs: run.DefaultJobs(cfg, runtime.NumCPU())}
//	results := r.Run(ctx, p.Cases)
//
// Whatever happens in a case, including a panic of this program, becomes its result.
package run

import (
	"context"
	"io"
	"runtime"
	"slices"
	"sync"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/worker"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// Runner runs cases.
type Runner struct {
	Config    *config.Config
	Jobs      int        // cases that run in parallel; at least one
	Output    io.Writer  // where scripts print while they run; nil keeps the output in the log alone
	Args      []string   // arguments of scripts
	Baselines *Baselines // baselines to compare with; nil compares with none
	History   bool       // keep the history of each case
	Observer  Observer   // may be nil

	Retries int // times that a failed case is tried again
	MaxFail int // failed cases after which no other begins; 0 for no bound

	// LuaProfile receives where each case spent its time, from several goroutines. nil measures nothing.
	LuaProfile func(*record.LuaProfile)

	Workers *worker.Pool // nil uses workers for this run alone
}

// Observer follows a run.
type Observer interface {
	// Began is called when a case begins, from several goroutines.
	Began(c *plan.Case)
	// Second is called after each second of the workload of a case, from several goroutines.
	Second(c *plan.Case, i record.Interval)
	// Finished is called when a case has ended, one call at a time.
	Finished(r *result.Result)
}

// DefaultJobs returns how many cases run in parallel by default: one for each processor. On real devices cases share
// the device memory, and in the full sandbox the machine: they run one after the other.
func DefaultJobs(cfg *config.Config, cpus int) int {
	switch {
	case cfg.Jobs != 0:
		return cfg.Jobs
	case slices.ContainsFunc(cfg.Targets, config.Target.IsReal), cfg.Sandbox == bounds.SandboxFull:
		return 1
	}
	return cpus
}

// threadsOf returns the processors that one call on the cpu platform, or one check of results, may use, so that those
// of all cases that run in parallel do not exceed the processors of the machine.
func threadsOf(jobs int) int { return max(1, runtime.GOMAXPROCS(0)/jobs) }

// Run executes the cases and returns their results in the order of the cases. When the context ends, running cases are
// canceled and the others are not started.
func (r *Runner) Run(ctx context.Context, cases plan.List) []*result.Result {
	workers := r.Workers
	if workers == nil {
		workers = worker.NewPool(nil)
		defer workers.Close()
	}
	workers.Configure(r.Config.Limits)
	results := make([]*result.Result, len(cases))
	jobs := min(r.Jobs, len(cases), worker.MostProcesses())
	todo := &dispenser{count: len(cases), slots: jobs}
	var slots sync.WaitGroup
	var mu sync.Mutex
	finished := func(i int, result *result.Result) {
		mu.Lock()
		defer mu.Unlock()
		if result.FailsRun() {
			todo.failed.Add(1)
		}
		if r.Observer != nil {
			r.Observer.Finished(result)
		}
		results[i] = result
	}
	for range jobs {
		slots.Go(func() {
			s := &slot{Runner: r, threads: threadsOf(jobs), queue: workers.NewQueue(r.Output)}
			s.queue.Second = s.second
			defer s.queue.Close()
			s.run(ctx, cases, todo, finished)
		})
	}
	slots.Wait()
	return results
}
