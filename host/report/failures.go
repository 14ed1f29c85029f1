package report

import (
	"fmt"

	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/internal/units"
)

// reason is why the run does not pass. Every format for people and CI systems shows all reasons.
type reason struct {
	outcome  string
	ids      []string       // cases; nil for a reason over all cases
	problems *group.Failure // that the cases have; nil if the run does not have these cases
	headline string
}

// reasons lists why the run does not pass: problems, with one reason for equal cases, expectations over several
// cases, cases of baselines that the run does not have, and that nothing ran. A run passes that has none.
func (r *Report) reasons() []reason {
	var list []reason
	for _, f := range group.Failures(r.Results) {
		list = append(list, reason{string(f.Outcome), f.IDs(), f, f.Headline()})
	}
	for _, c := range r.Overall {
		if !c.Passed {
			list = append(list, reason{outcome: string(result.Failed), headline: c.Text + ": have " + c.Have})
		}
	}
	if ids := r.goneIDs(); len(ids) > 0 {
		list = append(list, reason{outcome: "gone", ids: ids, headline: isGone})
	}
	if r.Exit == exit.Nothing {
		list = append(list, reason{outcome: string(result.Skipped), headline: r.nothingRan()})
	}
	return list
}

// nothingRan explains why every case was skipped.
func (r *Report) nothingRan() string {
	reasons := map[string]bool{}
	for _, c := range r.Results {
		reasons[c.Record.Skipped] = true
	}
	text := "every case was skipped: " + r.Results[0].Record.Skipped
	if others := len(reasons) - 1; others > 0 {
		text += ", and " + units.Count(others, "other reason")
	}
	return text
}

// isGone describes cases of baselines that the run does not have.
const isGone = "in a baseline, but not in the run; roclua run --update removes it"

// Failures lists the reasons why the run does not pass, at the script's line of the first problem.
func (r *Report) Failures() []output.Failure {
	var list []output.Failure
	for _, why := range r.reasons() {
		f := output.Failure{Title: why.title(), Headline: why.headline}
		if why.problems != nil {
			first := why.problems.Problems[0]
			f.File, f.Line = first.File, first.Line
		}
		list = append(list, f)
	}
	return list
}

// title names the case, or the first cases and the number of all.
func (r *reason) title() string {
	if r.ids == nil {
		return overAll
	}
	names := group.Names(r.ids)
	if len(r.ids) == 1 {
		return names[0].Text
	}
	title := fmt.Sprintf("%d cases: %s", len(r.ids), names[0].Text)
	if len(names) > 1 {
		title += ", …"
	}
	return title
}

// overAll is the title of a reason over all cases.
const overAll = "over all cases"
