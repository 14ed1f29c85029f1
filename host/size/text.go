package size

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/hip/defect"
	"roclua/host/targets"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// writeText writes the need of each call and of the sequence, a handle's memory under each scheme, and warnings.
func writeText(w io.Writer, s *footprint.Sequence, list []*footprint.Footprint) error {
	var b strings.Builder
	b.WriteString(callTable(s, list) + "\n\n")
	b.WriteString(decisions(s, list))
	b.WriteString(takenLines(s))
	b.WriteString(returnedLines(s, list))
	noHandle := func(f *footprint.Footprint) bool { return len(f.Held) == 0 }
	if held := slices.DeleteFunc(slices.Clone(list), noHandle); len(held) > 0 {
		b.WriteString("\nmemory of a handle under each scheme\n" + heldTable(held) + "\n")
	}
	b.WriteString(lines("warnings", list, func(f *footprint.Footprint) []string { return f.Warnings }))
	b.WriteString(lines("known defects", list, func(f *footprint.Footprint) []string { return defects(s, f) }))
	b.WriteString(lines("later releases", list, func(f *footprint.Footprint) []string { return f.Later }))
	b.WriteString(lines("caveats", list, func(f *footprint.Footprint) []string { return f.Caveats }))
	_, err := io.WriteString(w, b.String())
	return err
}

func targetNames(list []*footprint.Footprint) []string {
	var names []string
	for _, f := range list {
		names = append(names, f.Target.String())
	}
	return names
}

func each(list []*footprint.Footprint, cell func(*footprint.Footprint) string) []string {
	var cells []string
	for _, f := range list {
		cells = append(cells, cell(f))
	}
	return cells
}

// callTable lists the buffers of each call, in the order of the library, and their sum.
func callTable(s *footprint.Sequence, list []*footprint.Footprint) string {
	t := targets.NewTable([]string{"call", "buffer"}, targetNames(list))
	for i, c := range s.Calls {
		t.AppendSeparator() // before the first row it has no effect
		label := fmt.Sprintf("%d  %s", i+1, c.Text)
		for _, purpose := range purposes(list, i) {
			cells := each(list, func(f *footprint.Footprint) string { return bytesFor(f, i, purpose) })
			t.Row([]string{label, purpose}, cells)
			label = ""
		}
		cells := each(list, func(f *footprint.Footprint) string { return needed(&f.Calls[i]) })
		t.Row([]string{label, "sum, each rounded up to 64"}, cells)
	}
	return t.Render()
}

// needed returns the bytes of a call, or "unknown".
func needed(n *footprint.Need) string {
	if n.Unknown != "" {
		return "unknown"
	}
	return targets.ShortBytes(n.Bytes)
}

// unknown reports whether the need of a call is unknown.
func unknown(f *footprint.Footprint) bool {
	reason, _ := f.Unknown()
	return reason != ""
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

// decisions reports the need of the sequence, once for all targets with the same result.
func decisions(s *footprint.Sequence, list []*footprint.Footprint) string {
	texts, on := grouped(list, func(f *footprint.Footprint) []string { return []string{decision(s, f)} })
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(text + on[text] + "\n")
	}
	return b.String()
}

func decision(s *footprint.Sequence, f *footprint.Footprint) string {
	reason, call := f.Unknown()
	switch {
	case reason != "" && len(s.Calls) == 1:
		return "what the call needs is not known: " + reason + boundHint
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
		return fmt.Sprintf("the sequence needs at least %s; what call %d, %s, needs is not known: %s",
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

// grouped collects texts about the targets in order of first appearance, each with its targets: " on rocm-7.2/gfx90a",
// or "" for all of them.
func grouped(list []*footprint.Footprint, texts func(*footprint.Footprint) []string) (order []string,
	where map[string]string) {
	on := map[string][]string{}
	for _, f := range list {
		for _, text := range texts(f) {
			if on[text] == nil {
				order = append(order, text)
			}
			on[text] = append(on[text], f.Target.String())
		}
	}
	where = map[string]string{}
	for _, text := range order {
		if len(on[text]) < len(list) {
			where[text] = " on " + strings.Join(on[text], ", ")
		}
	}
	return order, where
}

// heldTable lists a handle's memory under each scheme.
func heldTable(list []*footprint.Footprint) string {
	labels := []string{"scheme"}
	if len(list) == 1 {
		t := targets.NewTable(append(labels, "how"), targetNames(list))
		for _, h := range list[0].Held {
			t.Row([]string{h.Scheme, cmp.Or(h.Skip, h.About)}, []string{heldBytes(h)})
		}
		t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: 72, WidthMaxEnforcer: text.WrapSoft},
			{Number: 3, Align: text.AlignRight}})
		return t.Render()
	}
	t := targets.NewTable(labels, targetNames(list))
	for i, h := range list[0].Held {
		t.Row([]string{h.Scheme}, each(list, func(f *footprint.Footprint) string { return heldBytes(f.Held[i]) }))
	}
	return t.Render()
}

func heldBytes(h workspace.Held) string {
	if h.Skip != "" {
		return "-"
	}
	return targets.ShortBytes(h.Bytes)
}

// lines lists texts about the targets under a title; "" if there are none.
func lines(title string, list []*footprint.Footprint, texts func(*footprint.Footprint) []string) string {
	order, on := grouped(list, texts)
	if len(order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + title + "\n")
	for _, text := range order {
		b.WriteString("  " + text + on[text] + "\n")
	}
	return b.String()
}

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

// takenLines says what names of other libraries mean, and which arguments have the defaults of the benchmark programs
// because the calls leave them out.
func takenLines(s *footprint.Sequence) string {
	var b strings.Builder
	for i, c := range s.Calls {
		if means := c.Means(); means != "" {
			name, _, _ := strings.Cut(c.Text, " ")
			fmt.Fprintf(&b, "call %d, %s, %s\n", i+1, name, means)
		}
		if taken := strings.Join(c.Taken(), ", "); taken != "" {
			fmt.Fprintf(&b, "call %d, %s, has the defaults of %s-bench: %s\n", i+1, c.Routine.UniqueName(),
				c.Routine.Library, taken)
		}
	}
	return b.String()
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
