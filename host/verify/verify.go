// Package verify compares the model with the rocBLAS and rocSOLVER of this machine: it draws size queries, calls with
// valid and invalid arguments, and sequences of operations on a handle, and runs them on both. The libraries run in
// another process, so that a crash is a difference. That process draws the same cases from the same seed.
package verify

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/exit"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// Run compares, and returns a report. It returns an error if the library cannot be run, ctx has ended, or a result
// cannot be recorded.
func Run(ctx context.Context, o Options) (*Report, error) {
	v := &verifier{Options: o, report: newReport(o), model: newModel(o.Profile, o.Library),
		library: library{start: o.Process}}
	defer v.library.close()
	number := 0
	for c := range o.cases() {
		if number = c.number; o.Only > 0 && number != o.Only {
			continue
		}
		if err := v.compare(ctx, c); err != nil {
			return nil, err
		}
	}
	if o.Only > number {
		return nil, exit.With(exit.Nothing, fmt.Errorf("--only %d: there are %d cases", o.Only, number))
	}
	var err error
	if v.report.Differing() > 0 {
		v.report.Better, err = v.betterFit()
	}
	return v.report, err
}

// verifier runs a comparison.
type verifier struct {
	Options
	model   *model
	library library
	report  *Report
	seen    []compared // queries and calls, for other releases
}

// compared is a query or a call with the library's results.
type compared struct {
	ops   []*sequence.Operation
	have  []sequence.Result
	loose bool
}

// disagreement is an operation with different results.
type disagreement struct {
	op         *sequence.Operation
	want, have string // results of the model and of the library
}

// aborts is the recorded status of an operation during which the library ended the process.
const aborts = "aborts"

// compare runs a case on the model and on the library, compares the results, and records the library's.
func (v *verifier) compare(ctx context.Context, c *testCase) error {
	isSingle := c.call != nil
	if isSingle {
		outcomes, err := v.model.run(c.ops)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(outcomes, func(o outcome) bool { return o.aborts || o.unknown && v.Compare }) {
			v.report.count(c, unmodelled)
			return nil
		}
	}
	asked, want, err := v.model.askable(c.kind, c.ops, v.Compare)
	if err != nil {
		return err
	}
	have, ended, err := v.library.run(ctx, c, asked)
	if err != nil {
		return err
	}
	ops := pick(c.ops, asked)
	if v.Only > 0 {
		v.report.addSteps(ops, want, have, ended)
	}
	if isSingle && slices.ContainsFunc(have, func(r sequence.Result) bool { return r.Absent }) {
		v.report.count(c, absent)
		return nil
	}
	ends := len(have) < len(ops)
	if last := len(want) - 1; ends && v.Compare && len(have) == last && want[last].aborts {
		have, ends = append(have, sequence.Result{Status: aborts}), false
		want[last].Status = aborts
	}
	switch {
	case !v.Compare && ends:
		v.report.count(c, crashed)
	case !v.Compare:
		v.report.count(c, recorded)
	default:
		v.judge(c, ops, want, have, ended)
	}
	if isSingle && ends {
		return nil
	}
	return v.Recorder.record(c, ops, have, v.model.device.Archs)
}

// judge compares the results of a case.
func (v *verifier) judge(c *testCase, ops []*sequence.Operation, want []outcome, have []sequence.Result, ended string) {
	loose := false
	for i, op := range ops {
		switch {
		case i == len(have):
			v.report.add(c, differs, &disagreement{op, want[i].String(), ended})
			return
		case want[i].aborts && have[i].Status != aborts:
			v.report.add(c, differs, &disagreement{op, aborts, have[i].String()})
			return
		case op.IsCreate() && sameButMemory(want[i].Result, have[i]):
			if !loose {
				v.report.handles++
				v.report.show(c, &disagreement{op, want[i].String(), have[i].String()}, true)
			}
			loose = true
		case !want[i].unknown && !have[i].Absent && !same(want[i].Result, have[i], loose):
			subject := op
			if op.StopsQuery() { // the difference of a size is about the routine
				for _, before := range ops[:i] {
					if before.Call != nil {
						subject = before
					}
				}
			}
			v.report.add(c, differs, &disagreement{subject, want[i].String(), have[i].String()})
			v.see(c, ops, have, loose)
			return
		}
	}
	v.report.count(c, agrees)
	v.see(c, ops, have, loose)
}

// mostSeen bounds the queries and calls that are compared with other releases.
const mostSeen = 10_000

func (v *verifier) see(c *testCase, ops []*sequence.Operation, have []sequence.Result, loose bool) {
	if c.call != nil && len(v.seen) < mostSeen {
		v.seen = append(v.seen, compared{ops, have, loose})
	}
}

// same reports whether two results are equal. After a new handle whose memory differs, memory and allocations differ in
// every operation: loose compares only statuses and values, so that this difference hides no other.
func same(want, have sequence.Result, loose bool) bool {
	if loose {
		return want.Status == have.Status && want.Value == have.Value
	}
	return want.Same(have)
}

// sameButMemory reports whether the results of two handles being created differ only in the memory of the handle.
func sameButMemory(want, have sequence.Result) bool {
	other := have
	other.Held, other.Calls = want.Held, want.Calls
	return want.Status == "success" && !want.Same(have) && want.Same(other)
}

func firstWord(text string) string {
	if i := strings.IndexAny(text, " ,"); i >= 0 {
		return text[:i]
	}
	return text
}

// Platform is the platform of the compared libraries.
const Platform = "amd"

// Kind is a kind of comparison.
type Kind string

// The kinds. A size query is a query with one call. A call is executed, with valid or invalid arguments. A
// sequence has 40 to 80 operations on one handle. A capture has one operation while a stream is captured. Layers are
// sequences of hipSOLVER and hipBLAS calls.
const (
	Queries   Kind = "queries"
	Calls     Kind = "calls"
	Sequences Kind = "sequences"
	Captures  Kind = "captures"
	Layers    Kind = "layers"
)

// Kinds are all kinds, in the order of comparison.
var Kinds = []Kind{Queries, Calls, Sequences, Captures, Layers}

// DefaultKinds are the kinds compared by default.
var DefaultKinds = []Kind{Queries, Calls, Sequences}

// Options select the comparisons and the library.
type Options struct {
	Library  driver.Report // the libraries found; it has a device
	Profile  *workspace.Profile
	Compare  bool // false only records the results of the library
	Routines []*routine.Routine
	Layers   []*routine.Routine // of hipSOLVER and hipBLAS
	Kinds    []Kind
	Devices  int // each with a handle
	Seed     uint64
	Count    int       // queries, as many calls, a twentieth as many sequences, and as many drawn captured calls
	Only     int       // number of the only case that is compared, from 1; 0 compares all
	Command  string    // command line that compares all cases
	Recorder *Recorder // records the results of the library; nil for none

	// Process returns a command that calls Serve with its standard input, the file 3, and these options.
	Process func(context.Context) (*exec.Cmd, error)
}
