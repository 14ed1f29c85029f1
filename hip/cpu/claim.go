package cpu

import (
	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// claim queues work that uses regions in blocks and does nothing with them. It skips addresses of other memory, and
// what arrays of pointers point to. If memory was freed, that is a hazard and the work is left out, so that the device
// continues.
func (d *device) claim(st *stream, site driver.Site, regions []region.Region) {
	uses, freed := d.uses[:0], false
	for i := range regions {
		r := &regions[i]
		if r.Indirect {
			continue
		}
		if u, ok := d.runtime.spaces.Use(r); ok {
			uses = append(uses, u)
		} else if b := d.runtime.spaces.Freed(r); b != nil {
			freed = true
			d.reportFreed(st, site, r, b.FreedBy)
		}
	}
	d.uses = uses
	if !freed {
		st.Push(st.prepare(site, uses, nil))
	}
}

// reportFreed reports the use of memory that a call freed.
func (d *device) reportFreed(st *stream, site driver.Site, r *region.Region, by driver.Site) {
	low, bytes := r.Bounds()
	d.hazards.Report(driver.Hazard{Ptr: driver.Ptr(low), Bytes: bytes,
		Earlier: driver.Use{Call: by.Call, Origin: by.Origin, Since: "freed", Write: true},
		Later: driver.Use{Call: site.Call, Device: d.index, Stream: st.ID(), Write: r.Access.Writes(),
			Origin: site.Origin, Handle: site.Handle, Launched: site.Launched}})
}

// Claim implements driver.Claimer.
func (d *device) Claim(s driver.Stream, read, written []driver.Span) error {
	st, err := d.stream(s)
	if err != nil {
		return err
	}
	var regions []region.Region
	for _, m := range read {
		regions = append(regions, memory.Bytes(m.Ptr, m.Bytes, routine.In))
	}
	for _, m := range written {
		regions = append(regions, memory.Bytes(m.Ptr, m.Bytes, routine.Out))
	}
	if !st.branch.Captured() {
		d.claim(st, d.runtime.locate(), regions)
		return nil
	}
	node := &capture.Node{Kind: driver.NodeMemcpy}
	for _, r := range regions {
		if n, ok := d.runtime.spaces.Name(r); ok {
			node.Names = append(node.Names, n)
		}
	}
	node.Replay = func(s driver.Stream, _ func(driver.Site) driver.Timer) error { return d.Claim(s, read, written) }
	return st.branch.Add(node)
}

// union is the memory that all nodes of a graph claim: each region once, with the first node that uses it.
type union struct {
	sites   []driver.Site
	uses    []memory.Use
	removed uint64 // blocks that had been freed when it was computed
}

// claim queues a launch of a graph of one stream as one operation, which uses what its nodes use: they follow one
// another. It reports false if the nodes must be queued by themselves, because one has memory that is not the same any
// more, or does something else.
func (e *graphExec) claim(st *stream, site driver.Site, kernel func(driver.Site) driver.Timer) bool {
	rt := e.runtime
	if rt.kernels != driver.KernelsClaim || e.streams != 1 {
		return false
	}
	if removed := rt.spaces.Removed(); e.union == nil || e.union.removed != removed {
		if e.union = e.unite(); e.union == nil {
			return false
		}
		e.union.removed = removed
	}
	o := st.Prepare(site, nil)
	for i := range e.union.uses {
		o.Site = e.union.sites[i]
		o.Site.Launched = site.Origin
		st.device.hazards.Order(o, &e.union.uses[i])
	}
	st.Push(o)
	for _, n := range e.nodes {
		if kernel != nil && n.Kind == driver.NodeKernel {
			kernel(n.Site)
		}
	}
	return true
}

// unite returns the memory of all nodes; nil if one must be queued by itself.
func (e *graphExec) unite() *union {
	u := &union{}
	places := map[region.Region]int{}
	for _, n := range e.nodes {
		if n.Kind != driver.NodeKernel && n.Kind != driver.NodeMemcpy && n.Kind != driver.NodeMemset {
			return nil
		}
		for i := range n.Names {
			block, same := n.Names[i].Find(e.runtime.spaces)
			if !same {
				return nil
			}
			key := n.Names[i].Region
			access := key.Access
			key.Param, key.Access = nil, 0
			at, ok := places[key]
			if !ok {
				at = len(u.uses)
				places[key] = at
				u.uses = append(u.uses, memory.Use{Block: block, Region: n.Names[i].Region})
				u.sites = append(u.sites, n.Site)
			} else if u.uses[at].Region.Access != access {
				u.uses[at].Region.Access = routine.InOut
			}
		}
	}
	return u
}
