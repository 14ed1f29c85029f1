package render

import (
	"fmt"
	"io"
	"slices"

	"roclua/hip/defect"
	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/host/files"
	"roclua/host/gate"
	"roclua/host/output"
	"roclua/host/replay"
	"roclua/host/result"
	"roclua/workspace"
)

// schemaVersion is the version of the document.
const schemaVersion = 1

// Document is an answer as --out json writes it. Its schema is made from these types and their comments.
type Document struct {
	SchemaVersion  int                `json:"schema_version"`            // version of this format
	Files          []analyze.File     `json:"files"`                     // the logs
	Calls          []CallEntry        `json:"calls"`                     // distinct calls, those that need most first
	MoreCalls      int64              `json:"more_calls,omitempty"`      // calls that are not listed
	Targets        map[string]Target  `json:"targets"`                   // by name, "rocm-7.2/gfx90a"
	WorkspaceBytes *uint64            `json:"workspace_bytes,omitempty"` // the user-owned workspace of --workspace
	NotModelled    []analyze.Function `json:"not_modelled"`              // functions whose needs are not known
	Cut            []analyze.Function `json:"cut"`                       // functions of lines that could not be read
	Notes          []analyze.Note     `json:"notes"`                     // gaps in the logs
	Gate           *gate.Gate         `json:"gate,omitempty"`            // changes for the worse since the first target

	// Only with recordings.
	Handles     []HandleEntry     `json:"handles,omitempty"`     // their handles
	Totals      map[string]uint64 `json:"totals,omitempty"`      // most bytes of handles at once, by scheme
	Memory      *replay.Peak      `json:"memory,omitempty"`      // that the libraries allocated for the handles
	Devices     []DeviceEntry     `json:"devices,omitempty"`     // of recordings with handles on several
	Agreement   *replay.Agreement `json:"agreement,omitempty"`   // their predictions by the model
	Differences []DifferenceEntry `json:"differences,omitempty"` // the first wrong predictions
	Findings    []FindingEntry    `json:"findings,omitzero"`     // uses of handles that can be wrong or slow
}

// CallEntry is a distinct call.
type CallEntry struct {
	Function    string                 `json:"function"`               // C name
	Args        map[string]any         `json:"args"`                   // integers and options in the log
	Count       int64                  `json:"count"`                  // times that it was made
	File        string                 `json:"file"`                   // of the first line
	FirstLine   int64                  `json:"first_line"`             // the first line, from 1
	Needs       map[string]*uint64     `json:"needs"`                  // bytes by target; null if not known
	AtMost      bool                   `json:"at_most,omitempty"`      // the needs are bounds: see the notes
	MayBeQuery  bool                   `json:"may_be_query,omitempty"` // it may be of a size query: see the notes
	Refused     map[string]FailedEntry `json:"refused,omitempty"`      // by target: why the call fails
	InWorkspace map[string]string      `json:"in_workspace,omitempty"` // by target: status in that workspace
	Settings    []string               `json:"settings,omitempty"`     // of a test, that are not usual
	Ends        map[string]FailedEntry `json:"ends,omitempty"`         // by target: why it does not succeed with them
}

// FailedEntry is why a call fails.
type FailedEntry struct {
	Status string `json:"status"` // that the library returns
	Reason string `json:"reason"` // which argument is wrong
}

// Target is the need of the calls on a release and an architecture.
type Target struct {
	NeedsBytes    uint64          `json:"needs_bytes"`              // of the call that needs most
	DecidedBy     *PlaceEntry     `json:"decided_by,omitempty"`     // that call
	ExecutedBytes *uint64         `json:"executed_bytes,omitempty"` // of the other calls, if that one may be a query
	Missing       []string        `json:"missing"`                  // calls that the needs and growths do not contain
	Managed       analyze.Managed `json:"managed"`                  // a managed handle
	Preallocated  *BytesEntry     `json:"preallocated,omitempty"`   // size from the environment
	Manual        *BytesEntry     `json:"manual,omitempty"`         // set_device_memory_size
	UserOwned     *BytesEntry     `json:"user_owned,omitempty"`     // set_workspace
	StreamOrdered *PeakEntry      `json:"stream_ordered,omitempty"` // stream-ordered allocation
	Defects       []HitEntry      `json:"defects"`                  // known defects that concern calls, the worst first
}

// HitEntry is a known defect and the calls that it concerns.
type HitEntry struct {
	defect.Entry
	Calls int64      `json:"calls"` // how many there are
	First PlaceEntry `json:"first"` // the first one
}

