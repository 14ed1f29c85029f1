package capacity

import (
	"fmt"
	"maps"
	"slices"

	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/products"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// mostBytes bounds a total, so that sums over handles do not overflow.
const mostBytes = 1 << 56

// name names the target.
func (t *Target) name() string { return t.Profile + "/" + t.Arch }

// newTarget plans for target i. Each handle represents several, each with several streams.
func newTarget(r *render.Report, groups []*group, i int, handles, streams int64) (*Target, error) {
	on := &r.Targets[i]
	all, counted := map[int]bool{}, map[int]bool{}
	t := &Target{Profile: on.Profile.Name, Arch: on.Arch, Handles: []*Handle{}, Sharing: []Sharing{},
		Unknown: []string{}}
	for _, g := range groups {
		for _, m := range g.members {
			if all[m.Device] = true; !m.CountsOn(on.Arch) {
				continue
			}
			counted[m.Device] = true
			t.several = t.several || streams > 1 || len(m.Uses) > 1
			for _, u := range m.Uses {
				h, err := t.newHandle(on.Target, m, u, i)
				if err != nil {
					return nil, err
				}
				h.group = g
				h.repeats = handles * streams
				h.Count = h.repeats * m.Count
				if most := max(h.Wants, h.Managed, on.Profile.DefaultBytes(on.Arch)); most > mostBytes/uint64(h.Count) {
					return nil, fmt.Errorf("%d workspaces of %d bytes are too many to count", h.Count, most)
				}
				t.Handles = append(t.Handles, h)
			}
		}
	}
	t.devices, t.withDevice = slices.Sorted(maps.Keys(counted)), len(all) > 1
	for _, f := range r.NotModeled {
		t.Unknown = append(t.Unknown, f.Name+" is not modelled")
	}
	t.total(on.Target, groups, i, handles, streams)
	t.share(groups)
	return t, nil
}

// newHandle plans for a handle on one of its streams.
func (t *Target) newHandle(on footprint.Target, m *render.Member, u *analyze.Use, i int) (*Handle, error) {
	h := &Handle{Name: m.Name, Device: m.Device, Stream: u.Stream, Managed: m.Managed(i), Held: m.Held, of: m}
	var shapes []products.Shape
	for _, c := range sortedCalls(u) {
		n := &c.Needs[i]
		switch label := c.Label(); {
		case !n.Known():
			t.unknown(label + ": " + n.Reason)
		case n.Status != "":
		case c.Routine.IsProduct():
			shapes = append(shapes, products.Shape{Text: label, Times: u.Times[c], Args: c.Args()})
		}
		if n.Bytes > h.Needs {
			h.Needs, h.DecidedBy = n.Bytes, c.Label()
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
		t.unknown("the kernels of GEMMs that a budget changes, without the tuning files of the " +
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
func recommended(on footprint.Target, m *render.Member, h *Handle) string {
	if h.Wants == 0 {
		return fmt.Sprintf("none: no call needs workspace; %s=0 saves the %d bytes of a new handle",
			workspace.EnvDeviceMemorySize, on.Profile.DefaultBytes(on.Arch))
	}
	call := fmt.Sprintf("rocblas_set_workspace(handle, p, %d)", h.Wants)
	if len(m.Uses) > 1 {
		call = fmt.Sprintf("rocblas_set_stream to stream %d, then %s", h.Stream, call)
	}
	return call
}

// total computes the memory of all handles under each scheme.
func (t *Target) total(on footprint.Target, groups []*group, i int, handles, streams int64) {
	var list []render.Process
	for _, g := range groups {
		list = append(list, g.members)
	}
	uses := map[*render.Member][]render.StreamUse{}
	for _, h := range t.Handles {
		uses[h.of] = append(uses[h.of], render.StreamUse{Stream: h.Stream, Needs: h.Needs, Wants: h.Wants})
	}
	t.Totals = render.Totals(on, list, render.Counted{Target: i, Handles: handles, Streams: streams, Uses: uses,
		Counts: func(m *render.Member) bool { return m.CountsOn(on.Arch) }})
}

// share computes one workspace for the handles of each device in a process.
func (t *Target) share(groups []*group) {
	for _, g := range groups {
		bytes := map[int]uint64{}
		for _, h := range t.Handles {
			if h.group == g {
				bytes[h.Device] = max(bytes[h.Device], h.Wants)
			}
		}
		for _, d := range slices.Sorted(maps.Keys(bytes)) {
			name := g.name
			if len(bytes) > 1 {
				name += fmt.Sprintf(", device %d", d)
			}
			safe, reason := g.safe(d)
			t.Sharing = append(t.Sharing, Sharing{name, bytes[d], safe, reason})
		}
	}
}
