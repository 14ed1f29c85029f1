package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/applog/analyze"
	"roclua/host/applog/lines"
	"roclua/host/targets"
	"roclua/internal/units"
)

// Bounds on the lists in the text.
const (
	listedCalls = 20 // distinct calls
	listedLines = 6  // lines and functions
	widestCall  = 72
)

// Sections has a chart of the needs over the log, and the needs, schemes, growths and notes.
func (r *Report) Sections() (*answer.Answer, error) {
	a := &answer.Answer{Heading: "Workspace needs of " + r.Input(), Sections: r.Memory()}
	if slices.ContainsFunc(r.Targets, func(t analyze.Target) bool { return t.Bytes > 0 }) {
		a.Sections = append(a.Sections, answer.Section{Picture: r.picture(),
			Caption: "Each distinct call is shown where it is first made."})
	}
	a.Sections = append(a.Sections, r.Gate.Section(), answer.Section{Lines: append(r.origins(), r.count())})
	a.Sections = append(a.Sections, r.handles()...)
	a.Sections = append(a.Sections, r.refused(), r.defects(),
		answer.Section{Heading: "workspace of the calls, in bytes", Table: r.calls(), Below: r.decisions()},
		answer.Section{Heading: "memory of a handle under each scheme, in bytes", Table: r.schemes()},
		r.growths(), r.workspace(), r.ends(), r.functionLines("functions that are not modelled", r.NotModeled),
		r.functionLines("lines that could not be read", r.Cut), r.notes())
	return a, nil
}

// origins describes the content and origin of the files.
func (r *Report) origins() (lines []string) {
	recordings := r.Recordings
	for i := range r.Files {
		if r.Files[i].Recorded {
			lines = append(lines, recordings[0].origin()...)
			recordings = recordings[1:]
			continue
		}
		lines = append(lines, origin(&r.Files[i])...)
	}
	return lines
}

// origin describes a log, or a file that lists calls.
func origin(f *analyze.File) []string {
	if f.Form != "" {
		list := []string{f.Name + ": " + f.Form,
			"  " + units.Count(f.Lines, "line") + ", " + units.Count(f.Calls, "call")}
		for _, note := range f.Notes {
			list = append(list, "  "+note)
		}
		return list
	}
	var kinds []string
	for k := lines.Trace; k < lines.KindCount; k++ {
		if name := k.String(); f.Kinds[k] > 0 && k != lines.Header && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	content := "no lines of a log"
	if kinds != nil {
		content = strings.Join(kinds, ", ") + " lines"
	}
	return []string{fmt.Sprintf("%s: %s%s", f.Name, content, release(f)),
		fmt.Sprintf("  %s, %d of other text", units.Count(f.Lines, "line"), f.Other)}
}

// release describes the release that wrote a file, as far as known.
func release(f *analyze.File) string {
	switch {
	case f.RocBLAS != "":
		return ", written by rocBLAS " + f.RocBLAS
	case f.Create[1] > 0 && f.Create[0] == 0:
		return ", of rocBLAS 4 or older (atomics_allowed)"
	case f.Create[0] > 0 && f.Create[1] == 0:
		return ", of rocBLAS 5 or newer (atomics_not_allowed)"
	}
	return ""
}

// count counts the calls by function.
func (r *Report) count() string {
	times, total := map[string]int64{}, r.NotListed.Times
	for _, c := range r.Calls {
		times[c.Routine.UniqueName()] += c.Times
		total += c.Times
	}
	names := slices.SortedFunc(maps.Keys(times), func(x, y string) int {
		return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y))
	})
	var parts []string
	for _, name := range names[:min(len(names), listedLines)] {
		parts = append(parts, fmt.Sprintf("%d %s", times[name], name))
	}
	text := fmt.Sprintf("%s of %s: %s", units.Count(total, "call"), units.Count(len(r.Calls), "size"),
		strings.Join(parts, ", "))
	if more := len(names) - listedLines; more > 0 {
		text += " and " + units.Count(more, "more function")
	}
	return text
}

// refused lists the calls that fail before they allocate memory.
func (r *Report) refused() answer.Section {
	n := int64(0)
	list := r.each(func(c *analyze.Call) string {
		need := &c.Needs[0]
		if need.Status == "" {
			return ""
		}
		n += c.Times
		return need.Status + ": " + need.Reason
	})
	return answer.Section{Heading: units.Count(n, "call") + " could not have run", List: list, Most: listedLines}
}

// each describes the calls that have a text, in the order of their first lines.
func (r *Report) each(text func(*analyze.Call) string) (list []string) {
	for _, c := range r.ByLine {
		if about := text(c); about != "" {
			list = append(list, fmt.Sprintf("%s  %s: %s", r.at(c.File, c.Line), c.Label(), about))
		}
	}
	return list
}

