package replay

import (
	"fmt"
	"iter"

	"roclua/host/recording"
	"roclua/internal/units"
	"roclua/workspace/status"
)

// space is memory that calls use as workspace: a handle's own, or a user's.
type space struct {
	uses     map[queue]use // the latest of each stream
	owner    *handle       // that was bound to it last
	freed    *Place        // where the program freed it
	captured *Place        // a call in a capture that has not ended
}

// use is a call that used a workspace.
type use struct {
	work   uint64 // in the order of its stream
	handle int
	Place
}

func newSpace() *space { return &space{uses: map[queue]use{}} }

// workspaceAt returns the user-owned workspace at an address.
func (r *replay) workspaceAt(address, bytes uint64) *space {
	s := r.spaces[address]
	if s == nil {
		s = newSpace()
		r.spaces[address] = s
	}
	return s
}

// use notes that a call used the workspace of its handle, and finds uses by other streams that are not ordered.
func (r *replay) use(h *handle, c *recording.Call, need uint64) {
	on := r.runsOn(c)
	work := r.order.work(on)
	r.share(h, c, work, need)
	s := h.space
	if need == 0 || r.inOrder(c) {
		return
	}
	at := use{work, h.Number, r.place(c)}
	if s.freed != nil {
		r.find(Freed, h, c, fmt.Sprintf("the workspace of %d bytes was freed after call %d, and this call uses it",
			h.Workspace, s.freed.Call))
		s.freed = nil
	}
	for stream, before := range r.order.unordered(s, on) {
		other := ""
		if before.handle != h.Number {
			other = fmt.Sprintf(" on handle %d", before.handle)
		}
		r.find(Unordered, h, c, fmt.Sprintf("it uses the workspace on %s, and nothing waits for call %d "+
			"(%s)%s, which uses it on %s", on.text(r.several), before.Call, before.Name, other,
			stream.text(r.several)))
	}
	s.uses[on] = at
	if r.capturing(c) {
		s.captured = &at.Place
	}
}

// runsOn returns the stream that a call of a routine runs on: the null stream is the current device's.
func (r *replay) runsOn(c *recording.Call) queue {
	if c.Stream != 0 {
		return queue(c.Stream)
	}
	return nullOf(r.device(c.Device))
}

// unordered returns the uses of a workspace on other streams that the latest work of a stream does not wait for.
func (o *order) unordered(s *space, on queue) iter.Seq2[queue, use] {
	return func(yield func(queue, use) bool) {
		for stream, before := range s.uses {
			if stream != on && !o.before(stream, before.work, on) && !yield(stream, before) {
				return
			}
		}
	}
}

// inOrder reports whether a call allocated its workspace in stream order, so that it shares none.
func (r *replay) inOrder(c *recording.Call) bool {
	for inner := range runtimeOf(c) {
		if inner.Name == "hipMallocAsync" {
			return true
		}
	}
	return false
}

// replaced notes that a call changes the workspace of a handle.
func (r *replay) replaced(h *handle, c *recording.Call) {
	if captured := h.space.captured; captured != nil {
		r.find(Captured, h, c, fmt.Sprintf("it replaces the workspace, which a capture uses (%s, call %d)",
			captured.Name, captured.Call))
	}
}

// beyond finds a workspace that ends behind its block of memory, as when the units of a size are
// mistaken.
func (r *replay) beyond(h *handle, c *recording.Call, address, bytes uint64) {
	for base, b := range r.memory {
		size := b.bytes
		if address < base || address-base >= size || bytes <= size-(address-base) {
			continue
		}
		r.find(Beyond, h, c, fmt.Sprintf("it sets a workspace of %d bytes in memory of which %d are left, of a block "+
			"of %d: calls that use all of it write behind the block", bytes, size-(address-base), size))
	}
}

// bound follows the buffers that hipSOLVER binds.
func (r *replay) bound(h *handle, c *recording.Call, address uint64) {
	h.space.owner = h
	h.unbound = nil
	if address == 0 && len(r.outer) > 9 && r.outer[:9] == "hipsolver" {
		place := r.place(c)
		h.unbound = &place
	}
}

// sameTime finds calls on a handle that overlap in two threads.
func (r *replay) sameTime(h *handle, c *recording.Call) {
	if c.Start < h.busyUntil && h.busyIn.Thread != c.Thread {
		r.find(Threads, h, c, fmt.Sprintf("thread %d calls it while thread %d is in %s, and a handle is for one "+
			"thread at a time", c.Thread, h.busyIn.Thread, h.busyIn.Name))
	}
	if c.End > h.busyUntil {
		h.busyUntil, h.busyIn = c.End, c
	}
}

// shortage finds calls that had too little memory.
func (r *replay) shortage(h *handle, c *recording.Call, need uint64) {
	switch status.Status(c.Status) {
	case status.PerfDegraded:
		r.find(Degraded, h, c, fmt.Sprintf("it runs more slowly, with less memory than the %d bytes that it needs",
			need))
	case status.MemoryError:
		r.find(Short, h, c, fmt.Sprintf("it needs %s, and the handle has %s", units.FormatBytes(need),
			units.FormatBytes(max(h.sum(), h.Workspace))))
	}
}

// repeated finds a call that hipBLAS repeats after memory_error.
func (r *replay) repeated(c *recording.Call) {
	for i, inner := range c.Inside {
		if i == 0 || inner.Name != c.Inside[i-1].Name || status.Status(c.Inside[i-1].Status) != status.MemoryError {
			continue
		}
		if h := r.handles[inner.Handle]; h != nil {
			r.find(Repeated, h, inner, fmt.Sprintf("%s repeats it after memory_error: two calls, of which one failed",
				c.Name))
		}
	}
}

// found is what makes a finding: later ones are counted.
type found struct {
	code   string
	handle int
}

// find adds a finding at the current call.
func (r *replay) find(code string, h *handle, c *recording.Call, text string) {
	key := found{code, h.Number}
	f := r.found[key]
	if f == nil {
		f = &Finding{Code: code, Handle: h.Number, Place: r.place(c), Text: text}
		r.found[key] = f
		r.Findings = append(r.Findings, f)
	}
	f.Times++
}
