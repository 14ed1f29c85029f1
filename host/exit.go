package host

import "errors"

// ExitCode is what the program tells its caller; the list is in the package comment.
type ExitCode int

const (
	ExitPass        ExitCode = 0
	ExitFailed      ExitCode = 1
	ExitUsage       ExitCode = 2
	ExitBaseline    ExitCode = 3
	ExitUnavailable ExitCode = 4
	ExitScript      ExitCode = 5
	ExitTimeout     ExitCode = 6
	ExitNothing     ExitCode = 7
	ExitDefect      ExitCode = 70
	ExitInterrupted ExitCode = 130
)

// exitReasons says in a few words what a code stands for, and what led to it.
var exitReasons = map[ExitCode]struct{ short, meaning string }{
	ExitPass:        {"passed", "everything passed"},
	ExitFailed:      {"failed", "a check or an expectation failed, something leaked, the library would have aborted, or a worker died"},
	ExitUsage:       {"usage or configuration", "the command line, the configuration, a script's table or a file is wrong; or an output could not be written"},
	ExitBaseline:    {"baseline mismatch", "a value differs from its baseline, a case of it is gone, or compare found a difference"},
	ExitUnavailable: {"platform not available", "the platform, its library or its device is not there"},
	ExitScript:      {"script error", "a script raised an error that nothing caught"},
	ExitTimeout:     {"timeout or another limit", "a case ran out of time, or reached another limit: instructions, memory, output"},
	ExitNothing:     {"nothing selected", "filters, tags and names leave no case to run"},
	ExitDefect:      {"internal error", "a defect of roclua"},
	ExitInterrupted: {"interrupted", "a signal ended the run; what had ended by then is reported"},
}

// String names the code in a few words.
func (c ExitCode) String() string { return exitReasons[c].short }

// exitError carries the exit code that an error leads to.
type exitError struct {
	code ExitCode
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// withExit gives an error its exit code, unless it has one already: the innermost cause decides.
func withExit(code ExitCode, err error) error {
	var have *exitError
	if err == nil || errors.As(err, &have) {
		return err
	}
	return &exitError{code, err}
}

// exitOf returns the exit code of an error; one without is a matter of usage.
func exitOf(err error) ExitCode {
	var e *exitError
	switch {
	case err == nil:
		return ExitPass
	case errors.As(err, &e):
		return e.code
	}
	return ExitUsage
}
