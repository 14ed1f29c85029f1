package record

import (
	"cmp"
	"fmt"
	"strings"

	"roclua/luabind/vm/bounds"
)

// EndKind is the kind of the early end of a case.
type EndKind string

const (
	EndScript      EndKind = "script"      // the script raised an error that nothing caught
	EndInvalid     EndKind = "invalid"     // the file cannot be read, is not Lua, or declares an invalid scenario
	EndAbort       EndKind = "abort"       // a call at which the library would end the process
	EndInternal    EndKind = "internal"    // a panic in this program
	EndUnavailable EndKind = "unavailable" // the platform, its library or its device is missing
	EndDied        EndKind = "died"        // the worker process of the case exited unexpectedly
	EndTimeout     EndKind = "timeout"     // the case reached its time limit
	EndLimit       EndKind = "limit"       // the case reached another limit
	EndCanceled    EndKind = "canceled"    // the run was interrupted
	EndLost        EndKind = "lost"        // no shard of the run ran the case
	EndStopped     EndKind = "stopped"     // enough cases had failed before the case could begin
	EndOther       EndKind = "other"
)

// End describes how a case ended early. It is plain data: worker processes, event files and reports carry it unchanged.
// Fields that do not apply to the kind are empty.
type End struct {
	// script, invalid, abort, internal, unavailable, died, timeout, limit, canceled, lost, stopped, other
	Kind      EndKind   `json:"kind"`
	Message   string    `json:"text,omitempty"`      // message without the place
	File      string    `json:"file,omitempty"`      // file of the script
	Line      int       `json:"line,omitempty"`      // line of the script
	Column    int       `json:"column,omitempty"`    // column in that line, of syntax errors
	Func      string    `json:"func,omitempty"`      // C function that was called; the last one of a worker that exited
	Where     string    `json:"where,omitempty"`     // line of the script, or the binding that panicked
	Traceback string    `json:"traceback,omitempty"` // calls that led there, innermost first
	Limit     *LimitUse `json:"limit,omitempty"`     // limit that the case reached
}

// LimitUse is a limit that a case reached.
type LimitUse = bounds.LimitUse

// MarshalJSON writes the end by its tags, after the message as reports show it.
func (e End) MarshalJSON() ([]byte, error) {
	type tagged End
	return Encode(struct {
		Shown string `json:"message"`
		tagged
	}{e.String(), tagged(e)})
}

// String returns the message as reports show it, with the place where one is known.
func (e *End) String() string {
	switch e.Kind {
	case EndScript, EndInvalid:
		return e.place() + e.Message
	case EndAbort:
		return e.Where + ": " + e.Func + ": the library would abort the process here: " + e.Message
	case EndInternal:
		return e.Where + ": internal error: " + e.Message
	case EndDied:
		text := "the worker process " + e.Message
		if e.Func != "" {
			text += " during " + e.Func
		}
		return text
	case EndTimeout, EndLimit:
		switch {
		case e.Limit == nil:
			return cmp.Or(e.Message, "ran out of time")
		case e.Where == "":
			return e.Limit.String()
		}
		return e.Where + ": " + e.Limit.String()
	case EndCanceled:
		return "interrupted"
	}
	return e.Message
}

// killed begins the message of a worker that another program killed, such as the system when it had no memory left.
const killed = "was killed by signal 9 "

// WasKilled reports whether the worker process was killed from outside.
func (e *End) WasKilled() bool {
	return e != nil && e.Kind == EndDied && strings.HasPrefix(e.Message, killed)
}

// place returns the position of an error in a script as the beginning of a message, such as "solve.lua:12: ".
func (e *End) place() string {
	switch {
	case e.Line == 0:
		return ""
	case e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	}
	return fmt.Sprintf("%s:%d: ", e.File, e.Line)
}
