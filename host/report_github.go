package host

import (
	"fmt"
	"io"
	"os"
	"strings"

	"roclua/luabind"
)

func failedCheck(c luabind.Check) bool { return !c.Passed }

// writeGitHub writes annotations for GitHub Actions, one for each case that failed, at the script's line where it is known.
// The step's summary goes to the file that Actions names.
func writeGitHub(w io.Writer, r *report) error {
	var b strings.Builder
	for _, c := range r.results {
		if !c.bad() {
			continue
		}
		file, line := c.place()
		fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", property(file), line, property(c.id), message(c.headline()))
	}
	for _, c := range r.overall {
		if !c.Passed {
			fmt.Fprintf(&b, "::error title=over all cases::%s\n", message(c.Text+": have "+c.Have))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil || r.summaryFile == "" {
		return err
	}
	f, err := os.OpenFile(r.summaryFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = writeMarkdown(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// place is the line that a failed case points to: that of its first failed check, or of its error.
func (c *result) place() (file string, line int) {
	for _, check := range c.record.Checks {
		if check.Passed {
			continue
		}
		if at := strings.LastIndexByte(check.Where, ':'); at > 0 {
			if _, err := fmt.Sscanf(check.Where[at+1:], "%d", &line); err == nil {
				return check.Where[:at], line
			}
		}
	}
	if e := c.record.End; e != nil && e.Line > 0 {
		return e.File, e.Line
	}
	return c.scenario.script.Name, 1
}

// message and property escape what Actions' commands give a meaning to.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
