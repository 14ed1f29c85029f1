package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"roclua/host/report/group"
)

// writeGitHub writes annotations for GitHub Actions, one for the problems of the same cases, at the script's line of
// the first problem. GitHub shows only ten annotations of a step. The summary of the step goes to the file that Actions
// names.
func writeGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, f := range group.Failures(r.Results) {
		first := f.Problems[0]
		fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", property(first.File), first.Line,
			property(casesTitle(f)), message(f.Headline()))
	}
	for _, c := range r.Overall {
		if !c.Passed {
			fmt.Fprintf(&b, "::error title=over all cases::%s\n", message(c.Text+": have "+c.Have))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil || r.SummaryFile == "" {
		return err
	}
	f, err := os.OpenFile(r.SummaryFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	summary := bufio.NewWriter(f)
	err = cmp.Or(writeMarkdown(summary, r), summary.Flush())
	if e := f.Close(); err == nil {
		err = e
	}
	return err
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

// message escapes the message of a workflow command.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a property of a workflow command.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
