package output

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// chunk is the number of bytes from which the XML of tests is passed on.
const chunk = 64 << 10

// writeJUnit writes tests for CI servers, in suites. The counts of a suite come first, so that its tests can be written
// one at a time.
func writeJUnit(w io.Writer, d Data) error {
	tests := d.(Tested).Tests()
	all := Suite{Name: "roclua", Seconds: tests.Seconds}
	for _, s := range tests.Suites {
		for state, n := range s.Counts {
			all.Counts[state] += n
		}
	}
	x := &xmlWriter{}
	x.out.WriteString(strings.TrimSpace(xml.Header))
	x.begin("testsuites", all.attributes()...)
	for _, s := range tests.Suites {
		if err := s.write(w, x, tests); err != nil {
			return err
		}
	}
	x.end("testsuites")
	x.out.WriteByte('\n')
	_, err := x.out.WriteTo(w)
	return err
}

// attributes returns the name and the counts of a suite, or of all suites.
func (s *Suite) attributes() []string {
	total := 0
	for _, n := range s.Counts {
		total += n
	}
	return []string{"name", s.Name, "tests", strconv.Itoa(total), "failures", strconv.Itoa(s.Counts[Failed]),
		"errors", strconv.Itoa(s.Counts[Errored]), "skipped", strconv.Itoa(s.Counts[Skipped] + s.Counts[Known]),
		"time", seconds(s.Seconds)}
}

// write writes a suite with its tests. The last of them may be left in x.
func (s *Suite) write(w io.Writer, x *xmlWriter, tests *Tests) error {
	attributes := s.attributes()
	if !tests.Started.IsZero() {
		attributes = append(attributes, "timestamp", tests.Started.UTC().Format("2006-01-02T15:04:05"))
	}
	x.begin("testsuite", attributes...)
	x.properties(tests.Properties)
	for _, i := range s.Tests {
		t, err := tests.Test(i)
		if err != nil {
			return err
		}
		if x.test(s.Name, t); x.out.Len() < chunk {
			continue
		}
		if _, err := x.out.WriteTo(w); err != nil {
			return err
		}
	}
	x.end("testsuite")
	return nil
}

// test writes a test of a suite.
func (x *xmlWriter) test(suite string, t *Test) {
	x.begin("testcase", "classname", suite, "name", t.Name, "time", seconds(t.Seconds))
	x.properties(t.Properties)
	switch t.State {
	case Skipped:
		x.element("skipped", "", "message", t.Reason)
	case Known:
		x.element("skipped", "", "message", "known failure: "+t.Reason)
	case Failed:
		x.element("failure", t.Problems, "message", t.Message)
	case Errored:
		x.element("error", t.Problems, "message", t.Message)
	}
	if t.Log != "" {
		x.element("system-out", t.Log)
	}
	x.end("testcase")
}

// properties writes names and values.
func (x *xmlWriter) properties(list [][2]string) {
	if len(list) == 0 {
		return
	}
	x.begin("properties")
	for _, p := range list {
		x.element("property", "", "name", p[0], "value", p[1])
	}
	x.end("properties")
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
