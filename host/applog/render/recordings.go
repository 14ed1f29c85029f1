package render

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/answer"
	"roclua/host/applog/analyze"
	"roclua/host/replay"
	"roclua/host/targets"
	"roclua/internal/units"
)

// Recording is a replayed recording with the needs of its handles.
type Recording struct {
	Name    string                  // of the file
	On      []int                   // index of the target by device, see needs
	Handles map[int]*analyze.Handle // by number

	Unmodelled error // why the predictions are of another release than the one that wrote it; nil if they are of it
	*replay.Result

	Runs []*replay.Result // the calls on each target, with all that the program set; nil if they were not requested
}

// needs returns the need of a handle on the target of its device, and the call that decides it; nil for none.
func (r *Recording) needs(of *replay.Handle) (uint64, *analyze.Call) {
	h, target := r.Handles[of.Number], r.On[of.Device]
	return h.Needs[target], h.Decide[target]
}

// agreement returns the predictions of all recordings.
func (r *Report) agreement() (sum replay.Agreement) {
	for _, rec := range r.Recordings {
		sum.Add(rec.Agreement())
	}
	return sum
}

// origin describes a file that is a recording.
func (rec *Recording) origin() []string {
	p := &rec.Process
	head := fmt.Sprintf("%s: recording of process %d", rec.Name, p.PID)
	if program := p.Facts["program"]; program != "" {
		head += ", " + filepath.Base(program)
	}
	if host := p.Facts["host"]; host != "" {
		head += ", on " + host
	}
	lines := []string{fmt.Sprintf("%s, %s/%s", head, rec.Profile, rec.Label()),
		fmt.Sprintf("  %s on %s", units.Count(rec.Calls, "rocBLAS and rocSOLVER call"),
			units.Count(len(rec.Result.Handles), "handle"))}
	if rec.Unmodelled != nil {
		lines = append(lines, fmt.Sprintf("  the libraries are not modelled: the predictions are of %s, see the notes",
			rec.Profile))
	}
	if len(p.Missing())+len(rec.Problems) > 0 {
		lines = append(lines, "  the recording is not whole, see the notes")
	}
	return lines
}

// handles has the table of handles, their memory under each scheme, the agreement and the findings.
func (r *Report) handles() []answer.Section {
	if len(r.Recordings) == 0 {
		return nil
	}
	several := slices.ContainsFunc(r.Recordings, func(rec *Recording) bool { return len(rec.Used()) > 1 })
	columns := []string{"handle", "calls", "failed", "need", "decided by", "workspace", "growths", "held", "threads",
		"streams"}
	if several {
		columns = append(columns, "device")
	}
	t := answer.NewTable(columns...).Numbers(1, 2, 3, 5, 6, 7).Spare(8, 9, 2, 5, 1)
	list := r.byNeed()
	for _, h := range list {
		row := r.handleRow(h.in, h.Handle)
		if several {
			row = append(row, fmt.Sprint(h.Device))
		}
		t.Row(row...)
	}
	t.Most = mostHandlesListed
	if more := len(list) - t.Most; more > 0 {
		t.Rest = []string{"…", "", "", units.Count(more, "more handle")}
	}
	return []answer.Section{{Heading: "handles", Table: t, Below: append(r.totalLines(), r.agreementLines()...)},
		r.workspaces(list), r.findings()}
}

// workspaces has the table of workspaces that the program set, next to the needs of the calls in them.
func (r *Report) workspaces(list []handle) (s answer.Section) {
	t := answer.NewTable("handle", "stream", "workspace", "need", "decided by", "").Numbers(2, 3)
	rows := 0
	for _, h := range list {
		for _, w := range h.Workspaces {
			rows++
			note := ""
			if w.NeedBytes > w.Bytes {
				note = "too small"
			}
			t.Row(r.handleName(h.in, h.Number), fmt.Sprint(w.Stream), targets.ShortBytes(w.Bytes),
				targets.ShortBytes(w.NeedBytes), fmt.Sprintf("%s, call %d", w.Name, w.Call), note)
		}
	}
	t.Most = mostHandlesListed
	if more := rows - t.Most; more > 0 {
		t.Rest = []string{"…", "", "", units.Count(more, "more workspace")}
	}
	if rows > 0 {
		s.Heading, s.Table = "workspaces that the program set", t
	}
	return s
}

// handle is a handle and its recording.
type handle struct {
	*replay.Handle
	in   *Recording
	need uint64
}

// mostHandlesListed bounds the tables of handles in the text.
const mostHandlesListed = 20

// byNeed returns the handles in their order. Of many, those that need most are first, and of these the ones with most
// calls.
func (r *Report) byNeed() (list []handle) {
	for _, rec := range r.Recordings {
		for _, h := range rec.Result.Handles {
			need, _ := rec.needs(h)
			list = append(list, handle{h, rec, need})
		}
	}
	if len(list) > mostHandlesListed {
		slices.SortStableFunc(list, func(a, b handle) int {
			return cmp.Or(cmp.Compare(b.need, a.need), cmp.Compare(b.Calls, a.Calls))
		})
	}
	return list
}

