package replay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/recording"
	"roclua/internal/units"
	"roclua/workspace/footprint"
	"roclua/workspace/status"
)

// hazards takes the hazards of the devices during a call. The handle of a HIP call is nil.
func (r *replay) hazards(h *handle, c *recording.Call) {
	for _, hazard := range r.rt.Hazards() {
		r.hazard(h, c, &hazard)
	}
}

func (r *replay) hazard(h *handle, c *recording.Call, z *driver.Hazard) {
	if s := r.sharedAt(z.Ptr); s != nil {
		s.conflicts(fmt.Sprintf("%s on %s does not wait for %s on %s", r.sharedText(&z.Later), r.streamText(&z.Later),
			r.sharedText(&z.Earlier), r.streamText(&z.Earlier)))
		return
	}
	if r.OneWorkspace {
		return
	}
	later, earlier := &z.Later, &z.Earlier
	for _, n := range []int{earlier.Handle, later.Handle} {
		if (n == later.Handle || h == nil) && n > 0 && n <= len(r.created) {
			h = r.created[n-1]
		}
	}
	workspace, bytes := r.isWorkspace(z.Ptr), units.FormatBytes(z.Bytes)
	node := ""
	if later.Launched != "" {
		node = fmt.Sprintf(" in the graph for %s (%s)", later.Origin, later.Call)
	}
	switch {
	case earlier.Since != "" && later.Launched != "":
		r.find(GraphFreed, h, c, z.Bytes, fmt.Sprintf("it uses %s%s, which %s (%s) %s after the capture", bytes, node,
			earlier.Call, earlier.Origin, earlier.Since))
	case earlier.Since != "" && workspace:
		held := z.Bytes
		if h != nil {
			held = h.Workspace
		}
		r.find(Freed, h, c, z.Bytes, fmt.Sprintf("the workspace of %d bytes was freed %s, and this call uses it", held,
			earlier.Origin))
	case earlier.Since != "":
		r.find(ArrayFreed, h, c, z.Bytes, fmt.Sprintf("it uses %s, which %s freed %s", bytes, earlier.Call,
			earlier.Origin))
	case workspace:
		r.find(Unordered, h, c, z.Bytes, fmt.Sprintf("it uses the workspace%s on %s, and nothing waits for %s, which "+
			"uses it on %s", node, r.streamText(later), r.earlierText(h, earlier), r.streamText(earlier)))
	default:
		r.find(Arrays, h, c, z.Bytes, fmt.Sprintf("it uses %s%s on %s, and nothing waits for %s, which uses it on %s",
			bytes, node, r.streamText(later), r.earlierText(h, earlier), r.streamText(earlier)))
	}
}

// earlierText names the earlier use of a hazard, with its handle if it is another one than the later use has.
func (r *replay) earlierText(h *handle, u *driver.Use) string {
	text := fmt.Sprintf("%s (%s)", u.Origin, u.Call)
	if strings.HasPrefix(u.Origin, "after") {
		text = fmt.Sprintf("%s %s", u.Call, u.Origin)
	}
	if n := u.Handle; n > 0 && n <= len(r.created) && r.created[n-1] != h {
		text += fmt.Sprintf(" on handle %d", r.created[n-1].Number)
	}
	return text
}

// streamText names the stream of a use, with the device of a null stream if there are several.
func (r *replay) streamText(u *driver.Use) string {
	if u.Stream == 0 && r.several {
		return fmt.Sprintf("stream 0 of device %d", u.Device)
	}
	return fmt.Sprintf("stream %d", r.recorded[u.Stream])
}

// isWorkspace reports whether memory was a workspace: of the library, or one that the program set.
func (r *replay) isWorkspace(p driver.Ptr) bool {
	inside := func(s driver.Span) bool { return p >= s.Ptr && p-s.Ptr < driver.Ptr(s.Bytes) }
	ofProgram := func(b block) bool { return inside(driver.Span{Ptr: b.ptr, Bytes: b.size}) }
	if !slices.ContainsFunc(r.memory, ofProgram) {
		return true
	}
	for s := range r.workspaces {
		if inside(s) {
			return true
		}
	}
	return false
}

