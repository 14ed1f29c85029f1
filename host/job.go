package host

import (
	"context"
	"io"
	"runtime/debug"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/host/config"
	"roclua/luabind"
	"roclua/workspace"
)

// job is one case as it is executed, in this process or in another: everything that it depends on.
type job struct {
	ID      string
	Script  string // the name that messages show
	Source  []byte
	Library []string // folders in which require looks
	Case    luabind.Case
	Target  config.Target
	BLAS    string
	Faults  fault.Plan
	Env     map[string]string
	Args    []string
	Sandbox string
	Limits  luabind.Limits
	History bool // what happened is asked for
}

// describe collects what a planned case depends on.
func (r *runner) describe(c *plannedCase) *job {
	return &job{ID: c.id, Script: c.scenario.script.Name, Source: c.scenario.script.Source(), Library: c.scenario.searchPaths, Case: c.Case,
		Target: c.target, BLAS: r.cfg.BLAS, Faults: c.Faults.Plan(), Env: r.cfg.Env, Args: r.args, Sandbox: r.cfg.Sandbox,
		Limits: r.cfg.Limits.Bounds(), History: r.history}
}

// surroundings are what a job uses of the process it runs in.
type surroundings struct {
	script *luabind.Script // compiled already, or nil
	opened func(*hip.Runtime)
	over   func()    // called when the case ended early and cleans up; may be nil
	output io.Writer // where the script prints while it runs; nil keeps it in the log
}

// execute runs a job on a device of its own. lost reports that the device answers nothing any more, in this process.
func (j *job) execute(ctx context.Context, s surroundings) (record *luabind.Record, lost bool) {
	defer survive(j.ID, &record)
	profile, err := workspace.FindProfile(j.Target.Profile)
	if err == nil && s.script == nil {
		s.script, err = luabind.Compile(j.Script, j.Source)
	}
	if err != nil {
		return &luabind.Record{End: luabind.EndOf(err)}, false
	}
	rt, err := hip.Open(j.Target.Platform, driver.Config{Devices: 1, Arch: j.Target.Arch, MemoryBytes: uint64(j.Target.DeviceMemory), BLAS: j.BLAS})
	if err != nil {
		return &luabind.Record{End: unavailableEnd(err)}, false
	}
	rt.SetFaults(j.Faults.Begin())
	if s.opened != nil {
		s.opened(rt)
	}
	limit, cancel := luabind.WithTimeout(ctx, j.Limits.Timeout)
	defer cancel()
	record = luabind.Run(limit, s.script, j.Case, luabind.Options{Runtime: rt, Profile: profile, Env: j.Env, LibraryPaths: j.Library,
		Output: s.output, Args: j.Args, Sandbox: j.Sandbox, Limits: j.Limits, Over: s.over})
	rt.SetContext(limit)
	if err := rt.Close(); err != nil {
		if record.End == nil && limit.Err() != nil { // while the device finished what the script had left to it
			record.End = luabind.EndOf(context.Cause(limit))
		}
		record.Problems = append(record.Problems, "closing the device failed: "+err.Error())
		lost = isLost(err)
	}
	if !j.History {
		record.History = hip.History{}
	}
	return record, lost
}

// unavailableEnd is the end of a case whose platform or worker process cannot be opened.
func unavailableEnd(err error) *luabind.End {
	return &luabind.End{Kind: luabind.EndUnavailable, Message: err.Error()}
}

// survive turns a panic of ours into the end of one case.
func survive(id string, record **luabind.Record) {
	if p := recover(); p != nil {
		*record = &luabind.Record{End: luabind.EndOf(&luabind.InternalError{Where: id, Value: p, Stack: string(debug.Stack())})}
	}
}

// isLost reports whether an error leaves a device of no further use to the process: a real one, or a simulated one whose kernel
// was left to itself, which ends with the process.
func isLost(err error) bool {
	switch driver.CodeOf(err) {
	case driver.ErrorIllegalAddress, driver.ErrorLaunchFailure, driver.ErrorContextIsDestroyed, driver.ErrorLaunchTimeOut, driver.ErrorUnknown:
		return true
	}
	return false
}
