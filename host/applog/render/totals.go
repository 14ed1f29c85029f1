package render

import (
	"fmt"
	"slices"

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

// peakOn returns the part of the peak on a device; with -1 all.
func (t *Total) peakOn(device int) uint64 {
	if device < 0 {
		return t.Peak
	}
	for _, d := range t.Devices {
		if d.Device == device {
			return d.Peak
		}
	}
	return 0
}

// Group is the handles of a process.
type Group struct {
	Most    uint64 // that a handle of the process needs, also one that does not count
	Members []*Member
}

// Member is a handle, or several that do the same.
type Member struct {
	Device         int
	Count          uint64
	Begin, End     int64 // the process's calls that create and destroy it; End is 0 if it is not destroyed
	Needs, Managed uint64
	Uses           []StreamUse
}

// StreamUse is the need of a handle's calls on a stream, and the bytes with which no GEMM loses its kernel.
type StreamUse struct {
	Stream       int
	Needs, Wants uint64
	Count        uint64 // streams of each handle that it means
}

// totals computes the totals of a target.
type totals struct {
	groups  []Group
	devices []int
	list    []Total
}

// Totals returns the memory of handles under each scheme, in total and on each device if they are on several.
func Totals(on footprint.Target, groups []Group) []Total {
	t := &totals{groups: groups}
	for _, g := range groups {
		for _, m := range g.Members {
			if !slices.Contains(t.devices, m.Device) {
				t.devices = append(t.devices, m.Device)
			}
		}
	}
	if t.devices == nil {
		return nil
	}
	slices.Sort(t.devices)
	under := func(scheme string, needs uint64) uint64 {
		list := workspace.HeldAfter(on.Profile, on.Arch, []uint64{needs})
		return list[slices.IndexFunc(list, func(h workspace.Held) bool { return h.Scheme == scheme })].Bytes
	}
	for _, s := range []struct {
		scheme, about string
		bytes         func(*Group, *Member) uint64
	}{
		{workspace.SchemeManaged, "each handle grows when a call needs more",
			func(_ *Group, m *Member) uint64 { return m.Managed }},
		{workspace.SchemePreallocated, "every handle of a process has the size of the environment",
			func(g *Group, _ *Member) uint64 { return under(workspace.SchemePreallocated, g.Most) }},
		{workspace.SchemeManual, "each handle has the size that its calls need",
			func(_ *Group, m *Member) uint64 { return under(workspace.SchemeManual, m.Needs) }},
	} {
		inOrder := s.scheme == workspace.SchemeManaged && on.Profile.Release.ManagedStreamOrdered
		if on.Profile.SkipScheme(s.scheme) == "" && !inOrder {
			t.add(s.scheme, s.about, s.bytes)
		}
	}
	t.add(workspace.SchemeUserOwned, "a workspace for each handle on each of its streams",
		func(_ *Group, m *Member) (sum uint64) {
			for _, u := range m.Uses {
				sum += u.Wants * u.Count
			}
			return sum
		})
	t.byStream(on.Profile.DefaultBytes(on.Arch))
	for i := range t.list {
		t.list[i].About += on.SchemeDefects(t.list[i].Scheme)
	}
	return t.list
}

// add adds the total of a scheme whose handles have memory while they exist.
func (t *totals) add(scheme, about string, bytes func(*Group, *Member) uint64) {
	total := Total{Scheme: scheme, About: about}
	total.Bytes, total.Peak = t.sum(bytes, func(*Member) bool { return true })
	t.list = append(t.list, total)
	t.onDevices(func(d *DeviceTotal) {
		d.Bytes, d.Peak = t.sum(bytes, func(m *Member) bool { return m.Device == d.Device })
	})
}

// onDevices sets the parts of the last total on each device, if there are several.
func (t *totals) onDevices(set func(*DeviceTotal)) {
	if len(t.devices) == 1 {
		return
	}
	last := &t.list[len(t.list)-1]
	for _, device := range t.devices {
		d := DeviceTotal{Device: device}
		set(&d)
		last.Devices = append(last.Devices, d)
	}
}

// sum adds the bytes of handles, and of the handles that exist at the same time. Processes run at the same time.
func (t *totals) sum(bytes func(*Group, *Member) uint64, counts func(*Member) bool) (all, peak uint64) {
	type change struct {
		at   int64
		from bool
		by   uint64
	}
	for i := range t.groups {
		g := &t.groups[i]
		var changes []change
		for _, m := range g.Members {
			if !counts(m) {
				continue
			}
			n := bytes(g, m) * m.Count
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
	type stream struct{ device, group, number int }
	most, several := map[stream]uint64{}, map[int]uint64{}
	for i, g := range t.groups {
		for _, m := range g.Members {
			for _, u := range m.Uses {
				n := m.Count * u.Count
				if n > 1 {
					several[m.Device] += u.Needs * n
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
		t.list = append(t.list, Total{Scheme: scheme, About: about})
		last := &t.list[len(t.list)-1]
		for _, d := range t.devices {
			last.Bytes += of(d)
		}
		last.Peak = last.Bytes
		t.onDevices(func(d *DeviceTotal) { d.Bytes, d.Peak = of(d.Device), of(d.Device) })
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
	for i := range r.Targets {
		var groups []Group
		for _, rec := range r.Recordings {
			g := Group{}
			for _, h := range rec.Result.Handles {
				need, _ := rec.needs(h)
				if g.Most = max(g.Most, need); rec.On[h.Device] == i {
					g.Members = append(g.Members, rec.member(h, i, r.Targets[i].Target))
				}
			}
			groups = append(groups, g)
		}
		for _, more := range Totals(r.Targets[i].Target, groups) {
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

// member returns a handle as totals count it.
func (r *Recording) member(h *replay.Handle, target int, on footprint.Target) *Member {
	m := &Member{Device: h.Device, Count: 1, Begin: h.Begin, End: h.End,
		Managed: r.managed(h, on.Profile.DefaultBytes(on.Arch))}
	if of := r.Handle(h.Number); of != nil {
		m.Needs = of.Needs[target]
		for _, u := range of.Uses {
			use := StreamUse{Stream: u.Stream, Count: 1}
			for c := range u.Times {
				use.Needs = max(use.Needs, c.Needs[target].Bytes)
			}
			use.Wants = use.Needs
			m.Uses = append(m.Uses, use)
		}
	}
	return m
}