// workspaceAt returns where a workspace of the program is on the devices, and its bytes there. One in no known memory
// gets a block.
func (r *replay) workspaceAt(h *handle, c *recording.Call, address, bytes uint64) (driver.Ptr, uint64) {
	b, left := r.memory.atAddress(address)
	p, bytes := r.buffer(b, address, bytes)
	if b == nil {
		d := r.rt.Devices()[h.Device]
		made := block{at: address, bytes: bytes, size: bytes, device: h.Device, standIn: true}
		made.ptr, _ = d.Malloc(bytes)
		r.release(r.memory.add(made))
		r.Notes = append(r.Notes, fmt.Sprintf("call %d sets a workspace of %s, and the recording does not have the "+
			"allocation of this memory", r.number, units.FormatBytes(bytes)))
		b, left = r.memory.atAddress(address)
	}
	if p == 0 && bytes > left && !b.standIn {
		r.find(Beyond, h, c, bytes-left, fmt.Sprintf("it sets a workspace of %d bytes in memory of which %d are left, "+
			"of a block of %d: calls that use all of it write behind the block", bytes, left, b.size))
	}
	if p == 0 {
		p = driver.Ptr(r.memory.onDevice(address))
	}
	r.workspaces[driver.Span{Ptr: p, Bytes: bytes}] = true
	return p, bytes
}

// bound follows the buffers that hipSOLVER binds.
func (r *replay) bound(h *handle, c *recording.Call, address uint64) {
	h.unbound = nil
	if address == 0 && strings.HasPrefix(r.outer, "hipsolver") {
		place := r.place(c)
		h.unbound = &place
	}
}

// captured is a workspace of the program that a captured call uses.
type captured struct {
	handle *handle
	span   driver.Span
	Place
}

// capturedBy notes the workspace of a call that was captured.
func (r *replay) capturedBy(h *handle, c *recording.Call) {
	if !r.rt.Device().Capturing() || h.Workspace == 0 {
		return
	}
	if s := r.stream(c.Stream, r.device(c.Device)); s.CaptureStatus() == driver.CaptureActive && h.set != 0 {
		r.captured = append(r.captured, captured{h, driver.Span{Ptr: h.set, Bytes: h.Workspace}, r.place(c)})
	}
}

// freedInCapture finds workspaces in a block that is freed while a capture uses them.
func (r *replay) freedInCapture(b *block, c *recording.Call) {
	for _, at := range r.captured {
		if b.ptr != 0 && at.span.Ptr >= b.ptr && at.span.Ptr-b.ptr < driver.Ptr(b.size) {
			r.find(Captured, at.handle, c, at.span.Bytes, fmt.Sprintf("it frees the workspace while a capture uses it "+
				"(%s, call %d)", at.Name, at.Call))
			return
		}
	}
}

// sameTime finds calls on a handle that overlap in two threads.
func (r *replay) sameTime(h *handle, c *recording.Call) {
	if c.Start < h.busyUntil && h.busyIn != nil && h.busyIn.Thread != c.Thread {
		r.find(Threads, h, c, 0, fmt.Sprintf("thread %d calls it while thread %d is in %s, and a handle is for one "+
			"thread at a time", c.Thread, h.busyIn.Thread, h.busyIn.Name))
	}
	if c.End > h.busyUntil {
		h.busyUntil, h.busyIn = c.End, c
	}
}

// shortage finds calls that had too little memory.
func (r *replay) shortage(h *handle, c *recording.Call, a *routine.Args, st status.Status, need uint64) {
	if need == 0 && (st == status.PerfDegraded || st == status.MemoryError) {
		e, _ := footprint.ExecutedNeed(footprint.Target{Profile: r.Options.Profile, Arch: r.Devices[h.Device].Arch,
			Tuning: r.Tuning[r.Devices[h.Device].Arch]}, a)
		need = e.Bytes
	}
	switch st {
	case status.PerfDegraded:
		r.find(Degraded, h, c, need, fmt.Sprintf("it runs more slowly, with less memory than the %d bytes that it "+
			"needs", need))
	case status.MemoryError:
		size, _ := h.model.DeviceMemorySize()
		r.find(Short, h, c, need, fmt.Sprintf("it needs %s, and the handle has %s", units.FormatBytes(need),
			units.FormatBytes(size)))
	}
}

