package output

import (
	"io"
	"time"

	"roclua/host/answer"
)

// Kind says what data have. A format writes data of its kind and of those below it.
type Kind int

// The kinds of data.
const (
	General Kind = iota // text, Markdown, a page, a document and a table
	Checked             // also tests and failures
	Cases               // also the calls of cases over time
)

// command is a command with --out.
type command struct {
	name string
	kind Kind // of its data
}

// formats lists the names of its formats, sorted.
func (c command) formats() (names []string) {
	for _, f := range Formats {
		if f.Kind <= c.kind {
			names = append(names, f.Name)
		}
	}
	return names
}

var commands = []command{
	{"run", Cases}, {"merge", Cases}, {"size", General}, {"log", Checked}, {"import", Checked}, {"compare", Checked},
	{"verify", Checked}, {"list", General}, {"list --functions", General}, {"inspect", General},
	{"gemm", General}, {"plan", Checked}, {"defects", General}, {"calibrate", General},
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

	Test func(i int) (*Test, error) // test i, from 0
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
	return &Tests{Suites: suites, Count: len(list), Test: func(i int) (*Test, error) { return list[i], nil }}
}
