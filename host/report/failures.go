package report

import (
	"fmt"

	"roclua/host/output"
	"roclua/host/report/group"
)

// Failures lists what failed, one failure for the problems of the same cases, at the script's line of the first
// problem.
func (r *Report) Failures() []output.Failure {
	var list []output.Failure
	for _, f := range group.Failures(r.Results) {
		first := f.Problems[0]
		list = append(list, output.Failure{Title: casesTitle(f), File: first.File, Line: first.Line,
			Headline: f.Headline()})
	}
	for _, c := range r.Overall {
		if !c.Passed {
			list = append(list, output.Failure{Title: "over all cases", Headline: c.Text + ": have " + c.Have})
		}
	}
	return list
}

// casesTitle names the case, or the first cases and the number of all.
func casesTitle(f *group.Failure) string {
	names := group.Names(f.IDs())
	if len(f.Cases) == 1 {
		return names[0].Text
	}
	title := fmt.Sprintf("%d cases: %s", len(f.Cases), names[0].Text)
	if len(names) > 1 {
		title += ", …"
	}
	return title
}
