// Package capacity computes the memory that all handles of a program need together, for the command roclua plan. It
// takes the needs of each handle from package applog, and the kernels of GEMMs from package products.
//
//	report, err := applog.Read(ctx, applog.Request{Files: []string{"app.rec"}})
//	p, err := capacity.New(report, capacity.Options{Budget: &bytes})
//	err = p.WriteText(os.Stdout)
package capacity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"roclua/host/answer"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/gate"
)

// Options change the plan.
type Options struct {
	Handles int64        // for each file or list of calls, in place of its handles; 0 for its handles
	Streams int64        // of each of these handles
	Budget  *uint64      // bytes for the workspaces of all handles; nil for no bound
	Limits  *gate.Limits // of changes since the first target; nil for no comparison
}

// MostHandles bounds the handles and the streams, so that totals do not overflow.
const MostHandles = 1_000_000

// schemaVersion is the version of the document.
const schemaVersion = 1

// Plan is the memory of all handles. Its schema is made from these types and their comments.
type Plan struct {
	SchemaVersion int       `json:"schema_version"`         // version of this format
	Input         string    `json:"input"`                  // recordings, logs or calls
	Budget        *uint64   `json:"budget_bytes,omitempty"` // bytes for all workspaces
	Targets       []*Target `json:"targets"`                // releases and architectures
	Notes         []string  `json:"notes"`                  // limits of the input

	*gate.Gate `json:"gate,omitempty"` // changes for the worse since the first target

	memory []answer.Section // pictures of recordings
}

// Target is the plan for a release and an architecture.
type Target struct {
	Profile  string         `json:"profile"`            // release
	Arch     string         `json:"arch"`               // architecture
	Handles  []*Handle      `json:"handles"`            // each handle on each of its streams
	Totals   []render.Total `json:"totals"`             // memory of all handles, by scheme
	Sharing  []Sharing      `json:"sharing"`            // one workspace for all handles of a device
	Unknown  []string       `json:"unknown"`            // calls whose need, or whose kernel, is not known
	Defects  []string       `json:"defects"`            // known defects that concern the calls, the worst first
	Decision *Decision      `json:"decision,omitempty"` // effect of the budget

	several    bool  // a handle has several streams
	devices    []int // that have handles
	withDevice bool  // handles of this target or another are on several devices
}

// Handle is a handle, or several that do the same, on a stream.
type Handle struct {
	Name      string  `json:"name"`                 // number in the recording, with its file if there are several
	Device    int     `json:"device"`               // current when the handle was created
	Stream    int     `json:"stream"`               // 0 is the null stream
	Count     int64   `json:"count"`                // pairs of a handle and a stream that this row means
	Needs     uint64  `json:"needs_bytes"`          // of the call that needs most
	DecidedBy string  `json:"decided_by,omitempty"` // call that decides it
	Wants     uint64  `json:"wants_bytes"`          // with which no product loses its kernel; 0 if that is not known
	Managed   uint64  `json:"managed_bytes"`        // that the handle holds if the library manages its memory
	Held      *uint64 `json:"held_bytes,omitempty"` // that it held in the recording
	Call      string  `json:"call"`                 // recommended

	repeats int64 // of the calls in the input
	demands []demand
	of      *render.Member
	group   *group
}

// Sharing is one workspace for all handles of a device in a process.
type Sharing struct {
	Name   string `json:"name"`   // handle, stream or process that has it
	Bytes  uint64 `json:"bytes"`  // its size
	Safe   string `json:"safe"`   // "yes", "no" or "unknown"
	Reason string `json:"reason"` // why
}

// group is the handles of a process, which can share memory.
type group struct {
	name    string
	safe    func(device int) (safe, reason string)
	members render.Process
}

// New makes a plan.
func New(r *render.Report, o Options) (*Plan, error) {
	for name, n := range map[string]int64{"handles": o.Handles, "streams": o.Streams} {
		if n < 0 || n > MostHandles {
			return nil, fmt.Errorf("%s: %d, want a number from 1 to %d", name, n, MostHandles)
		}
	}
	p := &Plan{SchemaVersion: schemaVersion, Input: r.Input(), Budget: o.Budget, Notes: []string{}, memory: r.Memory()}
	groups := groupsOf(r, o)
	for _, n := range r.Notes {
		p.Notes = append(p.Notes, n.Text)
	}
	handles, streams := max(1, o.Handles), max(1, o.Streams)
	for i := range r.Targets {
		t, err := newTarget(r, groups, i, handles, streams)
		if err != nil {
			return nil, err
		}
		t.Defects = []string{}
		for _, h := range r.Targets[i].Defects {
			t.Defects = append(t.Defects, h.String())
		}
		if o.Budget != nil {
			t.Decision = t.decide(*o.Budget)
		}
		p.Targets = append(p.Targets, t)
	}
	if o.Limits == nil {
		return p, nil
	}
	var err error
	p.Gate, err = gate.New(o.Limits, gate.Input{Answer: r.Answer, Totals: p.totals(),
		Programs: r.Programs()})
	return p, err
}

