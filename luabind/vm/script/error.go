package script

import (
	"errors"
	"fmt"
)

// An Error is an error in a script, or one that a script raised.
type Error struct {
	File      string // "" if unknown
	Line      int    // 1-based; 0 if unknown
	Column    int    // 1-based, of syntax errors; 0 otherwise
	Message   string // without the position
	Source    string // the line of the source text, of syntax errors
	Traceback string // one call a line, innermost first
	Cause     error  // error of a host function or of the compiler; nil if there is none

	incomplete bool // the text ends too early
}

// Error returns position and message, such as `solve.lua:12: attempt to index a nil value`.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Message
	case e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// in completes an error of a source text.
func (e *Error) in(name string, source []byte) *Error {
	e.File = name
	if e.incomplete && e.Column == 0 {
		e.Line = lastLine(source)
	}
	if e.Line > 0 {
		e.Source = lineOf(source, e.Line)
	}
	return e
}

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too early.
func IsIncomplete(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.incomplete
}
