package output

import (
	"io"
	"time"

	"roclua/host/answer"
)

// Kind is a kind of data. A format declares which kinds it writes.
type Kind string

// The kinds of data.
const (
	Cases         Kind = "cases"
	Sizes         Kind = "sizes"
	Logs          Kind = "logs"
	Comparisons   Kind = "comparisons"
	Verifications Kind = "verifications"
	Functions     Kind = "functions"
	Scenarios     Kind = "scenarios"
	Plans         Kind = "plans"
	Products      Kind = "products"
	Memory        Kind = "memory"
	Defects       Kind = "defects"
	Calibrations  Kind = "calibrations"
)

// commands are the commands with --out, by their data.
var commands = []struct {
	name string
	kind Kind
}{
	{"run", Cases}, {"merge", Cases}, {"size", Sizes}, {"log", Logs}, {"import", Logs}, {"compare", Comparisons},
	{"verify", Verifications}, {"list", Scenarios}, {"list --functions", Functions}, {"inspect", Plans},
	{"gemm", Products}, {"plan", Memory}, {"defects", Defects}, {"calibrate", Calibrations},
}

// Data is the answer of a command.
type Data interface {
	Title() string          // one line without markup
	Document() (any, error) // for JSON: a value with json tags, or a Stream
	Table() (Table, error)  // one row for each item
}

// Stream is a JSON document that writes itself, because it can be larger than memory.
type Stream func(io.Writer) error

// Answered is data whose text, Markdown and page are written from sections: all but the report of a run.
type Answered interface {
	Sections() (*answer.Answer, error)
}

// Reported is data with its own text and Markdown.
type Reported interface {
	WriteText(io.Writer) error
	WriteMarkdown(io.Writer) error
}

// Paged is data with its own page.
type Paged interface {
	WriteHTML(io.Writer) error
}

// Traced is data with calls over time.
type Traced interface {
	WriteTrace(io.Writer) error
}

// Placed is data that differ by where they are written.
type Placed interface {
	On(o Output) Data // nil if there is nothing to write
}

// Colored is data whose text can have colors.
type Colored interface {
	HasColor() bool
}

// Tested is data whose items pass or fail.
type Tested interface {
	Tests() *Tests
	Failures() []Failure // failures and their reasons; nil for none
}

// Failure is a reason why a command does not succeed.
type Failure struct {
	Title    string `json:"title"`          // the case that failed, or the number of several and the first ones
	File     string `json:"file,omitempty"` // script; absent if there is none
	Line     int    `json:"line,omitempty"` // line of the script, from 1
	Headline string `json:"headline"`       // why, in one line
}

// Table is data as rows of cells.
type Table struct {
	Columns []string
	Rows    func(add func(row []string) error) error // calls add for each row, which is valid until add returns
}

// TableOf returns a table of rows that are in memory.
func TableOf(columns []string, rows [][]string) Table {
	return Table{columns, func(add func(row []string) error) error {
		for _, row := range rows {
			if err := add(row); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Tests are the items of data as tests, for the formats of CI systems.
type Tests struct {
	Started    time.Time   // zero if it is not known
	Seconds    float64     // wall time
	Comments   []string    // the case and its target
	Properties [][2]string // the case and its target, as names and values
	Suites     []*Suite    // groups of tests
	Count      int         // of all tests

	Test func(i int) (*Test, error)               // test i, from 0
	Each func(f func(i int, t *Test) error) error // all tests, in their order
}

// Suite is a group of tests.
type Suite struct {
	Name    string
	Tests   []int // by number
	Seconds float64
	Counts  [StateCount]int
}

// Add adds a test to a suite.
func (s *Suite) Add(number int, state State, seconds float64) {
	s.Tests = append(s.Tests, number)
	s.Counts[state]++
	s.Seconds += seconds
}

// State is how a test ended.
type State int

// The states of tests.
const (
	Passed  State = iota
	Failed        // a check failed
	Errored       // it ended with an error
	Skipped
	Known // it is known to fail
	StateCount
)

// Test is an item that passed or failed.
type Test struct {
	Name       string
	State      State
	Seconds    float64
	Reason     string      // why it was skipped, or is known to fail
	Outcome    string      // in a word; "" if the state says all
	Headline   string      // of a test that did not pass: why, in one line
	Message    string      // as Headline, or the first problem of several
	Problems   string      // all problems; "" if the message says all
	Have       string      // value that was tested; "" for none
	Note       string      // remark that does not change the state
	Properties [][2]string // measured values by name
	Log        string      // its output
}

// TestsOf returns tests that are in memory, with their suites.
func TestsOf(list []*Test, suites []*Suite) *Tests {
	return &Tests{Suites: suites, Count: len(list),
		Test: func(i int) (*Test, error) { return list[i], nil },
		Each: func(f func(i int, t *Test) error) error {
			for i, t := range list {
				if err := f(i, t); err != nil {
					return err
				}
			}
			return nil
		}}
}
