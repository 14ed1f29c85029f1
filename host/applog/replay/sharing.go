package replay

import (
	"fmt"
	"time"

	"roclua/host/recording"
)

// Sharing says whether all handles of a device could use one workspace.
type Sharing struct {
	Device    int
	Uses      int64  // calls that would use it
	Conflicts int64  // of these, calls that do not wait for another one
	First     string // the first conflict
	Captured  bool   // a call was captured: the launches of its graph are not ordered here
}

// shared is the workspace that the handles of a device would share.
type shared struct {
	*Sharing
	space     *space
	busyUntil time.Duration
	busy      use
	thread    int
}

// share notes that a call would use the shared workspace, and finds calls that do not wait for its earlier uses: on
// another stream, or at the same time in another thread.
func (r *replay) share(h *handle, c *recording.Call, work, need uint64) {
	if need == 0 {
		return
	}
	s := r.shared[h.Device]
	if s == nil {
		s = &shared{Sharing: &Sharing{Device: h.Device}, space: newSpace()}
		r.shared[h.Device] = s
		r.Sharing = append(r.Sharing, s.Sharing)
	}
	s.Uses++
	s.Captured = s.Captured || r.capturing(c)
	conflict, on := "", r.runsOn(c)
	for stream, before := range r.order.own.unordered(s.space, on) {
		conflict = fmt.Sprintf("does not wait for call %d (%s) of handle %d on %s", before.Call, before.Name,
			before.handle, stream.text(r.several))
		break
	}
	if conflict == "" && c.Start < s.busyUntil && s.thread != c.Thread {
		conflict = fmt.Sprintf("is made while another thread makes call %d (%s) of handle %d", s.busy.Call, s.busy.Name,
			s.busy.handle)
	}
	if conflict != "" {
		if s.Conflicts++; s.Conflicts == 1 {
			s.First = fmt.Sprintf("call %d (%s) of handle %d on %s %s", r.number, c.Name, h.Number,
				on.text(r.several), conflict)
		}
	}
	at := use{work, h.Number, r.place(c)}
	s.space.uses[on] = at
	if c.End > s.busyUntil {
		s.busyUntil, s.busy, s.thread = c.End, at, c.Thread
	}
}
