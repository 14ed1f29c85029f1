// Package exit defines the exit codes of the program and attaches them to errors.
//
// An error that determines the exit code carries it:
//
//	return exit.With(exit.Unavailable, err)
//
// The command line reads it with Of. An error without a code is a usage error.
package exit

import "errors"

// Code is an exit code of the program.
type Code int

// The exit codes. Codes lists them, Meaning describes each.
const (
	Pass        Code = 0
	Failed      Code = 1
	Usage       Code = 2
	Baseline    Code = 3
	Unavailable Code = 4
	Script      Code = 5
	Timeout     Code = 6
	Nothing     Code = 7
	Defect      Code = 70
	Interrupted Code = 130
)

// Codes lists the exit codes in ascending order.
var Codes = []Code{Pass, Failed, Usage, Baseline, Unavailable, Script, Timeout, Nothing, Defect, Interrupted}

var reasons = map[Code]struct{ short, meaning string }{
	Pass: {"passed", "everything passed"},
	Failed: {"failed",
		"a check or an expectation failed, something leaked, the library would have aborted, a worker died, or a " +
			"case was flaky with --fail-on-flaky"},
	Usage: {"usage or configuration",
		"the command line, the configuration, a script's syntax or table, or a file is wrong; or an output could not " +
			"be written"},
	Baseline: {"baseline mismatch",
		"a value differs from its baseline, a case of a baseline is missing, or compare found a difference"},
	Unavailable: {"platform not available", "the platform, its library or its device was not found"},
	Script:      {"script error", "a script raised an error that nothing caught"},
	Timeout: {"timeout or another limit",
		"a case ran out of time, or reached another limit: instructions, memory, output"},
	Nothing: {"nothing ran",
		"no case matches the names, filters and tags, every case was skipped, nothing was compared, or the log has " +
			"no recognizable call"},
	Defect:      {"internal error", "a defect of roclua"},
	Interrupted: {"interrupted", "a signal ended the run; cases that had ended by then are reported"},
}

// String returns the code in a few words.
func (c Code) String() string { return reasons[c].short }

// Meaning returns the cause of the code, as one sentence for the manual.
func (c Code) Meaning() string { return reasons[c].meaning }

// codeError is an error with its exit code.
type codeError struct {
	code Code
	err  error
}

func (e *codeError) Error() string { return e.err.Error() }
func (e *codeError) Unwrap() error { return e.err }

// With attaches an exit code to an error. An error that already has one keeps it: the innermost cause decides.
// With returns nil for a nil error.
func With(code Code, err error) error {
	var have *codeError
	if err == nil || errors.As(err, &have) {
		return err
	}
	return &codeError{code, err}
}

// Replace attaches an exit code to an error, replacing any other.
func Replace(code Code, err error) error { return &codeError{code, err} }

// Silent returns an error that has an exit code but no text, for failures that have already been reported.
func Silent(code Code) error { return &codeError{code, silent{}} }

type silent struct{}

func (silent) Error() string { return "" }

// Of returns the exit code of an error: Pass for nil, Usage for an error without a code.
func Of(err error) Code {
	var e *codeError
	switch {
	case err == nil:
		return Pass
	case errors.As(err, &e):
		return e.code
	}
	return Usage
}
