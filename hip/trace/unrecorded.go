package trace

// Unrecorded counts what libraries did in calls that were not recorded.
type Unrecorded struct {
	Growths int            // allocations that made the workspace of a handle grow
	Waits   map[string]int // waits of the host that libraries made, by cause
	kernel  Timed
}

// Unrecord stops the recording of calls and kernels until restore is called, for calls that are made again and again
// to be measured: the counts and the history of a case do not depend on how often that was. Memory, open objects and
// hazards are still tracked.
func (r *Recorder) Unrecord() (seen *Unrecorded, restore func()) {
	before := r.unrecorded
	r.unrecorded = &Unrecorded{Waits: map[string]int{}, kernel: Timed{in: r}}
	return r.unrecorded, func() { r.unrecorded = before }
}

func (u *Unrecorded) note(c *Call) {
	if c.Cause == CauseScript {
		return
	}
	if c.Synchronizing {
		u.Waits[c.Cause]++
	}
	if c.grows() {
		u.Growths++
	}
}
