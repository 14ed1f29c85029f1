package size

import (
	"slices"
	"strconv"

	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/host/output"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
	"roclua/workspace/status"
)

// schemaVersion is the version of the JSON that roclua size writes.
const schemaVersion = 1

// Entry is the need of one call.
type Entry struct {
	Call     string         `json:"call,omitempty"`              // as it was written
	Routine  string         `json:"routine,omitempty"`           // C name
	Bytes    *uint64        `json:"bytes" jsonschema:"nullable"` // workspace, or buffer; null if unknown or refused
	Unknown  string         `json:"unknown,omitempty"`           // why the bytes are not known
	Inferred string         `json:"inferred,omitempty"`          // evidence for the profile, if it is inferred
	Defaults []string       `json:"defaults,omitempty"`          // of the benchmark program, for arguments without one
	Degraded *uint64        `json:"degraded_bytes,omitempty"`    // with which the call also runs, more slowly
	Status   string         `json:"status,omitempty"`            // of a function of hipSOLVER
	Reason   string         `json:"reason,omitempty"`            // why hipSOLVER refuses the arguments
	Lwork    *uint64        `json:"lwork,omitempty"`             // result of a function of hipSOLVER
	Unit     uint64         `json:"lwork_unit_bytes,omitempty"`  // bytes that 1 means in lwork
	Element  uint64         `json:"element_bytes,omitempty"`     // bytes of an element of the matrix
	Host     *uint64        `json:"lwork_on_host,omitempty"`     // of 64-bit functions
	Defects  []defect.Entry `json:"defects,omitzero"`            // known ones that concern the call
	Buffers  []Buffer       `json:"buffers,omitzero"`            // parts of the bytes, in the order of the library
}

// Buffer is a part of the memory that a call needs.
type Buffer struct {
	Purpose string `json:"purpose"` // use of the memory
	Bytes   uint64 `json:"bytes"`   // exact
	Rounded uint64 `json:"rounded"` // up to a multiple of 64
}

// The JSON of roclua size without a sweep.
type (
	jsonReport struct {
		Schema  int          `json:"schema_version"`
		Calls   []string     `json:"calls"`
		Targets []jsonTarget `json:"targets"`
	}
	jsonTarget struct {
		Profile   string         `json:"profile"`
		Arch      string         `json:"arch"`
		RocBLAS   string         `json:"rocblas"`
		RocSOLVER string         `json:"rocsolver"`
		Build     *release.Build `json:"build,omitempty"` // build reproduced by the profile
		Default   uint64         `json:"default_bytes"`
		Bytes     *uint64        `json:"bytes"`      // null if the need of a call is unknown
		DecidedBy int            `json:"decided_by"` // 1-based
		Calls     []Entry        `json:"calls"`
		Held      []jsonHeld     `json:"holds"`
		Warnings  []string       `json:"traps"`
		Later     []string       `json:"later,omitempty"`   // changes of later releases for the calls
		Caveats   []string       `json:"caveats,omitempty"` // why other builds may need other sizes
	}
	jsonHeld struct {
		Scheme  string  `json:"scheme"`
		Bytes   *uint64 `json:"bytes"` // null if the release lacks the scheme
		About   string  `json:"about,omitempty"`
		Skipped string  `json:"skipped,omitempty"`
	}
)

// Document has the need of each call on each target, or a point of a sweep for each.
func (q *Query) Document() (any, error) {
	if q.isSweep() {
		return output.Stream(q.writeSweep), nil
	}
	list, err := q.footprints()
	report := jsonReport{Schema: schemaVersion}
	for _, c := range q.sequence.Calls {
		report.Calls = append(report.Calls, c.Text)
	}
	for _, f := range list {
		report.Targets = append(report.Targets, targetOf(q.sequence, f))
	}
	return report, err
}

func targetOf(s *footprint.Sequence, f *footprint.Footprint) jsonTarget {
	p := f.Target.Profile
	t := jsonTarget{Profile: p.Name, Arch: f.Target.Arch, RocBLAS: p.RocBLAS, RocSOLVER: p.RocSOLVER,
		Default: p.DefaultBytes(f.Target.Arch), DecidedBy: f.Decides + 1,
		Calls: []Entry{}, Held: []jsonHeld{}, Warnings: append([]string{}, f.Warnings...), Caveats: f.Caveats,
		Later: f.Later}
	if reason, _ := f.Unknown(); reason == "" {
		t.Bytes = &f.Bytes
	}
	if build, ok := p.Build(); ok {
		t.Build = &build
	}
	for i, n := range f.Calls {
		t.Calls = append(t.Calls, entryOf(f.Target, s.Calls[i], &n, true))
	}
	for _, h := range f.Held {
		hold := jsonHeld{Scheme: h.Scheme, About: h.About, Skipped: h.Skip}
		if h.Skip == "" {
			hold.Bytes = &h.Bytes
		}
		t.Held = append(t.Held, hold)
	}
	return t
}

func entryOf(t footprint.Target, c *footprint.Call, n *footprint.Need, buffers bool) Entry {
	e := Entry{Call: c.Text, Routine: c.Routine.CName(), Unknown: n.Unknown, Inferred: t.Profile.Release.Inferred,
		Defaults: c.Taken()}
	if n.Unknown == "" && n.Refused == nil {
		e.Bytes = &n.Bytes
	}
	if n.CanDegrade {
		e.Degraded = &n.Degraded
	}
	if r := n.Returned; r != nil {
		e.Lwork, e.Unit, e.Element = &r.Lwork, r.Each, r.Element
		if r.Host {
			e.Host = new(uint64)
		}
		e.Status = status.HipSOLVERSuccess.String()
	}
	if n.Refused != nil {
		e.Status, e.Reason = n.Refused.Layer.String(), n.Refused.Reason
	}
	e.Defects = defect.Entries(n.Defects)
	if !buffers {
		return e
	}
	e.Buffers = make([]Buffer, 0, len(n.Buffers))
	for _, b := range n.Buffers {
		e.Buffers = append(e.Buffers, Buffer{b.Purpose(), b.Bytes, behavior.Round(b.Bytes)})
	}
	return e
}

func bufferTable(s *footprint.Sequence, list []*footprint.Footprint) output.Table {
	var rows [][]string
	for _, f := range list {
		for i, n := range f.Calls {
			call := []string{f.Target.Profile.Name, f.Target.Arch, strconv.Itoa(i + 1), s.Calls[i].Routine.CName()}
			if n.Unknown != "" {
				rows = append(rows, slices.Concat(call, []string{"unknown", "", "", ""}))
			}
			for _, b := range n.Buffers {
				rows = append(rows, slices.Concat(call, []string{b.Purpose(), decimal(b.Bytes),
					decimal(behavior.Round(b.Bytes)), decimal(n.Bytes)}))
			}
		}
	}
	return output.TableOf([]string{"profile", "arch", "call", "routine", "buffer", "bytes", "rounded", "call_bytes"},
		rows)
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
