// Package timeline converts the history of a case to series over time: the memory of each handle, the allocated device
// memory, and the activity of the streams.
package timeline

import (
	"roclua/hip/trace"
	"slices"
	"sort"
)

// Timeline is a case over time. Times are seconds since its runtime was opened.
type Timeline struct {
	Seconds  float64 // end of the last call or kernel
	Capacity uint64  // bytes of device memory
	Live     []Step  // allocated device memory
	Handles  []Track // each handle's own memory
	Calls    []trace.Call
	Kernels  []trace.Kernel
	Marks    []trace.Mark
	Hazards  []trace.Hazard
	Devices  []Device // each device by its number; nil if there is one
}

// Device is the memory of one of several devices.
type Device struct {
	Capacity uint64
	Live     []Step
}

// Step is a number of bytes, starting at a time.
type Step struct {
	At    float64
	Bytes uint64
}

// Track is the memory of one handle.
type Track struct {
	Handle int
	Device int
	Steps  []Step
}

// Of returns the timeline of a history.
func Of(h trace.History) *Timeline {
	t := &Timeline{Capacity: h.Capacity, Live: live(h.Calls, allDevices), Calls: h.Calls,
		Kernels: h.Kernels, Marks: h.Marks, Hazards: h.Hazards}
	for i, capacity := range h.Capacities {
		t.Devices = append(t.Devices, Device{capacity, live(h.Calls, i)})
	}
	for _, m := range h.Marks {
		t.Seconds = max(t.Seconds, m.Seconds)
		if m.Handle > 0 {
			track := t.track(m)
			track.Steps = step(track.Steps, moment(m, h.Calls), m.Bytes)
		}
	}
	for _, c := range h.Calls {
		t.Seconds = max(t.Seconds, c.Seconds+c.Duration)
	}
	for _, k := range h.Kernels {
		t.Seconds = max(t.Seconds, k.Queued, k.End)
	}
	return t
}

// moment returns when a handle's memory changed: at the end of the library's HIP call just before the mark, if that
// call caused the change. Both series then step at the same time.
func moment(m trace.Mark, calls []trace.Call) float64 {
	after := sort.Search(len(calls), func(i int) bool { return calls[i].Seconds > m.Seconds })
	if after == 0 || m.Text != "" || calls[after-1].Cause == trace.CauseScript {
		return m.Seconds
	}
	last := calls[after-1]
	return min(m.Seconds, last.Seconds+last.Duration)
}

const allDevices = -1

// live follows allocations on a device, or on all, and frees: memory is live from the end of the
// allocating call to the end of the freeing call.
func live(calls []trace.Call, device int) []Step {
	steps := []Step{{}}
	held, sum := map[uint64]uint64{}, uint64(0)
	for _, c := range calls {
		p := uint64(c.Ptr)
		if c.Result != 0 || p == 0 {
			continue
		}
		switch c.Name {
		case "hipMalloc", "hipMallocAsync":
			if device != allDevices && c.Device != device {
				continue
			}
			held[p] = c.Bytes
			sum += c.Bytes
		case "hipFree", "hipFreeAsync":
			sum -= held[p]
			delete(held, p)
		default:
			continue
		}
		steps = step(steps, c.Seconds+c.Duration, sum)
	}
	return steps
}

// step appends a step unless nothing changes.
func step(steps []Step, at float64, bytes uint64) []Step {
	if n := len(steps); n > 0 && steps[n-1].Bytes == bytes {
		return steps
	}
	return append(steps, Step{at, bytes})
}

func (t *Timeline) track(m trace.Mark) *Track {
	i := slices.IndexFunc(t.Handles, func(track Track) bool { return track.Handle == m.Handle })
	if i < 0 {
		i = len(t.Handles)
		t.Handles = append(t.Handles, Track{Handle: m.Handle, Device: m.Device})
	}
	return &t.Handles[i]
}

// Growths counts the allocations of handles that ran out of memory during a call.
func (t *Timeline) Growths() int {
	n := 0
	for _, c := range t.Calls {
		if c.Cause == trace.CauseGrowth && c.Name != "hipFree" {
			n++
		}
	}
	return n
}

// Peak returns the most bytes of a line.
func Peak(steps []Step) uint64 {
	most := uint64(0)
	for _, s := range steps {
		most = max(most, s.Bytes)
	}
	return most
}

// HandlePeak returns the maximum total bytes held by the handles at one time.
func (t *Timeline) HandlePeak() uint64 {
	now, sum, most := map[int]uint64{}, uint64(0), uint64(0)
	for _, m := range t.Marks {
		if m.Handle == 0 {
			continue
		}
		sum += m.Bytes - now[m.Handle]
		now[m.Handle] = m.Bytes
		most = max(most, sum)
	}
	return most
}

// HandleSizes returns the memory sizes of the only handle from its creation until its destruction. It returns nil if
// there are several handles.
func (t *Timeline) HandleSizes() []uint64 {
	if len(t.Handles) != 1 {
		return nil
	}
	var sizes []uint64
	for _, s := range t.Handles[0].Steps {
		sizes = append(sizes, s.Bytes)
	}
	if n := len(sizes); n > 1 && sizes[n-1] == 0 { // destroyed
		sizes = sizes[:n-1]
	}
	return sizes
}
