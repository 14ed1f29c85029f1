package size

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"roclua/host/output"
	"roclua/workspace/footprint"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// schemaVersion is the version of the JSON that roclua size writes.
const schemaVersion = 1

// The JSON of roclua size without a sweep.
type (
	jsonReport struct {
		Schema  int          `json:"schema_version"`
		Calls   []string     `json:"calls"`
		Targets []jsonTarget `json:"targets"`
	}
	jsonTarget struct {
		Profile   string     `json:"profile"`
		Arch      string     `json:"arch"`
		RocBLAS   string     `json:"rocblas"`
		RocSOLVER string     `json:"rocsolver"`
		Build     *jsonBuild `json:"build,omitempty"` // build reproduced by the profile
		Default   uint64     `json:"default_bytes"`
		Bytes     *uint64    `json:"bytes"`      // null if the need of a call is unknown
		DecidedBy int        `json:"decided_by"` // 1-based
		Calls     []jsonCall `json:"calls"`
		Held      []jsonHeld `json:"holds"`
		Warnings  []string   `json:"traps"`
		Caveats   []string   `json:"caveats,omitempty"` // why other builds may need other sizes
	}
	jsonBuild struct {
		Distribution string   `json:"distribution"`
		Packages     []string `json:"packages,omitempty"` // absent if their versions were not recorded
	}
	jsonCall struct {
		Call     string       `json:"call"`
		Routine  string       `json:"routine"`
		Bytes    *uint64      `json:"bytes"` // null if unknown
		Unknown  string       `json:"unknown,omitempty"`
		Defaults []string     `json:"defaults,omitempty"` // of the benchmark program, for arguments without one
		Degraded *uint64      `json:"degraded_bytes,omitempty"`
		Status   string       `json:"status,omitempty"` // of a function of hipSOLVER
		Reason   string       `json:"reason,omitempty"`
		Lwork    *uint64      `json:"lwork,omitempty"` // what a function of hipSOLVER returns
		Unit     uint64       `json:"lwork_unit_bytes,omitempty"`
		Element  uint64       `json:"element_bytes,omitempty"`
		Host     *uint64      `json:"lwork_on_host,omitempty"` // of 64-bit functions
		Buffers  []jsonBuffer `json:"buffers"`
	}
	jsonBuffer struct {
		Purpose string `json:"purpose"`
		Bytes   uint64 `json:"bytes"`
		Rounded uint64 `json:"rounded"`
	}
	jsonHeld struct {
		Scheme  string  `json:"scheme"`
		Bytes   *uint64 `json:"bytes"` // null if the release lacks the scheme
		About   string  `json:"about,omitempty"`
		Skipped string  `json:"skipped,omitempty"`
	}
)

func writeJSON(w io.Writer, s *footprint.Sequence, list []*footprint.Footprint) error {
	report := jsonReport{Schema: schemaVersion}
	for _, c := range s.Calls {
		report.Calls = append(report.Calls, c.Text)
	}
	for _, f := range list {
		report.Targets = append(report.Targets, targetOf(s, f))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

func targetOf(s *footprint.Sequence, f *footprint.Footprint) jsonTarget {
	p := f.Target.Profile
	t := jsonTarget{Profile: p.Name, Arch: f.Target.Arch, RocBLAS: p.RocBLAS, RocSOLVER: p.RocSOLVER,
		Default: p.DefaultBytes(f.Target.Arch), DecidedBy: f.Decides + 1,
		Calls: []jsonCall{}, Held: []jsonHeld{}, Warnings: append([]string{}, f.Warnings...), Caveats: f.Caveats}
	if !unknown(f) {
		t.Bytes = &f.Bytes
	}
	if build, ok := p.Build(); ok {
		t.Build = &jsonBuild{build.Distribution, build.Packages}
	}
	for i, n := range f.Calls {
		c := jsonCall{Call: s.Calls[i].Text, Routine: s.Calls[i].Routine.CName(), Unknown: n.Unknown,
			Defaults: s.Calls[i].Taken(), Buffers: []jsonBuffer{}}
		if n.Unknown == "" && n.Refused == nil {
			c.Bytes = &n.Bytes
		}
		if n.CanDegrade {
			c.Degraded = &n.Degraded
		}
		if r := n.Returned; r != nil {
			c.Lwork, c.Unit, c.Element = &r.Lwork, r.Each, r.Element
			if r.Host {
				c.Host = new(uint64)
			}
			c.Status = status.HipSOLVERSuccess.String()
		}
		if n.Refused != nil {
			c.Status, c.Reason = n.Refused.Layer.String(), n.Refused.Reason
		}
		for _, b := range n.Buffers {
			c.Buffers = append(c.Buffers, jsonBuffer{b.Purpose(), b.Bytes, sizing.Round(b.Bytes)})
		}
		t.Calls = append(t.Calls, c)
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

// bufferTable has a row for each buffer.
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
					decimal(sizing.Round(b.Bytes)), decimal(n.Bytes)}))
			}
		}
	}
	return output.TableOf([]string{"profile", "arch", "call", "routine", "buffer", "bytes", "rounded", "call_bytes"},
		rows)
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
