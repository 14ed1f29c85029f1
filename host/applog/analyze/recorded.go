package analyze

import (
	"roclua/hip/defect"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// Recorded takes the calls in the recording of a process. A line is the number of a call.
type Recorded struct{ *reader }

// Recorded begins the recording of a process, by its name in reports and the release that wrote it.
func (l *Log) Recorded(name, release string) *Recorded {
	s := &session{File: File{Name: name, RocBLAS: release, Recorded: true}, number: len(l.sessions),
		recorded: map[int]*Handle{}}
	l.sessions = append(l.sessions, s)
	return &Recorded{&reader{Log: l, session: s}}
}

// Lines sets the number of calls of any function.
func (r *Recorded) Lines(n int64) { r.session.Lines = n }

// NotModelled counts calls to a function that is not modelled.
func (r *Recorded) NotModelled(name string, times int64) {
	r.tally(function{lines.Unknown, lines.Recorded, name}, times, 0)
}

// Call counts a routine call on a stream of a handle, and returns it.
func (r *Recorded) Call(handle, stream int, a *routine.Args, line int64) *Call {
	c := r.callOf(whole(a), noSettings)
	r.Kinds[lines.Recorded]++
	r.session.Calls++
	if c.key == "" {
		r.notListed.Times++
	} else if c.counts[lines.Recorded]++; c.Line == 0 {
		c.File, c.Line = r.number, line
	}
	h := r.Handle(handle)
	h.needs(c)
	for i := range h.memory {
		h.memory[i].call(c.Needs[i].Bytes, c, r.session, line)
	}
	if c.key != "" {
		h.use(stream).Times[c]++
	}
	return c
}

// whole returns a call whose arguments are all known.
func whole(a *routine.Args) *lines.Call {
	c := &lines.Call{Args: a}
	for i := range a.Routine.Params {
		c.Known.Add(a.Routine.Params[i].Slot)
	}
	return c
}

// In notes the state of the handle of a call.
func (c *Call) In(s defect.State) {
	join := func(have *defect.Truth, of defect.Truth) {
		if *have != defect.Yes && of != defect.Unknown {
			*have = of
		}
	}
	join(&c.State.StreamOrdered, s.StreamOrdered)
	join(&c.State.Managed, s.Managed)
	join(&c.State.Capturing, s.Capturing)
}

// Handle returns the handle with a number, and begins it if it made no call yet.
func (r *Recorded) Handle(number int) *Handle {
	if r.recorded[number] == nil {
		r.recorded[number] = newHandle(number, r.targets)
	}
	return r.recorded[number]
}
