package merge

import (
	"fmt"
	"time"

	"roclua/host/report"
)

// Time returns when the first attempt began, and how long it took from then until the last case ended.
func (m *Merge) Time() (started time.Time, elapsed time.Duration) {
	var until time.Time
	for i, f := range m.Files {
		if i == 0 || f.Begin.Started.Before(started) {
			started = f.Begin.Started
		}
		if t := f.Until(); t.After(until) {
			until = t
		}
	}
	return started, max(0, until.Sub(started))
}

// Shards describes the attempts for reports.
func (m *Merge) Shards() []report.Shard {
	var list []report.Shard
	for _, f := range m.Files {
		s := report.Shard{File: f.Path, Started: f.Begin.Started, Cases: f.Cases, Ended: f.Ended,
			Environment: f.Begin.Environment}
		if p := f.Begin.Part; !p.IsWhole() {
			s.Shard = fmt.Sprintf("%d/%d", p.Index, p.Count)
		}
		list = append(list, s)
	}
	return list
}
