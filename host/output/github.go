package output

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"roclua/internal/atomicfile"
	"roclua/internal/escape"
)

// writeGitHub writes an annotation for GitHub Actions for each failure, at the line of the script if it is known.
// GitHub shows only ten annotations of a step.
func writeGitHub(w io.Writer, d Data) error {
	var b strings.Builder
	for _, f := range d.(Tested).Failures() {
		b.WriteString("::error ")
		if f.File != "" {
			fmt.Fprintf(&b, "file=%s,line=%d,", escape.Property(f.File), f.Line)
		}
		fmt.Fprintf(&b, "title=%s::%s\n", escape.Property(f.Title), escape.Message(f.Headline))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSummary appends the data as Markdown to the file of the summary of the step.
func writeSummary(d Data, to Destination) error {
	var b bytes.Buffer
	escaped := escape.Plain(&b)
	err := cmp.Or(writeMarkdown(escaped, d), escaped.Flush())
	if err == nil {
		err = atomicfile.Append(to.System, to.Summary, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("the summary of the step: %w", err)
	}
	return nil
}
