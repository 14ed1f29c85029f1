package result

import "roclua/internal/jsonwriter"

// Write writes the entry as encoding/json does by its tags.
func (e *Entry) Write(w *jsonwriter.Writer) {
	w.Begin('{')
	e.WriteMembers(w)
	w.End('}')
}

// WriteMembers writes the members of the entry. The parts that few cases have are written by their tags.
func (e *Entry) WriteMembers(w *jsonwriter.Writer) {
	e.writeCase(w)
	w.Member("outcome", string(e.Outcome))
	w.Optional("note", e.Note)
	w.Key("seconds")
	w.Float(e.Seconds)
	jsonwriter.List(w, "metrics", e.Metrics, func(m *MetricEntry) { m.write(w) })
	jsonwriter.List(w, "measurements", e.Measured, func(m *Measurement) { w.Any(m) })
	if e.Load != nil {
		w.Key("load")
		w.Any(e.Load)
	}
	jsonwriter.List(w, "checks", e.Checks, func(c *CheckEntry) { c.write(w) })
	if e.Error != nil {
		w.Key("error")
		w.Any(e.Error)
	}
	jsonwriter.List(w, "problems", e.Problems, func(text *string) { w.Text(*text) })
	jsonwriter.List(w, "retried", e.Retried, func(text *string) { w.Text(*text) })
	w.Optional("skipped", e.Skipped)
	w.Optional("known_failure", e.Known)
	jsonwriter.List(w, "baseline", e.Baseline, func(c *ChangeEntry) { w.Any(c) })
	w.Optional("log", e.Log)
	w.Key("hip")
	e.HIP.write(w)
	w.Counts("statuses", e.Statuses)
	jsonwriter.List(w, "faults", e.Faults, func(f *FaultEntry) { w.Any(f) })
}

// writeCase writes which case it is.
func (e *Entry) writeCase(w *jsonwriter.Writer) {
	w.Member("id", e.ID)
	w.Member("scenario", e.Scenario)
	w.Member("script", e.Script)
	jsonwriter.List(w, "tags", e.Tags, func(tag *string) { w.Text(*tag) })
	w.Optional("scheme", e.Scheme)
	w.Values("params", e.Params)
	w.Member("platform", e.Platform)
	w.Member("profile", e.Profile)
	w.Member("rocblas", e.RocBLAS)
	w.Member("rocsolver", e.RocSOLVER)
	w.Member("arch", e.Arch)
}

func (m *MetricEntry) write(w *jsonwriter.Writer) {
	w.Begin('{')
	w.Member("name", m.Name)
	w.Key("value")
	w.Any(m.Value)
	w.Optional("unit", m.Unit)
	if m.Epsilon != 0 {
		w.Key("epsilon")
		w.Float(m.Epsilon)
	}
	w.End('}')
}

func (c *CheckEntry) write(w *jsonwriter.Writer) {
	w.Begin('{')
	w.Member("text", c.Text)
	w.Member("where", c.Where)
	w.Key("passed")
	w.Bool(c.Passed)
	w.Member("have", c.Have)
	w.Member("want", c.Want)
	w.End('}')
}

func (h *HIPEntry) write(w *jsonwriter.Writer) {
	w.Begin('{')
	h.writeMembers(w)
	jsonwriter.List(w, "devices", h.Devices, func(d *HIPCounts) {
		w.Begin('{')
		d.writeMembers(w)
		w.End('}')
	})
	w.End('}')
}

func (h *HIPCounts) writeMembers(w *jsonwriter.Writer) {
	w.Counts("calls", h.Calls)
	w.Counts("syncs", h.Syncs)
	w.Key("kernels")
	w.Int(int64(h.Kernels))
	w.Key("peak_bytes")
	w.Uint(h.PeakBytes)
	w.Key("allocations")
	w.Int(int64(h.Allocations))
	if h.Injected != 0 {
		w.Key("injected")
		w.Int(int64(h.Injected))
	}
}
