package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"roclua/host/report/group"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
)

// writeGitHub writes annotations for GitHub Actions, one for the problems of the same cases, at the script's line of
// the first problem. GitHub shows only ten annotations of a step.
func writeGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, f := range group.Failures(r.Results) {
		first := f.Problems[0]
		fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", escape.Property(first.File), first.Line,
			escape.Property(casesTitle(f)), escape.Message(f.Headline()))
	}
	for _, c := range r.Overall {
		if !c.Passed {
			fmt.Fprintf(&b, "::error title=over all cases::%s\n", escape.Message(c.Text+": have "+c.Have))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSummary appends the summary of the step to the file that Actions names.
func (r *Report) writeSummary(s atomicfile.System) error {
	var b bytes.Buffer
	escaped := escape.Plain(&b)
	err := cmp.Or(writeMarkdown(escaped, r), escaped.Flush())
	if err == nil {
		err = atomicfile.Append(s, r.SummaryFile, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("the summary of the step: %w", err)
	}
	return nil
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