// totals lists the totals of the schemes that all targets have.
func (p *Plan) totals() (list []gate.Total) {
	for _, of := range p.Targets[0].Totals {
		total := gate.Total{Name: "all handles, " + of.Scheme}
		for _, t := range p.Targets {
			for _, other := range t.Totals {
				if other.Scheme == of.Scheme {
					total.Bytes = append(total.Bytes, other.Peak)
				}
			}
		}
		if len(total.Bytes) == len(p.Targets) {
			list = append(list, total)
		}
	}
	return list
}

// groupsOf returns the handles of recordings, of the given calls, and of logs.
func groupsOf(r *render.Report, o Options) []*group {
	var list []*group
	each := func(h *analyze.Handle) *render.Member { return &render.Member{Handle: h, Name: "each", Count: 1} }
	for _, rec := range r.Recordings {
		g := &group{rec.Name, sharedIn(rec), nil}
		if o.Handles > 0 {
			g.safe, g.members = sharedByNew(o), render.Process{each(rec.Handles[1])}
		} else {
			g.members = r.Members(rec)
		}
		list = append(list, g)
	}
	if r.Given != nil {
		list = append(list, &group{"calls", sharedByNew(o), render.Process{each(r.Given)}})
	}
	for _, of := range r.Logs {
		m := each(of.Handle)
		g := &group{of.Name, sharedInLog(of), render.Process{m}}
		if len(r.Logs)+len(r.Recordings) > 1 {
			m.Name = of.Name
		}
		if m.Count = of.Count; o.Handles > 0 { // new handles make its calls
			g.safe, m.Count = sharedByNew(o), 1
			of.Handle.Uses = []*analyze.Use{of.Together()}
		}
		list = append(list, g)
	}
	return list
}

// sharedInLog decides whether the handles of a log can share a workspace.
func sharedInLog(of *analyze.Logged) func(int) (string, string) {
	return func(int) (safe, reason string) {
		switch {
		case of.Count > 1:
			return "unknown", "a line of a log does not name its handle, and several were in use at the same time"
		case of.Single && len(of.Uses) <= 1:
			return "yes", "the log has one handle, on one stream: a call begins on the device after the one before it"
		case len(of.Uses) > 1:
			return "unknown", "a log does not show whether one stream waits for another"
		}
		return "unknown", "the log does not show whether there is one handle"
	}
}

// sharedIn decides whether the handles of a device in a recording can share a workspace.
func sharedIn(rec *render.Recording) func(int) (string, string) {
	return func(device int) (safe, reason string) {
		var threads []int
		for _, h := range rec.Result.Handles {
			if h.Device == device {
				threads = append(threads, h.Threads...)
			}
		}
		slices.Sort(threads)
		several := len(slices.Compact(threads)) > 1
		for _, s := range rec.Sharing {
			switch {
			case s.Device != device || s.Uses == 0:
			case s.Conflicts > 0:
				return "no", fmt.Sprintf("%s; %d of %d calls that use workspace do not wait for another one",
					s.First, s.Conflicts, s.Uses)
			case several:
				return "unknown", "several threads make the calls, and the recording shows nothing that orders them"
			case !rec.Process.Ended:
				return "unknown", "the process did not end by exit: its next calls are unknown"
			default:
				return "yes", fmt.Sprintf("each of %d calls that use workspace waits for those before it, by its "+
					"stream, events or waits of the host", s.Uses)
			}
		}
		return "yes", "no call uses workspace"
	}
}

// sharedByNew decides whether handles of a planned program can share a workspace.
func sharedByNew(o Options) func(int) (string, string) {
	return func(int) (safe, reason string) {
		if max(1, o.Handles)*max(1, o.Streams) == 1 {
			return "yes", "one handle on one stream: a call begins on the device after the one before it"
		}
		return "no", "calls on several streams run at the same time, unless the program lets each wait for the one " +
			"before it, in one thread: by one stream for all handles, or by events"
	}
}

// sortedCalls returns the calls of a use in the order of their first lines.
func sortedCalls(u *analyze.Use) []*analyze.Call {
	return slices.SortedFunc(maps.Keys(u.Times), func(a, b *analyze.Call) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// Title names the input.
func (p *Plan) Title() string { return "roclua plan: " + p.Input }