// ends lists the calls that do not succeed with the settings of their file.
func (r *Report) ends() answer.Section {
	return answer.Section{Heading: "calls that end otherwise with the settings of their tests", Width: widestNote,
		Most: listedLines, List: answer.Lines(r.names(), func(i int) []string {
			return r.each(func(c *analyze.Call) string {
				n := &c.Needs[i]
				if n.Why == "" {
					return n.Ends
				}
				return n.Ends + ": " + n.Why
			})
		})}
}

// defects lists the known defects that concern the calls on each target.
func (r *Report) defects() answer.Section {
	return answer.Section{Heading: "known defects of the libraries", Width: widestNote,
		List: answer.Lines(r.names(), func(i int) (list []string) {
			for _, h := range r.Targets[i].Defects {
				list = append(list, h.String())
			}
			if len(r.Targets) > 1 { // the table of schemes does not have them
				list = append(list, r.Targets[i].DefectsOfSchemes()...)
			}
			return list
		})}
}

// onlyRecordings reports whether calls have numbers, and not lines.
func (r *Report) onlyRecordings() bool { return len(r.Recordings) == len(r.Files) }

// calls has the calls with the largest needs, and a row for the others.
func (r *Report) calls() *answer.Table {
	place := "line"
	if r.onlyRecordings() {
		place = "number"
	}
	t := answer.NewTable(place, "times", "call").Numbers(0, 1).Cut(2, widestCall).Spare(1).Targets(r.names())
	var list []*analyze.Call
	for _, c := range r.Calls {
		if slices.ContainsFunc(c.Needs, func(n analyze.Need) bool { return n.Status == "" }) { // it is not refused
			list = append(list, c)
			row := []string{r.place(c.File, c.Line), fmt.Sprint(c.Times), c.Label() + queryMark(c)}
			for k := range c.Needs {
				row = append(row, needText(&c.Needs[k]))
			}
			t.Row(row...)
		}
	}
	if len(list) > listedCalls+1 || r.NotListed.Times > 0 {
		t.Most = min(listedCalls, len(list))
		t.Rest = r.restOf(list[t.Most:])
	}
	return t
}

// queryMark marks a call that may be of a size query.
func queryMark(c *analyze.Call) string {
	if c.MayBeQuery {
		return " (query?)"
	}
	return ""
}

func (r *Report) names() (list []string) {
	for i := range r.Targets {
		list = append(list, r.Targets[i].String())
	}
	return list
}

// restOf returns the row for the remaining calls: the largest need of one of them.
func (r *Report) restOf(rest []*analyze.Call) (row []string) {
	times, most := r.NotListed.Times, slices.Clone(r.NotListed.Most)
	unknown := make([]bool, len(r.Targets))
	for _, c := range rest {
		times += c.Times
		for i, n := range c.Needs {
			most[i] = max(most[i], n.Bytes)
			unknown[i] = unknown[i] || !n.Known()
		}
	}
	more := units.Count(len(rest), "more size")
	if r.NotListed.Times > 0 {
		more = "more sizes"
	}
	row = []string{"…", fmt.Sprint(times), more}
	for i, n := range most {
		cell := "up to " + targets.ShortBytes(n)
		if n == 0 {
			cell = "0"
		}
		if unknown[i] {
			cell += ", some ?"
		}
		row = append(row, cell)
	}
	return row
}

func needText(n *analyze.Need) string {
	switch {
	case n.Status != "":
		return n.Status
	case !n.Known():
		return "?"
	case n.AtMost:
		return "at most " + targets.ShortBytes(n.Bytes)
	}
	return targets.ShortBytes(n.Bytes)
}

// decisions reports the need on each target, the call that determines it, and the calls that the logs lack.
func (r *Report) decisions() (lines []string) {
	for _, text := range answer.Lines(r.names(), func(i int) []string {
		t := &r.Targets[i]
		return []string{r.decision(t) + lacks(t)}
	}) {
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}

func (r *Report) decision(t *analyze.Target) string {
	if t.Bytes == 0 {
		return "no call needs memory"
	}
	text := r.needed("the calls need", t.Bytes, t.Decides)
	switch {
	case t.Decides == nil || !t.Decides.MayBeQuery:
		return text
	case t.ExecutedBytes == 0:
		return text + ", which may be of a size query; the other calls need no memory"
	}
	return text + ", which may be of a size query;\n" +
		r.needed("calls that are certainly executed need", t.ExecutedBytes, t.ExecutedDecides)
}

// needed names a need and the call that determines it, if it is listed.
func (r *Report) needed(subject string, bytes uint64, decides *analyze.Call) string {
	text := subject + " " + units.FormatBytes(bytes)
	if decides != nil {
		text += fmt.Sprintf(", decided by %s, %s", r.at(decides.File, decides.Line), decides.Routine.UniqueName())
	}
	return text
}

// lacks names the calls that the logs lack on a target.
func lacks(t *analyze.Target) string {
	if len(t.Missing) == 0 {
		return ""
	}
	return ", not counting " + strings.Join(t.Missing, " and ")
}
