package size

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/defect"
	"roclua/host/answer"
	"roclua/host/targets"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// answerOf has the need of each call and of the sequence, a handle's memory under each scheme, and warnings.
func answerOf(s *footprint.Sequence, list []*footprint.Footprint) *answer.Answer {
	names := targetNames(list)
	said := func(of func(f *footprint.Footprint) []string) []string {
		return answer.Lines(names, func(i int) []string { return of(list[i]) })
	}
	below := said(func(f *footprint.Footprint) []string { return []string{decision(s, f)} })
	a := &answer.Answer{Sections: []answer.Section{{Table: callTable(s, list, names)},
		{Lines: slices.Concat(below, takenLines(s), returnedLines(s, list))}}}
	noHandle := func(f *footprint.Footprint) bool { return len(f.Held) == 0 }
	if held := slices.DeleteFunc(slices.Clone(list), noHandle); len(held) > 0 {
		var tables [][]workspace.Held
		for _, f := range held {
			tables = append(tables, f.Held)
		}
		a.Sections = append(a.Sections, answer.Section{Heading: "memory of a handle under each scheme",
			Table: targets.HeldTable(targetNames(held), tables)})
	}
	a.Sections = append(a.Sections,
		answer.Section{Heading: "warnings", List: said(func(f *footprint.Footprint) []string { return f.Warnings })},
		answer.Section{Heading: "known defects",
			List: said(func(f *footprint.Footprint) []string {
				texts := defects(s, f)
				if len(list) > 1 && len(f.Held) > 0 { // the table of schemes does not have them
					texts = append(texts, f.Target.DefectsOfSchemes()...)
				}
				return texts
			})},
		answer.Section{Heading: "later releases", List: said(func(f *footprint.Footprint) []string { return f.Later })},
		answer.Section{Heading: "caveats", List: said(func(f *footprint.Footprint) []string { return f.Caveats })})
	return a
}

func targetNames(list []*footprint.Footprint) []string {
	return each(list, func(f *footprint.Footprint) string { return f.Target.String() })
}

func each(list []*footprint.Footprint, cell func(*footprint.Footprint) string) []string {
	var cells []string
	for _, f := range list {
		cells = append(cells, cell(f))
	}
	return cells
}

// callTable lists the buffers of each call, in the order of the library, and their sum.
func callTable(s *footprint.Sequence, list []*footprint.Footprint, names []string) *answer.Table {
	t := answer.NewTable("call", "buffer").Targets(names)
	for i, c := range s.Calls {
		t.Group()
		label := fmt.Sprintf("%d  %s", i+1, c.Text)
		for _, purpose := range purposes(list, i) {
			cells := each(list, func(f *footprint.Footprint) string { return bytesFor(f, i, purpose) })
			t.Row(append([]string{label, purpose}, cells...)...)
			label = fmt.Sprintf("%d  %s", i+1, c.Routine.UniqueName())
		}
		cells := each(list, func(f *footprint.Footprint) string { return needed(&f.Calls[i]) })
		t.Row(append([]string{label, "sum, each rounded up to 64"}, cells...)...)
	}
	return t
}

// needed returns the bytes of a call, or "unknown".
func needed(n *footprint.Need) string {
	if n.Unknown != "" {
		return "unknown"
	}
	return targets.ShortBytes(n.Bytes)
}

// purposes lists the buffers of a call that are nonempty on some target.
func purposes(list []*footprint.Footprint, call int) []string {
	var names []string
	for _, f := range list {
		for _, b := range f.Calls[call].Buffers {
			if b.Bytes > 0 && !slices.Contains(names, b.Purpose()) {
				names = append(names, b.Purpose())
			}
		}
	}
	return names
}

func bytesFor(f *footprint.Footprint, call int, purpose string) string {
	for _, b := range f.Calls[call].Buffers {
		if b.Purpose() == purpose {
			return targets.ShortBytes(b.Bytes)
		}
	}
	return "-"
}

// decision describes the need of the sequence on a target.
func decision(s *footprint.Sequence, f *footprint.Footprint) string {
	reason, call := f.Unknown()
	switch {
	case reason != "" && len(s.Calls) == 1:
		return "the need of the call is unknown: " + reason + boundHint
	case reason != "":
		if !f.Calls[call].NoResult {
			reason += boundHint
		}
		separator := "; also unknown: call "
		for i := call + 1; i < len(f.Calls); i++ {
			if f.Calls[i].Unknown != "" {
				reason += fmt.Sprint(separator, i+1)
				separator = ", "
			}
		}
		return fmt.Sprintf("the sequence needs at least %s; the need of call %d, %s, is unknown: %s",
			units.FormatBytes(f.Bytes), call+1, s.Calls[call].Text, reason)
	case f.Bytes == 0 && len(s.Calls) == 1:
		return "the call needs no memory"
	case f.Bytes == 0:
		return "the sequence needs no memory"
	case len(s.Calls) == 1:
		return "the call needs " + units.FormatBytes(f.Bytes)
	}
	return fmt.Sprintf("the sequence needs %s, decided by call %d, %s", units.FormatBytes(f.Bytes), f.Decides+1,
		s.Calls[f.Decides].Text)
}

// boundHint explains how to get a number of bytes.
const boundHint = "; --unknown BYTES counts a bound"

// defects describes the known defects that concern the calls: one that the arguments do not decide is said once for a
// routine.
func defects(s *footprint.Sequence, f *footprint.Footprint) (list []string) {
	said := map[string]bool{}
	for i := range f.Calls {
		for _, d := range f.Calls[i].Defects {
			name := s.Calls[i].Routine.UniqueName()
			who := fmt.Sprintf("call %d, %s", i+1, name)
			if d.Level != defect.Certain {
				who = name
			}
			if text := fmt.Sprintf("%s: %s", who, d); !said[text] {
				said[text] = true
				list = append(list, text)
			}
		}
	}
	return list
}

// takenLines lists the meanings of names of other libraries, and the arguments with defaults of the benchmark programs
// because the calls leave them out.
func takenLines(s *footprint.Sequence) (lines []string) {
	for i, c := range s.Calls {
		if means := c.Means(); means != "" {
			name, _, _ := strings.Cut(c.Text, " ")
			lines = append(lines, fmt.Sprintf("call %d, %s, %s", i+1, name, means))
		}
		if taken := strings.Join(c.Taken(), ", "); taken != "" {
			lines = append(lines, fmt.Sprintf("call %d, %s, has the defaults of %s-bench: %s", i+1,
				c.Routine.UniqueName(), c.Routine.Library, taken))
		}
	}
	return lines
}

// builtProfiles lists the profiles of targets that reproduce a known build, each once.
func builtProfiles(list []footprint.Target) []*workspace.Profile {
	var profiles []*workspace.Profile
	for _, t := range list {
		if _, ok := t.Profile.Build(); ok && !slices.Contains(profiles, t.Profile) {
			profiles = append(profiles, t.Profile)
		}
	}
	return profiles
}
