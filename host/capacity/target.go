package capacity

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/products"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// mostBytes bounds a total, so that sums over handles do not overflow.
const mostBytes = 1 << 56

// newTarget plans for target i. Each handle represents several, each with several streams.
func newTarget(r *render.Report, groups []*group, i int, handles, streams int64) (*Target, error) {
	on := &r.Targets[i]
	several := len(devicesOf(groups)) > 1
	groups = onArch(groups, on.Arch)
	t := &Target{Profile: on.Profile.Name, Arch: on.Arch, Handles: []*Handle{}, Sharing: []Sharing{},
		Unknown: []string{}, devices: devicesOf(groups), withDevice: several}
	for _, g := range groups {
		for _, m := range g.members {
			t.several = t.several || streams > 1 || len(m.uses) > 1
			for _, u := range m.uses {
				h, err := t.newHandle(on.Target, m, u, i)
				if err != nil {
					return nil, err
				}
				h.repeats = handles * streams
				h.Count = h.repeats * m.count
				if most := max(h.Wants, h.Managed, on.Profile.DefaultBytes(on.Arch)); most > mostBytes/uint64(h.Count) {
					return nil, fmt.Errorf("%d workspaces of %d bytes are too many to count", h.Count, most)
				}
				t.Handles = append(t.Handles, h)
			}
		}
	}
	for _, f := range r.NotModeled {
		t.Unknown = append(t.Unknown, f.Name+" is not modelled")
	}
	t.total(on.Target, groups, i, handles)
	t.share(groups)
	return t, nil
}

// newHandle plans for a handle on one of its streams.
func (t *Target) newHandle(on footprint.Target, m *member, u *analyze.Use, i int) (*Handle, error) {
	h := &Handle{Name: m.name, Device: m.device, Stream: u.Stream, Managed: m.managed[i], Held: m.held, of: m}
	var shapes []products.Shape
	for _, c := range sortedCalls(u) {
		n := &c.Needs[i]
		switch label := render.Label(c); {
		case !n.Known():
			t.unknown(label + ": " + n.Reason)
		case n.Status != "":
		case c.Routine.IsProduct():
			shapes = append(shapes, products.Shape{Text: label, Times: u.Times[c], Args: c.Args()})
		}
		if n.Bytes > h.Needs {
			h.Needs, h.DecidedBy = n.Bytes, render.Label(c)
		}
		h.demands = append(h.demands, demandsOf(c, n, u.Times[c])...)
	}
	if err := t.addProducts(on, h, shapes); err != nil {
		return nil, err
	}
	h.Wants = max(h.Wants, h.Needs)
	h.Call = recommended(on, m, h)
	return h, nil
}

func (t *Target) unknown(text string) {
	if !slices.Contains(t.Unknown, text) {
		t.Unknown = append(t.Unknown, text)
	}
}

// addProducts adds the products that want workspace.
func (t *Target) addProducts(on footprint.Target, h *Handle, shapes []products.Shape) error {
	if len(shapes) == 0 {
		return nil
	}
	if on.Tuning == nil {
		t.unknown("the kernels of products of matrices that a budget changes, without the tuning files of the " +
			"release: see --tuning")
		return nil
	}
	report, err := products.New(shapes, []products.Chooser{products.Modelled{Target: on}}, nil)
	if err != nil {
		return err
	}
	for _, p := range report.Targets[0].Products {
		if reason := p.Unknown(); reason != "" {
			t.unknown(p.Text + ": " + reason)
		}
		if p.Needs() > max(h.Needs, h.Wants) {
			h.Wants, h.DecidedBy = p.Needs(), p.Text
		}
		if p.Needs() > 0 {
			h.demands = append(h.demands, demand{p.Text, p.Times, p.Needs(), otherKernel})
		}
	}
	return nil
}

// recommended returns the call that gives a handle the workspace that it wants.
func recommended(on footprint.Target, m *member, h *Handle) string {
	if h.Wants == 0 {
		return fmt.Sprintf("none: no call needs workspace; %s=0 saves the %d bytes of a new handle",
			workspace.EnvDeviceMemorySize, on.Profile.DefaultBytes(on.Arch))
	}
	call := fmt.Sprintf("rocblas_set_workspace(handle, p, %d)", h.Wants)
	if len(m.uses) > 1 {
		call = fmt.Sprintf("rocblas_set_stream to stream %d, then %s", h.Stream, call)
	}
	return call
}

// onArch returns the handles that count on targets of an architecture.
func onArch(groups []*group, arch string) (list []*group) {
	for _, g := range groups {
		on := &group{name: g.name, safe: g.safe, process: g.members}
		for _, m := range g.members {
			if m.arch == "" || m.arch == arch {
				on.members = append(on.members, m)
			}
		}
		list = append(list, on)
	}
	return list
}

