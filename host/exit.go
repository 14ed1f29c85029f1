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

var exitReasons = map[ExitCode]string{
	ExitPass: "passed", ExitFailed: "failed", ExitUsage: "usage or configuration", ExitBaseline: "baseline mismatch", ExitUnavailable: "platform not available",
	ExitScript: "script error", ExitTimeout: "timeout or another limit", ExitNothing: "nothing selected", ExitDefect: "internal error",
	ExitInterrupted: "interrupted",
}

// String names the code in a few words.
func (c ExitCode) String() string { return exitReasons[c] }

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