func (r *Report) hitEntries(t *analyze.Target) []HitEntry {
	entries := []HitEntry{}
	for _, h := range t.Defects {
		entries = append(entries, HitEntry{h.Entry(), h.Calls, r.placeEntry(h.First)})
	}
	return entries
}

// PlaceEntry is a call and where it is.
type PlaceEntry struct {
	Function string `json:"function"` // C name
	File     string `json:"file"`     // its log
	Line     int64  `json:"line"`     // its first line
}

func (r *Report) placeEntry(c *analyze.Call) PlaceEntry {
	return PlaceEntry{c.Routine.CName(), r.Files[c.File].Name, c.Line}
}

// BytesEntry is the size that a scheme needs.
type BytesEntry struct {
	Bytes uint64 `json:"bytes"` // size
}

// PeakEntry is the most memory that calls allocate at once.
type PeakEntry struct {
	PeakBytes uint64 `json:"peak_bytes"` // the most that one call allocates from the pool
}

// Document returns the answer. There may be many calls, so each is described when it is written.
func (r *Report) Document() (any, error) {
	calls := result.Stream(func(add func(*CallEntry) error) error {
		for _, c := range r.Calls {
			if err := add(r.callEntry(c)); err != nil {
				return err
			}
		}
		return nil
	})
	return output.Stream(func(w io.Writer) error {
		err := result.Encode(w, r.withoutCalls(), result.Indented, calls)
		fmt.Fprintln(w)
		return err
	}), nil
}

// withoutCalls returns the answer as a document without the list of calls.
func (r *Report) withoutCalls() *Document {
	d := &Document{SchemaVersion: schemaVersion, Files: append([]analyze.File{}, r.Files...), Calls: []CallEntry{},
		MoreCalls: r.NotListed.Times, Targets: map[string]Target{}, WorkspaceBytes: r.Workspace,
		NotModelled: r.NotModeled, Cut: r.Cut,
		Notes: append([]analyze.Note{}, r.Notes...), Gate: r.Gate}
	for i := range r.Targets {
		d.Targets[r.Targets[i].String()] = r.targetEntry(&r.Targets[i])
	}
	r.addRecordings(d)
	return d
}

func (r *Report) callEntry(c *analyze.Call) *CallEntry {
	e := &CallEntry{Function: c.Routine.CName(), Args: map[string]any{}, Count: c.Times, File: r.Files[c.File].Name,
		FirstLine: c.Line, Needs: map[string]*uint64{}, MayBeQuery: c.MayBeQuery,
		Settings: slices.Concat(c.Settings.List())}
	a := c.Args()
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		text, ok := files.Value(a, p)
		switch {
		case !ok || !c.Known.Has(p.Slot):
		case p.Kind.IsInteger():
			e.Args[p.Name] = a.Int(p.Slot)
		case p.Kind == routine.Real:
			e.Args[p.Name] = a.Real(p.Slot)
		case p.Kind == routine.Scalar:
			e.Args[p.Name] = 0
		default:
			e.Args[p.Name] = text
		}
	}
	for i, n := range c.Needs {
		target := r.Targets[i].String()
		e.Needs[target] = nil
		if n.Known() {
			e.Needs[target] = &n.Bytes
		}
		e.AtMost = e.AtMost || n.AtMost
		if n.Status != "" {
			put(&e.Refused, target, FailedEntry{n.Status, n.Reason})
		}
		if n.Ends != "" {
			put(&e.Ends, target, FailedEntry{n.Ends, n.Why})
		}
		if text := n.In(r.Workspace); text != "" {
			put(&e.InWorkspace, target, text)
		}
	}
	return e
}

func put[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}

func (r *Report) targetEntry(t *analyze.Target) Target {
	e := Target{Defects: r.hitEntries(t), NeedsBytes: t.Bytes,
		Missing: append([]string{}, t.Missing...), Managed: t.Managed}
	if c := t.Decides; c != nil {
		place := r.placeEntry(c)
		e.DecidedBy = &place
		if c.MayBeQuery {
			e.ExecutedBytes = &t.ExecutedBytes
		}
	}
	for _, h := range workspace.HeldAfter(t.Profile, t.Arch, []uint64{t.Bytes}) {
		if h.Skip != "" {
			continue
		}
		switch h.Scheme {
		case workspace.SchemePreallocated:
			e.Preallocated = &BytesEntry{h.Bytes}
		case workspace.SchemeManual:
			e.Manual = &BytesEntry{h.Bytes}
		case workspace.SchemeUserOwned:
			e.UserOwned = &BytesEntry{h.Bytes}
		case workspace.SchemeStreamOrdered:
			e.StreamOrdered = &PeakEntry{t.Bytes}
		}
	}
	return e
}
