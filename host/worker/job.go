package worker

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"roclua/hip"
	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/hip/trace"
	"roclua/host/config"
	"roclua/host/expect"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

// Job is a case with everything that its result depends on, as it is sent to worker processes.
type Job struct {
	Work
	File
	Settings
}

// Work is the part of a job that differs between the cases of a run.
type Work struct {
	ID         string
	Case       record.Case
	Target     config.Target
	Faults     fault.Plan
	Thresholds []record.Threshold // that may end a workload early
}

// File is a script with its folders, or a recording.
type File struct {
	Script    string // name that messages show
	Source    []byte
	Library   []string // folders that require searches
	Recording bool     // Source identifies a recording
}

// Settings are common to the cases of a run.
type Settings struct {
	Threads   int  // processors that one call on the cpu platform or one check may use; 0 is all of them
	Unchecked bool // memory is not checked

	RealTime   bool               // the times of simulated devices are those of the machine
	KernelsOff bool               // kernels of simulated devices do not compute
	Time       map[string]float64 // of simulated devices: see driver.Config
	Env        map[string]string
	Args       []string
	Sandbox    string
	Limits     record.Limits
	History    bool   // the history of cases is kept
	Profile    bool   // where scripts spend their time is measured
	Live       bool   // output is sent while scripts run; the queue decides
	Seed       uint64 // of the top level of a script that is described
}

// Compile returns the compiled script of the job: earlier, if it is of the same text. It returns nil for a script that
// does not compile; Execute returns the error.
func (j *Job) Compile(earlier *luabind.Script) *luabind.Script {
	if j.Recording {
		return nil
	}
	if earlier != nil && earlier.Name == j.Script && bytes.Equal(earlier.Source(), j.Source) {
		return earlier
	}
	script, err := luabind.Compile(j.Script, j.Source)
	if err != nil {
		return nil
	}
	return script
}

// Execution is the state of a process that a job uses.
type Execution struct {
	Script *luabind.Script // compiled already, or nil
	Output io.Writer       // where the script prints while it runs; nil keeps the output in the log alone

	Setups *luabind.Setups       // results of setup_all in this process
	Second func(record.Interval) // called after each second of a workload; may be nil

	shared   *shared           // where calls are noted; nil for nowhere
	prepared *luabind.Prepared // the script, if its top level has begun; nil if not
}

// Execute runs a job on its own devices. lost reports that the device is unusable for the rest of the process. A panic
// of this program becomes the end of the case.
func (j *Job) Execute(ctx context.Context, e Execution) (rec *record.Record, lost bool) {
	defer RecoverInto(j.ID, &rec)
	if e.prepared != nil {
		defer e.prepared.Close()
	}
	profile, err := workspace.FindProfile(j.Target.Profile)
	if err == nil && !j.Recording && e.Script == nil {
		e.Script, err = luabind.Compile(j.Script, j.Source)
	}
	var files tuning.Libraries
	if err == nil && !j.Target.IsReal() {
		files, err = j.Target.OpenTuning()
	}
	if err != nil {
		return &record.Record{End: luabind.EndOf(err)}, false
	}
	blas.SetThreads(j.Threads) // on all platforms: the modules of scripts multiply matrices on the CPU
	if j.Recording {
		return j.replay(ctx, e, profile, files), false
	}
	faults := j.Faults.Begin()
	rt, err := j.open(e, faults)
	if err != nil {
		return &record.Record{End: unavailable(err)}, false
	}
	limit, cancel := luabind.WithTimeout(ctx, j.Limits.Timeout)
	defer cancel()
	o := j.options(e)
	o.Runtime, o.Profile, o.Tuning = rt, profile, files
	if !j.Target.IsReal() {
		o.Fresh = func() (*hip.Runtime, func() error, error) {
			rt, err := j.open(e, faults)
			return rt, func() error {
				err := rt.Close()
				lost = lost || isLost(err)
				return err
			}, err
		}
	}
	if e.prepared != nil {
		rec = e.prepared.Run(limit, j.Case, o)
	} else {
		rec = luabind.Run(limit, e.Script, j.Case, o)
	}
	rt.SetContext(limit)
	if err := rt.Close(); err != nil {
		if rec.End == nil && limit.Err() != nil { // the device was still busy with work of the script
			rec.End = luabind.EndOf(context.Cause(limit))
		}
		rec.Problems = append(rec.Problems, "closing the device failed: "+err.Error())
		lost = lost || isLost(err)
	}
	return rec, lost
}