// devicesOf returns the devices that have handles.
func devicesOf(groups []*group) (list []int) {
	for _, g := range groups {
		for _, m := range g.members {
			if !slices.Contains(list, m.device) {
				list = append(list, m.device)
			}
		}
	}
	slices.Sort(list)
	return list
}

// total computes what all handles hold under each scheme, device by device.
func (t *Target) total(on footprint.Target, groups []*group, i int, handles int64) {
	for _, g := range groups {
		most := uint64(0)
		for _, m := range g.process {
			most = max(most, m.needs[i])
		}
		for _, m := range g.members {
			n := uint64(handles) * uint64(m.count)
			one := workspace.HeldAfter(on.Profile, on.Arch, []uint64{most})
			for k, held := range workspace.HeldAfter(on.Profile, on.Arch, []uint64{m.needs[i]}) {
				switch {
				case held.Skip != "", held.Scheme == workspace.SchemeUserOwned,
					held.Scheme == workspace.SchemeStreamOrdered:
				case held.Scheme == workspace.SchemePreallocated:
					t.add(held.Scheme, m.device, one[k].Bytes*n,
						"every handle of a process has the size of the environment")
				case held.Scheme == workspace.SchemeManual:
					t.add(held.Scheme, m.device, held.Bytes*n, "each handle has the size that its calls need")
				case on.Profile.Release.ManagedStreamOrdered:
				default:
					t.add(held.Scheme, m.device, m.managed[i]*n, "each handle grows when a call needs more")
				}
			}
		}
	}
	t.totalOfStreams(on)
}

// ofStreams is what the streams of a device need together.
type ofStreams struct {
	device    int
	perUse    uint64 // if each handle has its own workspace on each stream
	perStream uint64 // if the handles of a stream share one
	peak      uint64 // of handles that are several
}

// streams returns what the streams of each device need.
func (t *Target) streams() []ofStreams {
	list := make([]ofStreams, len(t.devices))
	for k, d := range t.devices {
		most := map[string]uint64{}
		s := &list[k]
		s.device = d
		for _, h := range t.Handles {
			if h.Device != d {
				continue
			}
			s.perUse += h.Wants * uint64(h.Count)
			if h.Count > 1 {
				s.peak += h.Needs * uint64(h.Count)
			} else {
				key := fmt.Sprint(h.of.group.name, " ", h.Stream)
				most[key] = max(most[key], h.Wants)
			}
		}
		for _, bytes := range most {
			s.perStream += bytes
		}
	}
	return list
}

// totalOfStreams adds the schemes with a workspace for each stream.
func (t *Target) totalOfStreams(on footprint.Target) {
	list := t.streams()
	var sum ofStreams
	for _, s := range list {
		sum.perUse += s.perUse
		sum.perStream += s.perStream
		t.add(workspace.SchemeUserOwned, s.device, s.perUse, "a workspace for each handle on each of its streams")
	}
	initial := on.Profile.DefaultBytes(on.Arch)
	for _, s := range list {
		if sum.perStream > 0 && sum.perStream < sum.perUse {
			t.add(workspace.SchemeUserOwned+", by stream", s.device, s.perStream, "the handles of a stream share a "+
				"workspace, if no two threads call at the same time")
		}
	}
	for _, s := range list {
		t.add(workspace.SchemeStreamOrdered, s.device, max(initial, s.perStream, s.peak), "at most: the pool of the "+
			"device holds the calls that run at the same time, and keeps "+units.FormatBytes(initial))
	}
}

// add adds bytes on a device to the total of a scheme.
func (t *Target) add(scheme string, device int, bytes uint64, about string) {
	k := slices.IndexFunc(t.Totals, func(total Total) bool { return total.Scheme == scheme })
	if k < 0 {
		k = len(t.Totals)
		t.Totals = append(t.Totals, Total{Scheme: scheme, About: about})
		if len(t.devices) > 1 {
			for _, d := range t.devices {
				t.Totals[k].Devices = append(t.Totals[k].Devices, DeviceTotal{Device: d})
			}
		}
	}
	total := &t.Totals[k]
	total.Bytes += bytes
	for i := range total.Devices {
		if total.Devices[i].Device == device {
			total.Devices[i].Bytes += bytes
		}
	}
}

// share computes one workspace for the handles of each device in a process.
func (t *Target) share(groups []*group) {
	for _, g := range groups {
		var devices []int
		bytes := map[int]uint64{}
		for _, h := range t.Handles {
			if !slices.Contains(g.members, h.of) {
				continue
			}
			if !slices.Contains(devices, h.Device) {
				devices = append(devices, h.Device)
			}
			bytes[h.Device] = max(bytes[h.Device], h.Wants)
		}
		slices.SortFunc(devices, cmp.Compare[int])
		for _, d := range devices {
			name := g.name
			if len(devices) > 1 {
				name += fmt.Sprintf(", device %d", d)
			}
			safe, reason := g.safe(d)
			t.Sharing = append(t.Sharing, Sharing{name, bytes[d], safe, reason})
		}
	}
}
