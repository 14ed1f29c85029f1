package luabind

import (
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/workspace"
)

// Error is an error that a script raised or met, with its place.
type Error struct {
	File      string
	Line      int
	Column    int    // 1-based, of syntax errors; 0 otherwise
	Message   string // without place
	Source    string // the text of the line, of syntax errors
	Traceback string // one line a call, innermost first
	cause     error
}

// Error gives place and message: "solve.lua:12: rocsolver_dgetrf: memory_error: needs ...".
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Message
	case e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Unwrap returns the Go error behind it: a *workspace.Error, a *driver.Fault, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Abort is a call at which the library would have ended the process.
type Abort struct {
	Where string
	*workspace.Abort
}

func (a *Abort) Error() string { return a.Where + ": " + a.Abort.Error() }

// InternalError is a defect of this program: a Go panic inside a binding.
type InternalError struct {
	Where string
	Value any
	Stack string
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("%s: internal error: %v", e.Where, e.Value)
}

// failure is the userdata under which a Go error travels through Lua. Scripts read its fields.
type failure struct {
	err  error
	file string
	line int
}

func (f *failure) text() string { return f.err.Error() }

const failureType = "roclua.error"

// raise ends the running binding with a Go error; pcall hands the script an object with its fields. It does not return.
func (s *State) raise(l *lua.LState, err error) {
	var abort *workspace.Abort
	file, line := where(l)
	if errors.As(err, &abort) {
		s.stop(&Abort{place(file, line), abort})
	}
	ud := l.NewUserData()
	ud.Value = &failure{err, file, line}
	ud.Metatable = s.metatable(failureType)
	l.Error(ud, 0)
}

// usage raises an error about a script's own mistake.
func (s *State) usage(l *lua.LState, format string, args ...any) {
	s.raise(l, usageError(format, args...))
}

func usageError(format string, args ...any) error { return fmt.Errorf(format, args...) }

// stackOverflow is what the machine panics with when calls are nested too deep: a script's fault.
const stackOverflow = "lua callstack overflow"

// guard makes a binding's Go panic end the case: no pcall can hide it.
func (s *State) guard(name string, fn func(l *lua.LState) int) lua.LGFunction {
	return func(l *lua.LState) int {
		before := s.current
		s.current = l
		defer func() {
			s.current = before
			r := recover()
			if r == nil {
				return
			}
			if _, raised := r.(*lua.ApiError); !raised && r != stackOverflow {
				s.stop(&InternalError{name, r, string(debug.Stack())})
			}
			panic(r)
		}()
		return fn(l)
	}
}

// openFailure declares the fields of error objects: status, func, required, available, scheme, source, line, and the
// text as tostring gives it.
func (s *State) openFailure() {
	s.newType(failureType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			l.Push(s.failureField(receiver[*failure](s, l), l.CheckString(2)))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(receiver[*failure](s, l).text()))
			return 1
		},
	})
}

func (s *State) failureField(f *failure, name string) lua.LValue {
	var detail *workspace.Error
	if errors.As(f.err, &detail) {
		switch name {
		case "status":
			return s.status(detail.Status)
		case "func":
			return lua.LString(detail.Func)
		case "scheme":
			return lua.LString(detail.Scheme)
		case "required", "available":
			return sizeField(detail, name)
		}
	}
	switch name {
	case "status":
		var code driver.Error
		if errors.As(f.err, &code) {
			return s.hipStatus(code)
		}
	case "func":
		var call *hipError
		if errors.As(f.err, &call) {
			return lua.LString(call.function)
		}
	case "source":
		return lua.LString(f.file)
	case "line":
		return lua.LNumber(f.line)
	case "message":
		return lua.LString(f.text())
	}
	return lua.LNil
}

func sizeField(e *workspace.Error, name string) lua.LValue {
	switch {
	case !e.Sized:
		return lua.LNil
	case name == "required":
		return lua.LNumber(e.Required)
	}
	return lua.LNumber(e.Available)
}

// where finds the innermost line of Lua that is running.
func where(l *lua.LState) (file string, line int) {
	for level := 0; ; level++ {
		d, ok := l.GetStack(level)
		if !ok {
			return "", 0
		}
		if _, err := l.GetInfo("Sl", d, nil); err == nil && d.CurrentLine > 0 {
			return d.Source, d.CurrentLine
		}
	}
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// fromLua turns what PCall returned into an *Error, or into the reason why the case was stopped.
func (s *State) fromLua(err error) error {
	if err == nil {
		return s.stopped
	}
	if s.stopped != nil {
		return s.stopped
	}
	var api *lua.ApiError
	known := errors.As(err, &api)
	cause := s.contextCause()
	switch {
	case cause != nil && known:
		return s.placed(cause, api)
	case cause != nil:
		return cause
	case !known:
		return &Error{Message: err.Error(), cause: err}
	}
	e := s.scriptError(api)
	if ended := s.ended(); ended != nil { // while the error's own __tostring ran
		return ended
	}
	return e
}

// placed tells the end of the time where the script was when it ended.
func (s *State) placed(cause error, api *lua.ApiError) error {
	var limit *LimitError
	if !errors.As(cause, &limit) {
		return cause
	}
	e, at := s.scriptError(api), *limit
	at.Where = place(e.File, e.Line)
	return &at
}

// textOf is tostring outside of a running script: what a __tostring of the script does wrong is its own.
func (s *State) textOf(v lua.LValue) string {
	text := v.String()
	s.lua.CallByParam(lua.P{Fn: s.lua.NewFunction(func(l *lua.LState) int {
		text = l.ToStringMeta(v).String()
		return 0
	}), Protect: true})
	return text
}

// scriptError is what a script raised, with its place.
func (s *State) scriptError(api *lua.ApiError) *Error {
	e := &Error{Traceback: cleanTraceback(api.StackTrace)}
	switch object := api.Object.(type) {
	case *lua.LUserData:
		if f, ok := object.Value.(*failure); ok {
			e.File, e.Line, e.Message, e.cause = f.file, f.line, f.text(), f.err
			return e
		}
		e.Message = s.textOf(object)
	case lua.LString:
		e.File, e.Line, e.Message = splitPlace(string(object))
	default:
		e.Message = fmt.Sprintf("a %s was raised as error: %s", object.Type(), s.textOf(object))
	}
	return e
}

var placePattern = regexp.MustCompile(`^(.*?):(\d+): (?s)(.*)$`)

func splitPlace(text string) (file string, line int, message string) {
	m := placePattern.FindStringSubmatch(text)
	if m == nil {
		return "", 0, text
	}
	line, _ = strconv.Atoi(m[2])
	return m[1], line, m[3]
}

// cleanTraceback keeps the calls of a stack trace, without its heading and the Go side's frames.
func cleanTraceback(trace string) string {
	var lines []string
	for _, line := range strings.Split(trace, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "stack traceback") || strings.HasPrefix(line, "[G]") {
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// isStatusError reports whether an error is a status that try returns instead of raising.
func isStatusError(err error) (*workspace.Error, driver.Error, bool) {
	var detail *workspace.Error
	if errors.As(err, &detail) {
		return detail, 0, true
	}
	var code driver.Error
	if errors.As(err, &code) {
		return nil, code, true
	}
	return nil, 0, false
}

// hipError names the HIP function that answered an error.
type hipError struct {
	function string
	err      error
}

func (e *hipError) Error() string { return e.function + ": " + e.err.Error() }
func (e *hipError) Unwrap() error { return e.err }
