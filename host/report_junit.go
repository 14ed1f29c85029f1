package host

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
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
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
	Out     *junitText    `xml:"system-out"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// writeJUnit writes the report for CI servers: a suite for each script, a test for each case.
func writeJUnit(w io.Writer, r *report) error {
	suites := junitSuites{Name: "roclua", Time: seconds(r.seconds)}
	index := map[string]int{}
	for _, c := range r.results {
		script := c.scenario.script.Name
		i, ok := index[script]
		if !ok {
			i = len(suites.Suites)
			index[script] = i
			suites.Suites = append(suites.Suites, junitSuite{Name: script, Timestamp: r.started.UTC().Format("2006-01-02T15:04:05")})
		}
		suites.Suites[i].add(c)
	}
	if len(r.overall) > 0 {
		suites.Suites = append(suites.Suites, r.overallSuite())
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

// overallSuite holds what was expected over several cases, a case each.
func (r *report) overallSuite() junitSuite {
	s := junitSuite{Name: "over all cases", Timestamp: r.started.UTC().Format("2006-01-02T15:04:05")}
	for _, c := range r.overall {
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

func (s *junitSuite) add(c *result) {
	j := junitCase{Class: c.scenario.script.Name, Name: c.id, Time: seconds(c.record.Seconds)}
	if c.record.Log != "" {
		j.Out = &junitText{c.record.Log}
	}
	s.Tests++
	s.seconds += c.record.Seconds
	switch c.outcome() {
	case passed:
	case skippedCase:
		s.Skipped++
		j.Skipped = &junitMessage{Message: c.record.Skipped}
	case knownFailure:
		s.Skipped++
		j.Skipped = &junitMessage{Message: "known failure: " + c.known}
	case failed:
		s.Failures++
		j.Failure = c.message()
	default:
		s.Errors++
		j.Error = c.message()
	}
	s.Cases = append(s.Cases, j)
}

// message has the first thing that went wrong, and all of it below.
func (c *result) message() *junitMessage {
	var b strings.Builder
	(&report{}).explain(&b, c)
	lines := strings.SplitN(strings.TrimSpace(b.String()), "\n", 3)
	first := lines[0]
	if len(lines) > 1 {
		first = strings.TrimSpace(lines[1])
	}
	return &junitMessage{Message: first, Text: strings.TrimPrefix(b.String(), "\n")}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// finite writes the numbers that JSON has no form for as text.
func finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return fmt.Sprint(f)
	}
	return v
}
