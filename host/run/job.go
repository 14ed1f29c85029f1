package run

import (
	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/worker"
)

// NewJob collects what a case depends on. args are the arguments of scripts.
func NewJob(cfg *config.Config, args []string, c *plan.Case) *worker.Job {
	j := &worker.Job{ID: c.ID, Script: c.Script, Source: c.Definition.Source, Library: c.Definition.SearchPaths,
		Case:   c.Input,
		Target: c.Target, Unchecked: !cfg.MemoryChecks,
		Faults: c.Faults.Plan(), Env: cfg.Env, Args: args, Sandbox: cfg.Sandbox,
		Limits: cfg.Limits.Bounds()}
	if declared := c.Definition.Declared; declared != nil && declared.Workload {
		j.Thresholds = plan.Thresholds(c.Expectations)
	}
	return j
}
