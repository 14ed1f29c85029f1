package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"roclua/host/result"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`
	seconds   float64
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

// writeJUnit writes the report for CI servers: a suite for each script, a test for each case.
func writeJUnit(w io.Writer, r *Report) error {
	suites := junitSuites{Name: "roclua", Time: seconds(r.Seconds)}
	index := map[string]int{}
	for _, c := range r.Results {
		script := c.Script
		i, ok := index[script]
		if !ok {
			i = len(suites.Suites)
			index[script] = i
			suites.Suites = append(suites.Suites, junitSuite{Name: script,
				Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05")})
		}
		suites.Suites[i].add(c)
	}
	if len(r.Overall) > 0 {
		suites.Suites = append(suites.Suites, overallSuite(r))
	}
	for i := range suites.Suites {
		s := &suites.Suites[i]
		s.Time = seconds(s.seconds)
		suites.Tests += s.Tests
		suites.Failures += s.Failures
		suites.Errors += s.Errors
		suites.Skipped += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// overallSuite has a test for each expectation over several cases.
func overallSuite(r *Report) junitSuite {
	s := junitSuite{Name: "over all cases", Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05")}
	for _, c := range r.Overall {
		j := junitCase{Class: "over all cases", Name: c.Text, Time: seconds(0)}
		s.Tests++
		if !c.Passed {
			s.Failures++
			j.Failure = &junitMessage{Message: fmt.Sprintf("have %s, want %s", c.Have, c.Want)}
		}
		s.Cases = append(s.Cases, j)
	}
	return s
}

func (s *junitSuite) add(c *result.Result) {
	j := junitCase{Class: c.Script, Name: c.ID, Time: seconds(c.Record.Seconds),
		Properties: caseProperties(c)}
	if c.Record.Log != "" {
		j.Out = &junitText{c.Record.Log}
	}
	s.Tests++
	s.seconds += c.Record.Seconds
	switch c.Outcome() {
	case result.Passed:
	case result.Skipped:
		s.Skipped++
		j.Skipped = &junitMessage{Message: c.Record.Skipped}
	case result.KnownFailure:
		s.Skipped++
		j.Skipped = &junitMessage{Message: "known failure: " + c.KnownFailure}
	case result.Failed:
		s.Failures++
		j.Failure = junitProblem(c)
	default:
		s.Errors++
		j.Error = junitProblem(c)
	}
	s.Cases = append(s.Cases, j)
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
	problems := style{}.explain([]*result.Result{c})
	lines := strings.SplitN(strings.TrimSpace(problems), "\n", 3)
	first := lines[0]
	if len(lines) > 1 {
		first = strings.TrimSpace(lines[1])
	}
	return &junitMessage{Message: first, Text: strings.TrimPrefix(problems, "\n")}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
