package worker

import (
	"bytes"
	"maps"
	"slices"

	"roclua/hip/fault"
	"roclua/host/config"
	"roclua/luabind"
	"roclua/luabind/record"
)

// The program sends requests to a worker process, and the worker replies to them in the same order. A job is sent in
// parts: what it has in common with the job before it is not sent again.

// request is a message to a worker: a case, or without one to describe the script.
type request struct {
	Number uint32 // of the request, from 1
	Common *common
	Script *scriptPart
	Place  int // place of the script
	Case   *casePart
}

// common is what the jobs of a run have in common.
type common struct {
	Threads   int
	Unchecked bool
	Env       map[string]string
	Args      []string
	Sandbox   string
	Limits    record.Limits
	History   bool
	Profile   bool   // where scripts spend their time is measured
	Live      bool   // what scripts print is sent while they run
	Seed      uint64 // of the top level of a script that is described
}

func (c *common) equal(d *common) bool {
	return c.Threads == d.Threads && c.Unchecked == d.Unchecked && maps.Equal(c.Env, d.Env) &&
		slices.Equal(c.Args, d.Args) && c.Sandbox == d.Sandbox && c.Limits == d.Limits && c.History == d.History &&
		c.Live == d.Live && c.Profile == d.Profile && c.Seed == d.Seed
}

// scriptPart is a script with its folders. A worker keeps scriptsKept of them.
type scriptPart struct {
	Name      string
	Source    []byte
	Library   []string
	Recording bool
}

func (s *scriptPart) equal(t *scriptPart) bool {
	return s.Name == t.Name && s.Recording == t.Recording && bytes.Equal(s.Source, t.Source) &&
		slices.Equal(s.Library, t.Library)
}

// scriptsKept is the number of scripts that a worker keeps, each in its place.
const scriptsKept = 64

// casePart is what is different for each case.
type casePart struct {
	ID     string
	Case   record.Case
	Target config.Target
	Faults fault.Plan

	Thresholds []record.Threshold
}

// reply is a message from a worker.
type reply struct {
	Number      uint32           // of the request
	Record      *record.Record   // result of a case
	Lost        bool             // the device is unusable for the rest of the process, and the worker exits
	Description *Description     // what a script declares
	Second      *record.Interval // a second of a workload; the result follows in another message
	Printed     []byte           // what a script printed; the result follows in another message
}

// sent is what a worker knows already.
type sent struct {
	number  uint32 // of the last request
	common  *common
	scripts [scriptsKept]*scriptPart
	next    int // place of the next script
}

// job returns a request to run a job, without the parts that the worker knows.
func (s *sent) job(j *Job, live, profile bool) *request {
	return s.request(&common{Threads: j.Threads, Unchecked: j.Unchecked, Env: j.Env, Args: j.Args,
		Sandbox: j.Sandbox, Limits: j.Limits, History: j.History, Profile: profile, Live: live},
		&scriptPart{j.Script, j.Source, j.Library, j.Recording},
		&casePart{ID: j.ID, Case: j.Case, Target: j.Target, Faults: j.Faults, Thresholds: j.Thresholds})
}

// description returns a request to describe a script, without the parts that the worker knows.
func (s *sent) description(script *Script, profile bool) *request {
	return s.request(&common{Profile: profile, Env: script.Env, Args: script.Args, Sandbox: script.Sandbox,
		Limits: script.Limits,
		Seed:   script.Seed}, &scriptPart{Name: script.Name, Source: script.Source, Library: script.Library}, nil)
}

func (s *sent) request(c *common, script *scriptPart, part *casePart) *request {
	s.number++
	r := &request{Number: s.number, Case: part}
	if s.common == nil || !s.common.equal(c) {
		r.Common, s.common = c, c
	}
	known := func(t *scriptPart) bool { return t != nil && t.equal(script) }
	if r.Place = slices.IndexFunc(s.scripts[:], known); r.Place < 0 {
		r.Place, r.Script = s.next, script
		s.scripts[s.next] = script
		s.next = (s.next + 1) % scriptsKept
	}
	return r
}

// received is what a worker has received so far.
type received struct {
	common   common
	scripts  [scriptsKept]scriptPart
	compiled [scriptsKept]*luabind.Script
	prepared [scriptsKept]*prepared // of scripts that were described in the full sandbox, until their case
}

// add adds the parts of a request.
func (d *received) add(r *request) {
	if r.Common != nil {
		d.common = *r.Common
	}
	if r.Script != nil {
		if p := d.takePrepared(r.Place); p != nil {
			p.script.Close()
		}
		d.scripts[r.Place], d.compiled[r.Place] = *r.Script, nil
	}
}

// takePrepared returns the prepared script at a place, or nil. Only one case can have it.
func (d *received) takePrepared(place int) *prepared {
	p := d.prepared[place]
	d.prepared[place] = nil
	return p
}

// job returns the job of a request.
func (d *received) job(r *request) *Job {
	c, script := d.common, d.scripts[r.Place]
	return &Job{ID: r.Case.ID, Script: script.Name, Source: script.Source, Library: script.Library,
		Recording: script.Recording, Case: r.Case.Case,
		Target: r.Case.Target, Threads: c.Threads, Unchecked: c.Unchecked, Faults: r.Case.Faults,
		Thresholds: r.Case.Thresholds, Env: c.Env, Args: c.Args, Sandbox: c.Sandbox, Limits: c.Limits,
		History: c.History}
}

// script returns the script that a request is to describe.
func (d *received) script(r *request) *Script {
	c, script := d.common, d.scripts[r.Place]
	return &Script{Name: script.Name, Source: script.Source, Library: script.Library, Env: c.Env, Args: c.Args,
		Sandbox: c.Sandbox, Limits: c.Limits, Seed: c.Seed, luaProfile: c.Profile}
}
