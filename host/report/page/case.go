package page

import "roclua/internal/jsonwriter"

// writeCase writes a case as encoding/json would, and its timeline.
func (d *Document) writeCase(w *jsonwriter.Writer, c *Case) {
	w.Begin('{')
	w.Member("id", c.ID)
	w.Member("scenario", c.Scenario)
	w.Member("label", c.Label)
	w.Member("scheme", c.Scheme)
	w.Member("target", c.Target)
	w.Member("outcome", c.Outcome)
	if c.Bad {
		w.Key("bad")
		w.Bool(true)
	}
	w.Key("seconds")
	w.Float(c.Seconds)
	w.Optional("why", c.Why)
	w.Optional("note", c.Note)
	w.Optional("log", c.Log)
	jsonwriter.List(w, "metrics", c.Metrics, func(m *Metric) {
		w.Begin('{')
		w.Member("name", m.Name)
		w.Member("value", m.Value)
		w.Optional("unit", m.Unit)
		w.End('}')
	})
	jsonwriter.List(w, "measured", c.Measured, func(m *Measured) { w.Any(m) })
	c.writeUse(w)
	if c.Load != nil {
		w.Key("load")
		w.Any(c.Load)
	}
	w.Optional("no_timeline", c.NoTimeline)
	if c.Timeline != nil {
		w.Key("timeline")
		d.writeTimeline(w, c.Timeline)
	}
	if c.Before != nil {
		w.Key("before")
		d.writeTimeline(w, c.Before)
	}
	w.End('}')
}

// writeUse writes the resources used by the case.
func (c *Case) writeUse(w *jsonwriter.Writer) {
	w.Key("handle_peak")
	w.Uint(c.HandlePeak)
	jsonwriter.List(w, "handle_sizes", c.HandleSizes, func(bytes *uint64) { w.Uint(*bytes) })
	w.Key("peak")
	w.Uint(c.Peak)
	w.Key("calls")
	w.Int(int64(c.Calls))
	w.Key("syncs")
	w.Int(int64(c.Syncs))
	w.Key("growths")
	w.Int(int64(c.Growths))
	w.Key("kernels")
	w.Int(int64(c.Kernels))
}
