package worker

import (
	"reflect"
	"slices"

	"roclua/luabind"
	"roclua/luabind/record"
)

// The program sends requests to a worker process, and the worker replies to them in the same order. A job is sent in
// parts: those that it shares with the job before it are not sent again.

// request is a message to a worker: a case, or without one to describe the script.
type request struct {
	Number   uint32 // of the request, from 1
	Settings *Settings
	File     *File
	Place    int // place of the file
	Work     *Work
}

// filesKept is the number of files that a worker keeps, each in its place.
const filesKept = 64

// reply is a message from a worker.
type reply struct {
	Number      uint32           // of the request
	Record      *record.Record   // result of a case
	Lost        bool             // the device is unusable for the rest of the process, and the worker exits
	Description *Description     // declarations of a script
	Second      *record.Interval // a second of a workload; the result follows in another message
	Printed     []byte           // output of a script; the result follows in another message
}

// sent is the data that a worker has already.
type sent struct {
	number   uint32 // of the last request
	settings *Settings
	files    [filesKept]*File
	next     int // place of the next file
}

// request returns a request, without the parts that the worker knows: to run a case, or without one to describe a
// script. live and profile are Settings that the queue and the pool decide.
func (s *sent) request(settings Settings, file *File, work *Work, live, profile bool) *request {
	settings.Live, settings.Profile = live, profile
	s.number++
	r := &request{Number: s.number, Work: work}
	if s.settings == nil || !reflect.DeepEqual(*s.settings, settings) {
		r.Settings, s.settings = &settings, &settings
	}
	known := func(f *File) bool { return f != nil && reflect.DeepEqual(f, file) }
	if r.Place = slices.IndexFunc(s.files[:], known); r.Place < 0 {
		r.Place, r.File = s.next, file
		s.files[s.next] = file
		s.next = (s.next + 1) % filesKept
	}
	return r
}

// received is the data that a worker has received so far.
type received struct {
	settings Settings
	files    [filesKept]File
	compiled [filesKept]*luabind.Script
	prepared [filesKept]*prepared // of scripts that were described in the full sandbox, until their case
}

func (d *received) add(r *request) {
	if r.Settings != nil {
		d.settings = *r.Settings
	}
	if r.File != nil {
		if p := d.takePrepared(r.Place); p != nil {
			p.script.Close()
		}
		d.files[r.Place], d.compiled[r.Place] = *r.File, nil
	}
}

// takePrepared returns the prepared script at a place, or nil. Only one case can have it.
func (d *received) takePrepared(place int) *prepared {
	p := d.prepared[place]
	d.prepared[place] = nil
	return p
}

func (d *received) job(r *request) *Job { return &Job{*r.Work, d.files[r.Place], d.settings} }
