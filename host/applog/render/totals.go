package render

import (
	"fmt"
	"maps"
	"slices"

	"roclua/host/applog/analyze"
	"roclua/host/replay"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// Total is the memory of all handles under a scheme.
type Total struct {
	Scheme  string        `json:"scheme"`            // name of the scheme
	Bytes   uint64        `json:"bytes"`             // of all handles
	Peak    uint64        `json:"peak_bytes"`        // most that handles hold at once
	About   string        `json:"about"`             // how the memory is divided
	Devices []DeviceTotal `json:"devices,omitempty"` // if the handles are on several devices
}

// DeviceTotal is the part of a total that is on a device.
type DeviceTotal struct {
	Device int    `json:"device"`     // its number in its process
	Bytes  uint64 `json:"bytes"`      // of the handles on it
	Peak   uint64 `json:"peak_bytes"` // most that they hold at once
}

// allDevices is not the number of a device.
const allDevices = -1

// peakOn returns the part of the peak on a device, or all.
func (t *Total) peakOn(device int) uint64 {
	if device == allDevices {
		return t.Peak
	}
	for _, d := range t.Devices {
		if d.Device == device {
			return d.Peak
		}
	}
	return 0
}

// Process is the handles of a process.
type Process []*Member

// Member is a handle, or several that do the same.
type Member struct {
	*analyze.Handle
	Name       string
	Device     int
	Arch       string // of the device, if it counts only on targets of this architecture
	Count      int64
	Begin, End int64   // the process's calls that create and destroy it; End is 0 if it is not destroyed
	Held       *uint64 // in the recording
	on         int     // target of the device
}

// CountsOn reports whether a handle counts on targets of an architecture.
func (m *Member) CountsOn(arch string) bool { return m.Arch == "" || m.Arch == arch }

// Members returns the handles of a recording.
func (r *Report) Members(rec *Recording) (list Process) {
	for _, h := range rec.Result.Handles {
		list = append(list, &Member{Handle: rec.Handles[h.Number], Name: r.handleName(rec, h.Number), Device: h.Device,
			Arch: r.archOf(rec, h), Count: 1, Begin: h.Begin, End: h.End, Held: &h.Held, on: rec.On[h.Device]})
	}
	return list
}

// archOf returns the architecture of a handle's device if the devices of the recording differ and a target has it.
func (r *Report) archOf(rec *Recording, h *replay.Handle) string {
	name := rec.Devices[h.Device].Arch
	other := func(d *replay.Device) bool { return d.Arch != name }
	if !slices.ContainsFunc(rec.Used(), other) ||
		!slices.ContainsFunc(r.Targets, func(t analyze.Target) bool { return t.Arch == name }) {
		return ""
	}
	return name
}

// StreamUse is the need of a handle's calls on a stream, and the bytes with which no GEMM loses its kernel.
type StreamUse struct {
	Stream       int
	Needs, Wants uint64
}

// Counted says which handles count on a target, and for how many.
type Counted struct {
	Target           int // number
	Counts           func(*Member) bool
	Uses             map[*Member][]StreamUse
	Handles, Streams int64 // that each handle, and each of its streams, means
}

// totals computes the totals of a target.
type totals struct {
	Counted
	on        footprint.Target
	processes []Process
	devices   []int
	list      []Total
}

// Totals returns the memory of handles under each scheme, in total and on each device if they are on several.
func Totals(on footprint.Target, processes []Process, c Counted) []Total {
	t := &totals{Counted: c, on: on, processes: processes}
	used := map[int]bool{}
	for _, m := range slices.Concat(processes...) {
		if c.Counts(m) {
			used[m.Device] = true
		}
	}
	if t.devices = slices.Sorted(maps.Keys(used)); t.devices == nil {
		return nil
	}
	under := func(scheme string, needs uint64) uint64 {
		list := workspace.HeldAfter(on.Profile, on.Arch, []uint64{needs})
		return list[slices.IndexFunc(list, func(h workspace.Held) bool { return h.Scheme == scheme })].Bytes
	}
	for _, s := range []struct {
		scheme, about string
		bytes         func(m *Member, most uint64) uint64 // most is the largest need in the process
	}{
		{workspace.SchemeManaged, "each handle grows when a call needs more",
			func(m *Member, _ uint64) uint64 { return m.Managed(c.Target) }},
		{workspace.SchemePreallocated, "every handle of a process has the size of the environment",
			func(_ *Member, most uint64) uint64 { return under(workspace.SchemePreallocated, most) }},
		{workspace.SchemeManual, "each handle has the size that its calls need",
			func(m *Member, _ uint64) uint64 { return under(workspace.SchemeManual, m.Needs[c.Target]) }},
		{workspace.SchemeUserOwned, "a workspace for each handle on each of its streams",
			func(m *Member, _ uint64) (sum uint64) {
				for _, u := range c.Uses[m] {
					sum += u.Wants * uint64(c.Streams)
				}
				return sum
			}},
	} {
		inOrder := s.scheme == workspace.SchemeManaged && on.Profile.Release.ManagedStreamOrdered
		if on.Profile.SkipScheme(s.scheme) == "" && !inOrder {
			t.add(s.scheme, s.about, func(device int) (bytes, peak uint64) { return t.sum(s.bytes, device) })
		}
	}
	t.byStream(on.Profile.DefaultBytes(on.Arch))
	for i := range t.list {
		t.list[i].About += on.SchemeDefects(t.list[i].Scheme)
	}
	return t.list
}

// add adds the total of a scheme; of returns the bytes and the peak on a device, or on all.
func (t *totals) add(scheme, about string, of func(device int) (bytes, peak uint64)) {
	total := Total{Scheme: scheme, About: about}
	total.Bytes, total.Peak = of(allDevices)
	if len(t.devices) > 1 {
		for _, device := range t.devices {
			bytes, peak := of(device)
			total.Devices = append(total.Devices, DeviceTotal{device, bytes, peak})
		}
	}
	t.list = append(t.list, total)
}

// sum adds the bytes of the handles on a device, and of those that exist at the same time. Processes run at the same
// time.
func (t *totals) sum(bytes func(*Member, uint64) uint64, device int) (all, peak uint64) {
	type change struct {
		at   int64
		from bool
		by   uint64
	}
	for _, p := range t.processes {
		var changes []change
		largest := uint64(0) // also of handles that do not count
		for _, m := range p {
			largest = max(largest, m.Needs[t.Target])
		}
		for _, m := range p {
			if !t.Counts(m) || device != allDevices && device != m.Device {
				continue
			}
			n := bytes(m, largest) * uint64(t.Handles*m.Count)
			all += n
			changes = append(changes, change{m.Begin, true, n})
			if m.End > 0 {
				changes = append(changes, change{m.End, false, n})
			}
		}
		slices.SortStableFunc(changes, func(a, b change) int { return int(a.at - b.at) })
		held, most := uint64(0), uint64(0)
		for _, c := range changes {
			if c.from {
				held += c.by
			} else {
				held -= c.by
			}
			most = max(most, held)
		}
		peak += most
	}
	return all, peak
}

// byStream adds the schemes with a workspace for each stream. Handles of a stream do not call at the same time, unless
// they are several that do the same.
func (t *totals) byStream(initial uint64) {
	type stream struct{ device, process, number int }
	most, several := map[stream]uint64{}, map[int]uint64{}
	for i, p := range t.processes {
		for _, m := range p {
			if !t.Counts(m) {
				continue
			}
			n := t.Handles * m.Count * t.Streams
			for _, u := range t.Uses[m] {
				if n > 1 {
					several[m.Device] += u.Needs * uint64(n)
				} else {
					s := stream{m.Device, i, u.Stream}
					most[s] = max(most[s], u.Wants)
				}
			}
		}
	}
	on := map[int]uint64{}
	shared := uint64(0)
	for s, bytes := range most {
		on[s.device] += bytes
		shared += bytes
	}
	constant := func(scheme, about string, of func(device int) uint64) {
		t.add(scheme, about, func(device int) (bytes, peak uint64) {
			for _, d := range t.devices {
				if device == allDevices || device == d {
					bytes += of(d)
				}
			}
			return bytes, bytes
		})
	}
	if shared > 0 && shared < t.list[len(t.list)-1].Peak {
		constant(workspace.SchemeUserOwned+", by stream", "the handles of a stream share a workspace, if no two "+
			"threads call at the same time", func(d int) uint64 { return on[d] })
	}
	constant(workspace.SchemeStreamOrdered, fmt.Sprintf("at most: the pool of the device holds the calls that run at "+
		"the same time, and keeps %s", units.FormatBytes(initial)),
		func(d int) uint64 { return max(initial, on[d], several[d]) })
}

// totals returns the memory of the recordings' handles under each scheme, on the target of each device.
func (r *Report) totals() (list []Total) {
	var processes []Process
	for _, rec := range r.Recordings {
		processes = append(processes, r.Members(rec))
	}
	for i := range r.Targets {
		counted := Counted{Target: i, Handles: 1, Streams: 1, Counts: func(m *Member) bool { return m.on == i },
			Uses: map[*Member][]StreamUse{}}
		for _, m := range slices.Concat(processes...) {
			for _, u := range m.Uses {
				most := uint64(0)
				for c := range u.Times {
					most = max(most, c.Needs[i].Bytes)
				}
				counted.Uses[m] = append(counted.Uses[m], StreamUse{u.Stream, most, most})
			}
		}
		for _, more := range Totals(r.Targets[i].Target, processes, counted) {
			k := slices.IndexFunc(list, func(t Total) bool { return t.Scheme == more.Scheme })
			if k < 0 {
				list = append(list, more)
				continue
			}
			list[k].Bytes, list[k].Peak = list[k].Bytes+more.Bytes, list[k].Peak+more.Peak
			list[k].Devices = append(list[k].Devices, more.Devices...)
		}
	}
	return list
}
