package run

import (
	"os"
	"time"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/worker"
)

// timeoutOf returns the time that a recording may take in addition to the limit of scripts, for its size.
func timeoutOf(path string) time.Duration {
	const bytesPerSecond = 1 << 20 // less than a slow machine replays
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return time.Duration(info.Size()/bytesPerSecond) * time.Second
}

// NewJob collects what a case depends on. args are the arguments of scripts.
func NewJob(cfg *config.Config, args []string, c *plan.Case) *worker.Job {
	j := &worker.Job{
		Work: worker.Work{ID: c.ID, Case: c.Input, Target: c.Target, Faults: c.Faults.Plan()},
		File: worker.File{Script: c.Script, Source: c.Definition.Source, Library: c.Definition.SearchPaths},
		Settings: worker.Settings{Unchecked: !cfg.MemoryChecks, Env: cfg.Env, Args: args, Sandbox: cfg.Sandbox,
			Limits: cfg.Limits.Bounds()}}
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