// replay runs a job whose script is a recording.
func (j *Job) replay(ctx context.Context, e Execution, p *workspace.Profile, files tuning.Libraries) *record.Record {
	f, err := recording.Open(j.Script)
	if err != nil {
		return &record.Record{End: luabind.EndOf(err)}
	}
	defer f.Close()
	written, _ := replay.Source(&f.Process)
	o := replay.Options{Profile: p, Tuning: files, Faults: j.Faults.Begin(), Bytes: j.Case.Bytes}
	if j.Case.Scheme != record.SchemeRecorded {
		o.Scheme = j.Case.Scheme
	}
	o.Recorded = o.Scheme == "" && written.Is(p, j.Target.Archs())
	devices := replay.Devices(f, j.Target, o.Recorded)
	devices.RealTime, devices.Time = j.RealTime, j.Time
	rt, err := hip.Open(j.Target.Platform, devices)
	if err != nil {
		return &record.Record{End: unavailable(err)}
	}
	defer rt.Close()
	if e.shared != nil {
		rt.SetWatcher(e.shared.note)
	}
	limit, cancel := luabind.WithTimeout(ctx, j.Limits.Timeout)
	defer cancel()
	rec, err := replay.Case(limit, filepath.Base(j.Script), f, rt, o)
	if err != nil {
		rec = &record.Record{End: luabind.EndOf(context.Cause(limit))}
	}
	if j.History {
		rec.History = rt.History()
	}
	rec.Bound(j.Limits.Output)
	return rec
}

// options are the options of the case without its devices.
func (j *Job) options(e Execution) luabind.Options {
	return luabind.Options{Env: Environment(j.Sandbox, j.Env), LibraryPaths: j.Library, Output: e.Output, Args: j.Args,
		Sandbox: j.Sandbox, Limits: j.Limits, Over: func() { e.shared.enter(phaseCleanup) }, Seen: e.shared.line,
		LuaProfile: j.Profile, History: j.History, Setups: e.Setups, Second: e.Second,
		Thresholds: thresholds(j.Thresholds)}
}

// open opens devices for the case, or for a row of it. faults is the same function for all of them, so that it counts
// the allocations of the whole case.
func (j *Job) open(e Execution, faults func(*trace.Call) string) (*hip.Runtime, error) {
	devices := j.Target.DriverConfig()
	devices.Threads, devices.Unchecked = j.Threads, j.Unchecked
	devices.RealTime, devices.Time = j.RealTime, j.Time
	if j.KernelsOff && !j.Target.IsReal() {
		devices.Kernels = driver.KernelsOff
	}
	rt, err := hip.Open(j.Target.Platform, devices)
	if err != nil {
		return nil, err
	}
	rt.SetFaults(faults)
	if e.shared != nil {
		rt.SetWatcher(e.shared.note)
	}
	return rt, nil
}

// thresholds returns expectations, which were parsed before.
func thresholds(list []record.Threshold) (parsed []luabind.Threshold) {
	for _, t := range list {
		if is, err := expect.Parse(t.Is); err == nil {
			parsed = append(parsed, luabind.Threshold{Threshold: t, Holds: is.Holds})
		}
	}
	return parsed
}

// unavailable is the end of a case whose platform or worker process cannot be opened.
func unavailable(err error) *record.End {
	return &record.End{Kind: record.EndUnavailable, Message: err.Error()}
}

// RecoverInto turns a panic of this program into the end of one case. It must be deferred.
func RecoverInto(id string, rec **record.Record) {
	if p := recover(); p != nil {
		*rec = &record.Record{End: &record.End{Kind: record.EndInternal, Where: id, Message: fmt.Sprint(p),
			Traceback: string(debug.Stack())}}
	}
}

// isLost reports whether an error makes a device unusable for the rest of the process: a real device, or a simulated
// one whose kernel still runs.
func isLost(err error) bool {
	switch driver.CodeOf(err) {
	case driver.ErrorIllegalAddress, driver.ErrorLaunchFailure, driver.ErrorContextIsDestroyed,
		driver.ErrorLaunchTimeOut, driver.ErrorUnknown:
		return true
	}
	return false
}