func (r *Report) handleRow(rec *Recording, h *replay.Handle) []string {
	need, decides := rec.needs(h)
	by := ""
	if decides != nil {
		by = fmt.Sprintf("%s, call %d", decides.Routine.UniqueName(), decides.Line)
	}
	set := "-"
	if h.Workspace > 0 {
		set = targets.ShortBytes(h.Workspace)
	}
	return []string{r.handleName(rec, h.Number), fmt.Sprint(h.Calls), fmt.Sprint(h.Failed), targets.ShortBytes(need),
		by, set, growthsText(h), targets.ShortBytes(h.Held), numbers(h.Threads), numbers(h.Streams)}
}

// handleName names a handle, with its process if there are several recordings.
func (r *Report) handleName(rec *Recording, number int) string {
	if len(r.Recordings) > 1 {
		return fmt.Sprintf("%s:%d", rec.Name, number)
	}
	return fmt.Sprint(number)
}

// growthsText counts the recorded growths, and the predicted ones if they differ.
func growthsText(h *replay.Handle) string {
	same := slices.EqualFunc(h.Growths, h.Recorded, func(a, b replay.Growth) bool {
		return a.Call == b.Call && a.To == b.To
	})
	if same {
		return fmt.Sprint(len(h.Recorded))
	}
	return fmt.Sprintf("%d (predicted %d)", len(h.Recorded), len(h.Growths))
}

// mostNumbers bounds a list of threads or streams in a table.
const mostNumbers = 4

func numbers(list []int) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, fmt.Sprint(n))
	}
	return strings.Join(answer.First(texts, mostNumbers, ""), " ")
}

// totalLines lists the memory of all handles together under each scheme, in total and on each device.
func (r *Report) totalLines() []string {
	on := r.Targets[0].String()
	if slices.ContainsFunc(r.Recordings, func(rec *Recording) bool { return slices.Max(rec.On) > 0 }) {
		on = "the architecture of each device"
	}
	list := r.totals()
	lines := []string{fmt.Sprintf("all handles together hold at most, under each scheme on %s: %s", on,
		totalsText(list, allDevices))}
	for _, rec := range r.Recordings {
		if len(rec.Used()) == 1 {
			continue
		}
		for _, d := range rec.Used() {
			name := fmt.Sprintf("device %d", d.Number)
			if len(r.Recordings) > 1 {
				name = rec.Name + ", " + name
			}
			lines = append(lines, fmt.Sprintf("  %s, %s, %s: %s; predicted %s", name, d.Arch,
				units.Count(d.Handles, "handle"), totalsText(list, d.Number), predicted(d.Agreement)))
		}
	}
	return lines
}

// totalsText lists the totals, of a device or of all.
func totalsText(list []Total, device int) string {
	var parts []string
	for _, total := range list {
		parts = append(parts, fmt.Sprintf("%s %s", total.Scheme, targets.ShortBytes(total.peakOn(device))))
	}
	return strings.Join(parts, ", ")
}

// agreementLines describes how much of the recordings the model predicted.
func (r *Report) agreementLines() []string {
	var texts []string
	for _, rec := range r.Recordings {
		for _, d := range rec.Differences {
			texts = append(texts, fmt.Sprintf("  %s: %s: recorded %s, predicted %s", r.placeOf(rec, d.Place), d.What,
				d.Recorded, d.Predicted))
		}
		if rec.Unknown > 0 {
			texts = append(texts, fmt.Sprintf("  %s: the model does not know the needs of %s", rec.Name,
				units.Count(rec.Unknown, "call")))
		}
	}
	return append([]string{"the model predicts " + predicted(r.agreement())},
		answer.First(texts, listedLines, "  ")...)
}

func predicted(a replay.Agreement) string {
	return fmt.Sprintf("%s, %s and %s", scoreText(a.Growths, "growth", "growths"),
		scoreText(a.Statuses, "status", "statuses"), scoreText(a.Queries, "size query", "size queries"))
}

func scoreText(s replay.Score, one, several string) string {
	switch s.All {
	case 0:
		return "no " + one
	case 1:
		return fmt.Sprintf("%d of 1 %s", s.Right, one)
	}
	return fmt.Sprintf("%d of %d %s", s.Right, s.All, several)
}

// placeOf names a call of a recording.
func (r *Report) placeOf(rec *Recording, p replay.Place) string {
	name := p.Name
	if p.Outer != "" {
		name = p.Outer + ", " + name
	}
	where := fmt.Sprintf("call %d, %s, after %s", p.Call, name, p.Time.Round(time.Millisecond))
	if len(r.Recordings) > 1 {
		where = rec.Name + ": " + where
	}
	return where
}

// findings lists uses of handles that can be wrong or slow.
func (r *Report) findings() answer.Section {
	s := answer.Section{Heading: "findings", Most: mostFindings, Width: widestNote}
	for _, rec := range r.Recordings {
		for _, f := range rec.Findings {
			times := ""
			if f.Times > 1 {
				times = fmt.Sprintf(" (%d times)", f.Times)
			}
			s.List = append(s.List, fmt.Sprintf("handle %s, %s%s:\n%s", r.handleName(rec, f.Handle),
				r.placeOf(rec, f.Place), times, f.Text))
		}
		for _, h := range rec.InSeveralThreads() {
			s.List = append(s.List, fmt.Sprintf("handle %s is used in threads %s: the recording shows nothing "+
				"that orders these threads", r.handleName(rec, h.Number), numbers(h.Threads)))
		}
	}
	return s
}

// mostFindings bounds the findings in the text; JSON has all.
const mostFindings = 30
