package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"roclua/host/result"
	"roclua/luabind/record"
)

// junitSuite counts the cases of a script.
type junitSuite struct {
	name                             string
	tests, failures, errors, skipped int
	seconds                          float64
	cases                            []int          // places of the cases in the results
	overall                          []record.Check // the suite has these in place of cases
}

// writeJUnit writes the report for CI servers: a suite for each script, a test for each case. The counts come first, so
// that the cases can be written one at a time.
func writeJUnit(w io.Writer, r *Report) error {
	suites := suitesOf(r)
	all := junitSuite{name: "roclua", seconds: r.Seconds}
	for _, s := range suites {
		all.tests += s.tests
		all.failures += s.failures
		all.errors += s.errors
		all.skipped += s.skipped
	}
	x := &xmlWriter{}
	x.out.WriteString(strings.TrimSpace(xml.Header))
	x.begin("testsuites", all.attributes()...)
	for _, s := range suites {
		if err := s.write(w, x, r); err != nil {
			return err
		}
	}
	x.end("testsuites")
	x.out.WriteByte('\n')
	_, err := x.out.WriteTo(w)
	return err
}

// suitesOf counts the results by script, in the order of the first case of each.
func suitesOf(r *Report) []*junitSuite {
	var suites []*junitSuite
	index := map[string]*junitSuite{}
	for i, c := range r.Results {
		s := index[c.Script]
		if s == nil {
			s = &junitSuite{name: c.Script}
			index[c.Script], suites = s, append(suites, s)
		}
		s.cases = append(s.cases, i)
		s.tests++
		s.seconds += r.Store.SecondsAt(c, i)
		switch c.Outcome() {
		case result.Passed:
		case result.Skipped, result.KnownFailure:
			s.skipped++
		case result.Failed:
			s.failures++
		default:
			s.errors++
		}
	}
	if len(r.Overall) > 0 {
		suites = append(suites, overallSuite(r))
	}
	return suites
}

// attributes returns the name and the counts of a suite, or of all suites.
func (s *junitSuite) attributes() []string {
	return []string{"name", s.name, "tests", strconv.Itoa(s.tests), "failures", strconv.Itoa(s.failures),
		"errors", strconv.Itoa(s.errors), "skipped", strconv.Itoa(s.skipped), "time", seconds(s.seconds)}
}

// write writes a suite with its cases. The last of them may be left in x.
func (s *junitSuite) write(w io.Writer, x *xmlWriter, r *Report) error {
	x.begin("testsuite", append(s.attributes(), "timestamp", r.Started.UTC().Format("2006-01-02T15:04:05"))...)
	writeProfiles(x, r.Profiles)
	for _, i := range s.cases {
		c, err := r.Store.FullAt(r.Results[i], i)
		if err != nil {
			return err
		}
		if writeJUnitCase(x, c); x.out.Len() < chunk {
			continue
		}
		if _, err := x.out.WriteTo(w); err != nil {
			return err
		}
	}
	for _, c := range s.overall {
		x.begin("testcase", "classname", s.name, "name", c.Text, "time", seconds(0))
		if !c.Passed {
			x.element("failure", "", "message", fmt.Sprintf("have %s, want %s", c.Have, c.Want))
		}
		x.end("testcase")
	}
	x.end("testsuite")
	return nil
}

// overallSuite has a test for each expectation over several cases.
func overallSuite(r *Report) *junitSuite {
	s := &junitSuite{name: "over all cases", tests: len(r.Overall), overall: r.Overall}
	for _, c := range r.Overall {
		if !c.Passed {
			s.failures++
		}
	}
	return s
}

func writeJUnitCase(x *xmlWriter, c *result.Result) {
	x.begin("testcase", "classname", c.Script, "name", c.ID, "time", seconds(c.Record.Seconds))
	writeValues(x, c)
	switch c.Outcome() {
	case result.Passed:
	case result.Skipped:
		x.element("skipped", "", "message", c.Record.Skipped)
	case result.KnownFailure:
		x.element("skipped", "", "message", "known failure: "+c.KnownFailure)
	case result.Failed:
		writeJUnitProblem(x, "failure", c)
	default:
		writeJUnitProblem(x, "error", c)
	}
	if c.Record.Log != "" {
		x.element("system-out", c.Record.Log)
	}
	x.end("testcase")
}

// writeProfiles writes the build of each profile as a property.
func writeProfiles(x *xmlWriter, profiles []record.Profile) {
	if len(profiles) == 0 {
		return
	}
	x.begin("properties")
	for _, p := range profiles {
		x.element("property", "", "name", p.Name, "value", p.Build())
	}
	x.end("properties")
}

// writeValues writes the metrics and the note of a case as properties.
func writeValues(x *xmlWriter, c *result.Result) {
	note := c.Note()
	if len(c.Record.Metrics) == 0 && note == "" {
		return
	}
	x.begin("properties")
	for _, m := range c.Record.Metrics {
		x.element("property", "", "name", m.Name, "value", result.FormatValue(m.Value))
	}
	if note != "" {
		x.element("property", "", "name", "note", "value", note)
	}
	x.end("properties")
}

// writeJUnitProblem writes the first problem of a case as the message of an element, and all of them as its text.
func writeJUnitProblem(x *xmlWriter, tag string, c *result.Result) {
	problems := style{}.explainOne(c)
	lines := strings.SplitN(strings.TrimSpace(problems), "\n", 3)
	first := lines[0]
	if len(lines) > 1 {
		first = strings.TrimSpace(lines[1])
	}
	x.element(tag, strings.TrimPrefix(problems, "\n"), "message", first)
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
