package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/applog/analyze"
	"roclua/host/applog/lines"
	"roclua/host/targets"
	"roclua/internal/units"
)

// Bounds on the lists in the text.
const (
	listedCalls = 10 // distinct calls; more if they need more than a new handle has
	mostListed  = 20
	listedLines = 6 // lines and functions
	widestCall  = 72
)

// WriteText writes the answer as text.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(r.Gate.Text())
	recordings := r.Recordings
	for i := range r.Files {
		if r.Files[i].Recorded {
			r.writeRecording(&b, recordings[0])
			recordings = recordings[1:]
			continue
		}
		r.writeFile(&b, &r.Files[i])
	}
	r.writeTotals(&b)
	r.writeHandles(&b)
	r.writeRefused(&b)
	r.writeDefects(&b)
	b.WriteString("\nwhat the calls need, in bytes\n")
	r.writeCalls(&b)
	r.writeDecisions(&b)
	b.WriteString("\nmemory of a handle under each scheme, in bytes\n")
	r.writeSchemes(&b)
	r.writeGrowths(&b)
	r.writeWorkspace(&b)
	r.writeFunctions(&b, "functions that are not modelled", r.NotModeled)
	r.writeFunctions(&b, "lines that could not be read", r.Cut)
	r.writeNotes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFile describes a file's content and origin.
func (r *Report) writeFile(b *strings.Builder, f *analyze.File) {
	var kinds []string
	for k := lines.Trace; k < lines.KindCount; k++ {
		if name := k.String(); f.Kinds[k] > 0 && k != lines.Header && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	what := "no lines of a log"
	if kinds != nil {
		what = strings.Join(kinds, ", ") + " lines"
	}
	fmt.Fprintf(b, "%s: %s%s\n", f.Name, what, release(f))
	fmt.Fprintf(b, "  %s, %d of other text\n", units.Count(f.Lines, "line"), f.Other)
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

// writeTotals counts the calls by function.
func (r *Report) writeTotals(b *strings.Builder) {
	times, total := map[string]int64{}, r.NotListed.Times
	for _, c := range r.Calls {
		times[c.Routine.UniqueName()] += c.Times
		total += c.Times
	}
	var names []string
	for name := range times {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y))
	})
	fmt.Fprintf(b, "%s of %s: ", units.Count(total, "call"), units.Count(len(r.Calls), "size"))
	for i, name := range names[:min(len(names), listedLines)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%d %s", times[name], name)
	}
	if more := len(names) - listedLines; more > 0 {
		fmt.Fprintf(b, " and %s", units.Count(more, "more function"))
	}
	b.WriteString("\n")
}

