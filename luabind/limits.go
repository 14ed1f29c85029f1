package luabind

import (
	"context"
	"fmt"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/workspace"
)

// Limits bound one case. Zero is no limit.
type Limits struct {
	Timeout      time.Duration // time, teardown not included
	Instructions uint64        // of the Lua machine
	Heap         uint64        // bytes that Lua values, and what they stand for on the host, may hold at a time
	Output       uint64        // bytes of text: what is printed, and names, units and texts of metrics and checks
	DeviceMemory uint64        // bytes of device memory that may be allocated at a time
}

// Names of limits, as messages and the configuration spell them.
const (
	limitTimeout      = "timeout"
	limitInstructions = "instructions"
	limitHeap         = "heap"
	limitOutput       = "output"
	limitDeviceMemory = "device_memory"
)

// LimitError is the end of a case at one of its limits. No pcall hides it. That of the time is a context.DeadlineExceeded.
type LimitError struct {
	Limit string // the name
	Max   uint64 // the limit: nanoseconds, instructions or bytes
	Used  uint64 // what was used when the case ended, or what it asked for
	Where string // the line of the script: "solve.lua:12"; "" when nobody knows
}

func (e *LimitError) Error() string {
	text := e.text()
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

func (e *LimitError) text() string {
	switch e.Limit {
	case limitTimeout:
		return fmt.Sprintf("ran longer than its limit of %s (limits.timeout)", time.Duration(e.Max))
	case limitInstructions:
		return fmt.Sprintf("executed %d instructions, its limit is %d (limits.instructions)", e.Used, e.Max)
	case limitHeap:
		return fmt.Sprintf("needs %s of memory for Lua values, its limit is %s (limits.heap)", workspace.FormatBytes(e.Used), workspace.FormatBytes(e.Max))
	case limitOutput:
		return fmt.Sprintf("printed and measured %s of text, its limit is %s (limits.output)", workspace.FormatBytes(e.Used), workspace.FormatBytes(e.Max))
	}
	return fmt.Sprintf("allocated %s of device memory, its limit is %s (limits.device_memory)", workspace.FormatBytes(e.Used), workspace.FormatBytes(e.Max))
}

// Unwrap makes the end of the time a context.DeadlineExceeded.
func (e *LimitError) Unwrap() error {
	if e.Limit == limitTimeout {
		return context.DeadlineExceeded
	}
	return nil
}

// WithTimeout is the context of a case that may take so long; its cause is a *LimitError. No time is no limit.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, TimedOut(limit))
}

// TimedOut is the end of a case that ran for as long as it may.
func TimedOut(limit time.Duration) *LimitError {
	return &LimitError{Limit: limitTimeout, Max: uint64(limit), Used: uint64(limit)}
}

// exceed ends the case at a limit, at the line that runs.
func (s *State) exceed(l *lua.LState, limit string, max, used uint64) {
	s.stop(&LimitError{Limit: limit, Max: max, Used: used, Where: place(where(l))})
}

// raiseEnd raises what ended the case, in a Go function that noticed it.
func (s *State) raiseEnd(l *lua.LState) {
	if err := s.ended(); err != nil {
		l.RaiseError("%s", err.Error())
	}
}

// working is called by Go functions that take long, from time to time: it ends them when the case has ended.
func (s *State) working(l *lua.LState) {
	s.meter.look(l)
	s.raiseEnd(l)
}

// every returns a function to be called for each of very many small steps, of which it looks at the case after so many.
func (s *State) every(l *lua.LState, steps int) func() {
	n := 0
	return func() {
		if n++; n >= steps {
			n = 0
			s.working(l)
		}
	}
}

// charge counts text that the case leaves behind, and bytes that come with it.
func (s *State) charge(l *lua.LState, bytes uint64, texts ...string) {
	s.printed += bytes
	for _, text := range texts {
		s.printed += uint64(len(text))
	}
	if limit := s.limits.Output; limit > 0 && s.printed > limit {
		s.exceed(l, limitOutput, limit, s.printed)
		s.raiseEnd(l)
	}
}

// checkDevice holds the device memory that is allocated now against its limit.
func (s *State) checkDevice(l *lua.LState) {
	limit := s.limits.DeviceMemory
	if limit == 0 || s.opts.Runtime == nil {
		return
	}
	if held := s.opts.Runtime.HeldBytes(); held > limit && s.ended() == nil {
		s.exceed(l, limitDeviceMemory, limit, held)
		s.raiseEnd(l)
	}
}
