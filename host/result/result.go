// Package result describes the results of cases as plain data: the case, its record, how it
// compares with its baseline, and the outcome that follows from these.
//
// A Result is made by the package that runs a case, or restored from the Entry that an earlier run wrote. Reports and
// event files only read it:
//
//	for _, r := range results {
//		fmt.Println(r.ID, r.Outcome(), r.Headline())
//	}
//	os.Exit(int(result.ExitCode(results, nil, nil)))
//
// The package does not depend on how cases are planned or run.
package result

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"roclua/host/baseline"
	"roclua/luabind/record"
)

// Case describes a case: a scenario on a target, under a scheme, with its parameters.
type Case struct {
	ID        string         `json:"id"`               // stable from run to run: "solve[n=64]@cpu/rocm-7.2/gfx90a"
	Scenario  string         `json:"scenario"`         // name of the scenario: "query/minimum_size"
	Script    string         `json:"script"`           // file of the scenario
	Tags      []string       `json:"tags,omitempty"`   // tags of the scenario
	Scheme    string         `json:"scheme,omitempty"` // memory scheme; absent for a scenario without
	Params    map[string]any `json:"params,omitempty"` // parameters that were set for this case, and keys of faults
	Platform  string         `json:"platform"`         // cpu, nvidia or amd
	Profile   string         `json:"profile"`          // library release that it reproduces
	RocBLAS   string         `json:"rocblas"`          // version of rocBLAS in that release
	RocSOLVER string         `json:"rocsolver"`        // version of rocSOLVER in that release
	Arch      string         `json:"arch"`             // architecture that the device reports; gfx90a*2 for two

	KnownFailure string `json:"known_failure,omitempty"` // why it is known to fail

	About         string `json:"-"` // one line about the scenario
	Source        string `json:"-"` // document that it reproduces
	InjectsFaults bool   `json:"-"` // some of its allocations are planned to fail
	FailsIfFlaky  bool   `json:"-"` // it fails the run also when it passes after it had failed
}

// Label returns the scenario's name and the parameters of the case: "solve n=64 type=d".
func (c *Case) Label() string {
	return strings.TrimSpace(c.Scenario + " " + c.ParamText())
}

// ParamText returns the parameters of the case: "n=64 type=d".
func (c *Case) ParamText() string {
	var space [8]string
	names := slices.AppendSeq(space[:0], maps.Keys(c.Params))
	slices.Sort(names)
	b := make([]byte, 0, 64)
	for i, name := range names {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(append(append(b, name...), '='), FormatValue(c.Params[name])...)
	}
	return string(b)
}

// Result is a case that has ended, with its record.
type Result struct {
	*Case
	Record  *record.Record
	Started time.Time
	Changes []baseline.Change // differences from the baseline

	PassedUnexpectedly bool // it is listed as a known failure, but passed
	HistoryMissing     bool // Record.History was not kept

	stored *stored // where the whole record is, when a Store took it; else nil
}

// CheckKnownFailure turns a case that passed although it is listed as a known failure into one that failed.
func (r *Result) CheckKnownFailure() {
	if r.KnownFailure != "" && r.Outcome() == Passed {
		r.Record.Problems = append(r.Record.Problems, known+r.KnownFailure)
		r.PassedUnexpectedly = true
	}
}

// known is how the problem of a case begins that passed although it is listed as a known failure.
const known = "it passes, but is listed as a known failure: "

// UncheckKnownFailure undoes CheckKnownFailure, so that the case can be compared with its baseline.
func (r *Result) UncheckKnownFailure() {
	if n := len(r.Record.Problems); r.PassedUnexpectedly && n > 0 && strings.HasPrefix(r.Record.Problems[n-1], known) {
		r.Record.Problems = r.Record.Problems[:n-1]
	}
	r.PassedUnexpectedly = false
}

// Note returns a caveat about a passed case; "" for none. A case that was to test an injected fault
// passes without a test when it makes too few allocations.
func (r *Result) Note() string {
	if n := len(r.Record.Retried); n > 0 && r.Outcome() == Flaky {
		return fmt.Sprintf("flaky: passed in attempt %d", n+1)
	}
	if r.InjectsFaults && r.Outcome() == Passed && r.Record.Stats.Injected == 0 {
		return "nothing was injected"
	}
	return ""
}

// longestHeadline is the most bytes of a headline. Reports repeat it next to the whole text.
const longestHeadline = 1000

// Headline returns the first problem of the case on one line, or why it was skipped or is known to fail; "" when it
// passed.
func (r *Result) Headline() string {
	text, left := r.headline(), longestHeadline
	return shorten(text, &left)
}

func (r *Result) headline() string {
	switch r.Outcome() {
	case Passed:
		return ""
	case Skipped:
		return r.Record.Skipped
	case KnownFailure:
		return r.KnownFailure
	case Flaky:
		return r.Record.Retried[0]
	}
	for _, check := range r.Record.Checks {
		if !check.Passed {
			return fmt.Sprintf("%s: %s: have %s, want %s", check.Where, check.Text, check.Have, check.Want)
		}
	}
	switch {
	case r.Record.End != nil:
		return firstLine(r.Record.End.String())
	case len(r.Record.Problems) > 0:
		return firstLine(r.Record.Problems[0])
	case len(r.Changes) > 1:
		return fmt.Sprintf("%s, and %d more", r.Changes[0], len(r.Changes)-1)
	case len(r.Changes) > 0:
		return r.Changes[0].String()
	}
	return string(r.Outcome())
}

// ParsePlace reads a line of a script, as checks name it: "solve.lua:12".
func ParsePlace(where string) (file string, line int, ok bool) {
	at := strings.LastIndexByte(where, ':')
	if at <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(where[at+1:])
	return where[:at], line, err == nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