// writeRefused lists the calls that fail before they allocate memory.
func (r *Report) writeRefused(b *strings.Builder) {
	var texts []string
	n := int64(0)
	for _, c := range r.byLine() {
		if need := &c.Needs[0]; need.Status != "" {
			n += c.Times
			texts = append(texts, fmt.Sprintf("  %s  %s: %s: %s", r.at(c.File, c.Line), Label(c), need.Status,
				need.Reason))
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s could not have run\n", units.Count(n, "call"))
	writeSome(b, texts)
}

// writeDefects lists the known defects that concern the calls on each target.
func (r *Report) writeDefects(b *strings.Builder) {
	var text strings.Builder
	r.grouped(&text, "  ", func(t *analyze.Target) (list []string) {
		for _, h := range r.HitsOn(t) {
			list = append(list, wrapped(h.String(Label)))
		}
		return list
	})
	if text.Len() > 0 {
		b.WriteString("\nknown defects of the libraries\n" + text.String())
	}
}

// HitsOn returns the known defects on a target of the report.
func (r *Report) HitsOn(t *analyze.Target) []*analyze.Hit {
	for i := range r.Hits {
		if &r.Targets[i] == t {
			return r.Hits[i]
		}
	}
	return nil
}

func writeSome(b *strings.Builder, texts []string) {
	for _, text := range texts[:min(len(texts), listedLines)] {
		b.WriteString(text + "\n")
	}
	if more := len(texts) - listedLines; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// byLine returns the calls in the order of their first lines.
func (r *Report) byLine() []*analyze.Call {
	list := slices.Clone(r.Calls)
	slices.SortStableFunc(list, func(x, y *analyze.Call) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return list
}

// writeCalls writes a table of the calls with the largest needs, and a row for the others.
func (r *Report) writeCalls(b *strings.Builder) {
	place := "line"
	if len(r.Recordings) == len(r.Files) {
		place = "number"
	}
	t := targets.NewTable([]string{place, "times", "call"}, r.names())
	var rest []*analyze.Call
	listed := 0
	for i, c := range r.Calls {
		if !slices.ContainsFunc(c.Needs, func(n analyze.Need) bool { return n.Status == "" }) {
			continue // it could not have run
		}
		if !r.lists(i) {
			rest = append(rest, c)
			continue
		}
		listed++
		t.Row([]string{r.place(c.File, c.Line), fmt.Sprint(c.Times), clip(Label(c)) + queryMark(c)}, r.cells(c))
	}
	if len(rest) > 0 || r.NotListed.Times > 0 {
		t.Row(r.restOf(rest, listed))
	}
	t.SetColumnConfigs(append([]table.ColumnConfig{{Number: 1, Align: text.AlignRight},
		{Number: 2, Align: text.AlignRight}}, rightAligned(4, len(r.Targets))...))
	b.WriteString(t.Render() + "\n")
}

// queryMark marks a call that may be of a size query.
func queryMark(c *analyze.Call) string {
	if c.MayBeQuery {
		return " (query?)"
	}
	return ""
}

// lists reports whether the table has a row for call i, in the order of needs.
func (r *Report) lists(i int) bool {
	if len(r.Calls) <= listedCalls+1 && r.NotListed.Times == 0 {
		return true
	}
	large := false
	for k, t := range r.Targets {
		large = large || r.Calls[i].Needs[k].Bytes > t.Managed.Initial
	}
	return i < listedCalls || i < mostListed && large
}

func rightAligned(from, n int) (list []table.ColumnConfig) {
	for i := range n {
		list = append(list, table.ColumnConfig{Number: from + i, Align: text.AlignRight})
	}
	return list
}

func (r *Report) names() (list []string) {
	for i := range r.Targets {
		list = append(list, r.Targets[i].String())
	}
	return list
}

// restOf returns the row for the remaining calls: the largest need of one of them.
func (r *Report) restOf(rest []*analyze.Call, listed int) (labels, cells []string) {
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
	for i, n := range most {
		cell := "up to " + targets.ShortBytes(n)
		if n == 0 {
			cell = "0"
		}
		if unknown[i] {
			cell += ", some ?"
		}
		cells = append(cells, cell)
	}
	return []string{"…", fmt.Sprint(times), more}, cells
}

func clip(s string) string {
	if len(s) <= widestCall {
		return s
	}
	return s[:strings.LastIndexByte(s[:widestCall-1], ' ')+1] + "…"
}

func (r *Report) cells(c *analyze.Call) (list []string) {
	for _, n := range c.Needs {
		list = append(list, needText(&n))
	}
	return list
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

// writeDecisions reports the need on each target, the call that determines it, and the calls that the logs lack.
func (r *Report) writeDecisions(b *strings.Builder) {
	r.grouped(b, "", func(t *analyze.Target) []string { return []string{r.decision(t) + lacks(t)} })
}

func (r *Report) decision(t *analyze.Target) string {
	switch {
	case t.Bytes == 0:
		return "no call needs memory"
	case t.Decides == nil:
		return "the calls need " + units.FormatBytes(t.Bytes)
	}
	text := r.needed("the calls need", t.Bytes, t.Decides)
	switch {
	case !t.Decides.MayBeQuery:
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

// grouped writes the texts about targets, once for all targets with the same text.
func (r *Report) grouped(b *strings.Builder, indent string, of func(*analyze.Target) []string) {
	on := map[string][]string{}
	var order []string
	for i := range r.Targets {
		for _, line := range of(&r.Targets[i]) {
			if on[line] == nil {
				order = append(order, line)
			}
			on[line] = append(on[line], r.Targets[i].String())
		}
	}
	for _, line := range order {
		where := ""
		if len(on[line]) < len(r.Targets) {
			where = " on " + strings.Join(on[line], ", ")
		}
		b.WriteString(indent + line + where + "\n")
	}
}
