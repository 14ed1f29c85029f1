package render

import (
	"fmt"

	"roclua/host/answer"
	"roclua/host/applog/analyze"
	"roclua/host/targets"
	"roclua/internal/units"
	"roclua/workspace"
)

// widestNote is the width of notes, in columns.
const widestNote = 108

// schemes lists a handle's memory under each scheme, and how to configure it.
func (r *Report) schemes() *answer.Table {
	var held [][]workspace.Held
	for i := range r.Targets {
		held = append(held, r.held(&r.Targets[i]))
	}
	return targets.HeldTable(r.names(), held)
}

// held returns a handle's memory under each scheme on a target.
func (r *Report) held(t *analyze.Target) []workspace.Held {
	list := t.HeldAfter([]uint64{t.Bytes})
	m := &t.Managed
	for i := range list {
		if h := &list[i]; h.Scheme == workspace.SchemeManaged && !t.Profile.Release.ManagedStreamOrdered {
			h.Bytes, h.About = m.Final, growthText(m)+lacks(t)
		}
	}
	return list
}

// growthText describes how often a managed handle grows.
func growthText(m *analyze.Managed) string {
	n := m.Count()
	switch {
	case m.Most > n:
		return fmt.Sprintf("grows %d times if one handle makes all calls, and at most %s if several do; each growth "+
			"waits for the device", n, units.Count(m.Most, "time"))
	case n == 0:
		return "the default size is enough"
	case n == 1:
		return "grows once, and waits for the device"
	}
	return fmt.Sprintf("grows %d times; each growth waits for the device", n)
}

// growths lists the growths of a managed handle.
func (r *Report) growths() answer.Section {
	list := answer.Lines(r.names(), func(i int) (list []string) {
		m := &r.Targets[i].Managed
		for i, g := range m.Growths {
			if i == listedLines {
				return append(list, fmt.Sprintf("and %d more", m.Count()-listedLines))
			}
			list = append(list, fmt.Sprintf("%s  %s: %d -> %d bytes", r.at(g.Number, g.Line),
				g.Call.Routine.UniqueName(), g.From, g.To))
		}
		return list
	})
	return answer.Section{Heading: "growths of a managed handle", List: append(list, answer.Lines(r.names(),
		func(i int) []string {
			if m := &r.Targets[i].Managed; len(m.Growths) > 0 && !m.Exact {
				return []string{"these growths are estimates, see below"}
			}
			return nil
		})...)}
}

// workspace lists the calls that need more than the user's workspace.
func (r *Report) workspace() (s answer.Section) {
	if r.Workspace == nil {
		return s
	}
	s.Heading = "in a user-owned workspace of " + units.FormatBytes(*r.Workspace)
	s.List = answer.Lines(r.names(), func(i int) []string {
		texts := r.each(func(c *analyze.Call) string {
			status := c.Needs[i].In(r.Workspace)
			if status == "" {
				return ""
			}
			return fmt.Sprintf("%s, needs %d", status, c.Needs[i].Bytes)
		})
		if texts == nil {
			return []string{"every call has enough memory"}
		}
		return answer.First(texts, listedLines, "")
	})
	return s
}

func (r *Report) functionLines(title string, list []analyze.Function) answer.Section {
	s := answer.Section{Heading: title, Most: listedLines}
	for _, f := range list {
		text := fmt.Sprintf("%s, first in %s: %s", f.Name, r.at(f.Number, f.Line), units.Count(f.Count, "call"))
		if f.Reason != "" {
			text += " (" + f.Reason + ")"
		}
		s.List = append(s.List, text)
	}
	return s
}

// notes lists the gaps in the logs.
func (r *Report) notes() answer.Section {
	s := answer.Section{Heading: "limits of a log", Width: widestNote}
	for _, n := range r.Notes {
		s.List = append(s.List, n.Text)
	}
	return s
}
