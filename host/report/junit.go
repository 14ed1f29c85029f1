package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"roclua/host/result"
)

// junitSuite counts the cases of a script.
type junitSuite struct {
	name                             string
	tests, failures, errors, skipped int
	seconds                          float64
	cases                            []int // places of the cases in the results
	overall                          []junitCase
}

type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	Time       string           `xml:"time,attr"`
	Properties *junitProperties `xml:"properties"`
	Failure    *junitMessage    `xml:"failure"`
	Error      *junitMessage    `xml:"error"`
	Skipped    *junitMessage    `xml:"skipped"`
	Out        *junitText       `xml:"system-out"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
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
	io.WriteString(w, xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.EncodeToken(all.start("testsuites")); err != nil {
		return err
	}
	for _, s := range suites {
		if err := s.write(e, r); err != nil {
			return err
		}
	}
	if err := e.EncodeToken(xml.EndElement{Name: xml.Name{Local: "testsuites"}}); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
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

// start returns the first tag of a suite, or of all suites.
func (s *junitSuite) start(tag string, more ...xml.Attr) xml.StartElement {
	attribute := func(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }
	number := func(name string, n int) xml.Attr { return attribute(name, strconv.Itoa(n)) }
	return xml.StartElement{Name: xml.Name{Local: tag}, Attr: append([]xml.Attr{attribute("name", s.name),
		number("tests", s.tests), number("failures", s.failures), number("errors", s.errors),
		number("skipped", s.skipped), attribute("time", seconds(s.seconds))}, more...)}
}

// write writes a suite with its cases.
func (s *junitSuite) write(e *xml.Encoder, r *Report) error {
	start := s.start("testsuite", xml.Attr{Name: xml.Name{Local: "timestamp"},
		Value: r.Started.UTC().Format("2006-01-02T15:04:05")})
	if err := e.EncodeToken(start); err != nil {
		return err
	}
	if p := suiteProperties(r); p != nil {
		if err := e.EncodeElement(p, xml.StartElement{Name: xml.Name{Local: "properties"}}); err != nil {
			return err
		}
	}
	tag := xml.StartElement{Name: xml.Name{Local: "testcase"}}
	for _, i := range s.cases {
		c, err := r.Store.FullAt(r.Results[i], i)
		if err == nil {
			err = e.EncodeElement(newJUnitCase(c), tag)
		}
		if err != nil {
			return err
		}
	}
	for _, c := range s.overall {
		if err := e.EncodeElement(c, tag); err != nil {
			return err
		}
	}
	return e.EncodeToken(start.End())
}

// overallSuite has a test for each expectation over several cases.
func overallSuite(r *Report) *junitSuite {
	s := &junitSuite{name: "over all cases", tests: len(r.Overall)}
	for _, c := range r.Overall {
		j := junitCase{Class: "over all cases", Name: c.Text, Time: seconds(0)}
		if !c.Passed {
			s.failures++
			j.Failure = &junitMessage{Message: fmt.Sprintf("have %s, want %s", c.Have, c.Want)}
		}
		s.overall = append(s.overall, j)
	}
	return s
}

func newJUnitCase(c *result.Result) junitCase {
	j := junitCase{Class: c.Script, Name: c.ID, Time: seconds(c.Record.Seconds),
		Properties: caseProperties(c)}
	if c.Record.Log != "" {
		j.Out = &junitText{c.Record.Log}
	}
	switch c.Outcome() {
	case result.Passed:
	case result.Skipped:
		j.Skipped = &junitMessage{Message: c.Record.Skipped}
	case result.KnownFailure:
		j.Skipped = &junitMessage{Message: "known failure: " + c.KnownFailure}
	case result.Failed:
		j.Failure = junitProblem(c)
	default:
		j.Error = junitProblem(c)
	}
	return j
}

// suiteProperties returns the build of each profile as a property, nil when the run has none.
func suiteProperties(r *Report) *junitProperties {
	p := &junitProperties{}
	for _, profile := range r.profiles() {
		p.List = append(p.List, junitProperty{profile.Name, profile.Build()})
	}
	if p.List == nil {
		return nil
	}
	return p
}

// caseProperties returns the metrics and the note of a case as properties, nil when it has none.
func caseProperties(c *result.Result) *junitProperties {
	p := &junitProperties{}
	for _, m := range c.Record.Metrics {
		p.List = append(p.List, junitProperty{m.Name, result.FormatValue(m.Value)})
	}
	if note := c.Note(); note != "" {
		p.List = append(p.List, junitProperty{"note", note})
	}
	if p.List == nil {
		return nil
	}
	return p
}

// junitProblem has the first problem of a case as its message, and all of them as its text.
func junitProblem(c *result.Result) *junitMessage {
	problems := style{}.explainOne(c)
	lines := strings.SplitN(strings.TrimSpace(problems), "\n", 3)
	first := lines[0]
	if len(lines) > 1 {
		first = strings.TrimSpace(lines[1])
	}
	return &junitMessage{Message: first, Text: strings.TrimPrefix(problems, "\n")}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
