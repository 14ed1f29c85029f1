package workspace

import (
	"fmt"

	"roclua/hip/defect"
	"roclua/hip/routine"
)

// SchemeDefects names the known defects of programs whose handles have a scheme, with a source of each; "" if there are
// none.
func SchemeDefects(p *Profile, scheme, arch string) (text string) {
	s := defect.State{StreamOrdered: defect.No, Managed: defect.No}
	if scheme == SchemeManaged || scheme == SchemeStreamOrdered {
		s.Managed = defect.Yes
	}
	if scheme == SchemeStreamOrdered || scheme == SchemeManaged && p.Release.ManagedStreamOrdered {
		s.StreamOrdered = defect.Yes
	}
	for i, d := range defect.For(p.Release, arch, "").Around(s) {
		separator := ", "
		if i == 0 {
			separator = "; known defects: "
		}
		text += fmt.Sprintf("%s%s (%s)", separator, d.ID, d.Sources[0])
	}
	return text
}

// Defects returns the known defects that concern a call of a handle, as the handle is now. A size query, and a handle
// that is not modelled, have none.
func Defects(h Handle, a *routine.Args) []defect.Finding {
	m, ok := h.(*Model)
	if !ok || m.state != alive || m.IsQuery() || !m.profile.Modelled() {
		return nil
	}
	if m.defects == nil {
		m.defects = defect.For(m.profile.Release, m.target.Arch.Name, "")
	}
	if !m.defects.Any(a.Routine) {
		return nil
	}
	s := defect.State{Managed: truth(m.owner == Managed), StreamOrdered: truth(m.streamOrdered && m.owner == Managed)}
	if !m.dev.Capturing() { // asking for the stream's own state would be a call of HIP
		s.Capturing = defect.No
	}
	m.examined.Args = a
	return m.defects.Of(&m.examined, s)
}

func truth(is bool) defect.Truth {
	if is {
		return defect.Yes
	}
	return defect.No
}
