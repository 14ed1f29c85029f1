package report

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// writeGitHub writes annotations for GitHub Actions, one for each case that failed, at the script's line where it is
// known. The summary of the step goes to the file that Actions names.
func writeGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, c := range r.Results {
		if !c.FailsRun() {
			continue
		}
		file, line := c.Place()
		fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", property(file), line, property(c.ID),
			message(c.Headline()))
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
	err = writeMarkdown(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// message escapes the message of a workflow command.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a property of a workflow command.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
