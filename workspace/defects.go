package workspace

import (
	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
)

// DefectsAround returns the known defects of programs whose handles have a scheme, in
// versions of the libraries.
func DefectsAround(p *Profile, v release.Versions, scheme, arch string) []defect.Finding {
	s := defect.State{StreamOrdered: defect.No, Managed: defect.No}
	if scheme == SchemeManaged || scheme == SchemeStreamOrdered {
		s.Managed = defect.Yes
	}
	if scheme == SchemeStreamOrdered || scheme == SchemeManaged && p.Release.ManagedStreamOrdered {
		s.StreamOrdered = defect.Yes
	}
	return defect.For(v, arch).Around(s)
}

// findDefects reports the known defects that concern a call that succeeded, as the handle is now. A size query, and a
// handle that is not modelled, have none.
func (h *Model) findDefects(a *routine.Args) {
	if h.found == nil || h.IsQuery() || !h.profile.Modelled() {
		return
	}
	if h.defects == nil {
		h.defects = defect.For(h.versions, h.target.Arch.Name)
	}
	if !h.defects.Any(a.Routine) {
		return
	}
	s := defect.State{Managed: truth(h.owner == Managed), StreamOrdered: truth(h.streamOrdered && h.owner == Managed)}
	if !h.dev.Capturing() { // asking for the stream's own state would be a call of HIP
		s.Capturing = defect.No
	}
	h.examined.Args = a
	if list := h.defects.Of(&h.examined, s); list != nil {
		h.found(list, a.Routine.Name)
	}
}

func truth(is bool) defect.Truth {
	if is {
		return defect.Yes
	}
	return defect.No
}
