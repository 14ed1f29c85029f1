package output

import (
	"encoding/xml"
	"io"
	"strconv"
)

// The elements of JUnit's XML.
type (
	junitTest struct {
		XMLName    struct{}         `xml:"testcase"`
		Suite      string           `xml:"classname,attr"`
		Name       string           `xml:"name,attr"`
		Time       string           `xml:"time,attr"`
		Properties *junitProperties `xml:"properties"`
		Skipped    *junitProblem    `xml:"skipped"`
		Failure    *junitProblem    `xml:"failure"`
		Error      *junitProblem    `xml:"error"`
		Log        *junitText       `xml:"system-out"`
	}
	junitProperties struct {
		XMLName struct{}        `xml:"properties"`
		List    []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

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
	io.WriteString(w, xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	root := all.element("testsuites")
	if err := e.EncodeToken(root); err != nil {
		return err
	}
	for _, s := range tests.Suites {
		if err := s.write(e, tests); err != nil {
			return err
		}
	}
	if err := e.EncodeToken(root.End()); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// element begins an element with the name and the counts of a suite, or of all suites.
func (s *Suite) element(tag string) xml.StartElement {
	total := 0
	for _, n := range s.Counts {
		total += n
	}
	start := xml.StartElement{Name: xml.Name{Local: tag}}
	for _, a := range [][2]string{{"name", s.Name}, {"tests", strconv.Itoa(total)},
		{"failures", strconv.Itoa(s.Counts[Failed])}, {"errors", strconv.Itoa(s.Counts[Errored])},
		{"skipped", strconv.Itoa(s.Counts[Skipped] + s.Counts[Known])}, {"time", seconds(s.Seconds)}} {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: a[0]}, Value: a[1]})
	}
	return start
}

func (s *Suite) write(e *xml.Encoder, tests *Tests) error {
	start := s.element("testsuite")
	if !tests.Started.IsZero() {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: "timestamp"},
			Value: tests.Started.UTC().Format("2006-01-02T15:04:05")})
	}
	if err := e.EncodeToken(start); err != nil {
		return err
	}
	if p := propertiesOf(tests.Properties); p != nil {
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	for _, i := range s.Tests {
		t, err := tests.Test(i)
		if err == nil {
			err = e.Encode(t.junit(s.Name))
		}
		if err != nil {
			return err
		}
	}
	return e.EncodeToken(start.End())
}

func (t *Test) junit(suite string) *junitTest {
	x := &junitTest{Suite: suite, Name: t.Name, Time: seconds(t.Seconds), Properties: propertiesOf(t.Properties)}
	switch t.State {
	case Skipped:
		x.Skipped = &junitProblem{Message: t.Reason}
	case Known:
		x.Skipped = &junitProblem{Message: "known failure: " + t.Reason}
	case Failed:
		x.Failure = &junitProblem{t.Message, t.Problems}
	case Errored:
		x.Error = &junitProblem{t.Message, t.Problems}
	}
	if t.Log != "" {
		x.Log = &junitText{t.Log}
	}
	return x
}

// propertiesOf returns the element of names and values; nil if there are none.
func propertiesOf(list [][2]string) *junitProperties {
	if len(list) == 0 {
		return nil
	}
	p := &junitProperties{}
	for _, of := range list {
		p.List = append(p.List, junitProperty{of[0], of[1]})
	}
	return p
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