// repeated finds a call that hipBLAS repeats after memory_error.
func (r *replay) repeated(c *recording.Call) {
	for i, inner := range c.Inside {
		if i == 0 || inner.Name != c.Inside[i-1].Name || status.Status(c.Inside[i-1].Status) != status.MemoryError {
			continue
		}
		if h := r.handles[inner.Handle]; h != nil {
			r.find(Repeated, h, inner, 0, fmt.Sprintf("%s repeats it after memory_error: two calls, of which one "+
				"failed", c.Name))
		}
	}
}

// found is the key of a finding: later ones with the same key are counted.
type found struct {
	code   string
	handle int
}

// find adds a finding at the current call. Of several of a kind the one that concerns most bytes is kept.
func (r *replay) find(code string, h *handle, c *recording.Call, bytes uint64, text string) {
	if r.OneWorkspace {
		return
	}
	number := 0
	if h != nil {
		number = h.Number
	}
	key := found{code, number}
	f := r.found[key]
	switch {
	case f == nil:
		f = &Finding{Code: code, Handle: number}
		r.found[key] = f
		r.Findings = append(r.Findings, f)
	case bytes <= f.bytes:
		f.Times++
		return
	}
	f.Place, f.Text, f.bytes = r.place(c), text, bytes
	f.Times++
}

// Sharing is whether all handles of a device could use one workspace.
type Sharing struct {
	Device    int
	Uses      int64  // calls that would use it
	Conflicts int64  // of these, calls that do not wait for another one
	First     string // the first conflict
}

// shared is the workspace that all handles of a device have.
type shared struct {
	*Sharing
	driver.Span
	busyUntil time.Duration
	busy      string
	thread    int
}

// sharedBytes is the size of a workspace for all handles, which is enough for all calls.
const sharedBytes = 1 << 44

// bindShared sets the workspace of all handles.
func (r *replay) bindShared(h *handle) {
	s := r.shared[h.Device]
	if s == nil {
		p, _ := r.rt.Devices()[h.Device].Malloc(sharedBytes)
		s = &shared{Sharing: &Sharing{Device: h.Device}, Span: driver.Span{Ptr: p, Bytes: sharedBytes}}
		r.shared[h.Device] = s
		r.Sharing = append(r.Sharing, s.Sharing)
	}
	h.model.SetWorkspace(s.Ptr, s.Bytes)
}

func (r *replay) sharedAt(p driver.Ptr) *shared {
	for _, s := range r.shared {
		if p >= s.Ptr && p-s.Ptr < driver.Ptr(s.Bytes) {
			return s
		}
	}
	return nil
}

// conflicts notes that a use of the workspace does not wait for another one.
func (s *shared) conflicts(text string) {
	if s.Conflicts++; s.Conflicts == 1 {
		s.First = text
	}
}

// sharedText names the call and the handle of a use.
func (r *replay) sharedText(u *driver.Use) string {
	text := fmt.Sprintf("%s (%s)", u.Origin, u.Call)
	if n := u.Handle; n > 0 && n <= len(r.created) {
		text += fmt.Sprintf(" of handle %d", r.created[n-1].Number)
	}
	if u.Launched != "" {
		text += ", in a graph launched " + u.Launched + ","
	}
	return text
}

// share notes a call that uses the workspace of all handles, and finds calls in two threads at the same time.
func (r *replay) share(h *handle, c *recording.Call, need uint64) {
	s := r.shared[h.Device]
	if s == nil || need == 0 {
		return
	}
	s.Uses++
	name := fmt.Sprintf("call %d (%s) of handle %d", r.number, c.Name, h.Number)
	if c.Start < s.busyUntil && s.thread != c.Thread {
		s.conflicts(fmt.Sprintf("%s is made while another thread makes %s", name, s.busy))
	}
	if c.End > s.busyUntil {
		s.busyUntil, s.busy, s.thread = c.End, name, c.Thread
	}
}
