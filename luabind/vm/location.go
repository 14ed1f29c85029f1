package vm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/script"
)

// internalSource is the name of the code that is part of every coroutine. Messages and tracebacks leave it out.
const internalSource = "(coroutine)"

// Line returns the innermost line of a script that runs in l. The file is "" if no line runs.
func Line(l *lua.LState) (file string, line int) {
	proto, line := innermost(l)
	if proto == nil {
		return "", 0
	}
	return proto.SourceName, line
}

// innermost returns the innermost function of a script that runs in l, with its line; nil if there is none.
func innermost(l *lua.LState) (proto *lua.FunctionProto, line int) {
	for f := layout.Innermost(l); f.Proto() != nil; f = f.Caller() {
		if line := f.Line(); line > 0 && f.Proto().SourceName != internalSource {
			return f.Proto(), line
		}
	}
	return nil, 0
}

// inScript gets information about a call, and reports whether a function of a script is called.
func inScript(l *lua.LState, d *lua.Debug, what string) bool {
	_, err := l.GetInfo(what, d, nil)
	return err == nil && d.CurrentLine > 0 && d.Source != internalSource
}

// Position returns the line that a call executes, with a colon and a space, or "" if that is not a line of a script.
// Level 1 is the function that called the host function.
func Position(l *lua.LState, level int) string {
	if d, ok := l.GetStack(level); ok && inScript(l, d, "Sl") {
		return location(d.Source, d.CurrentLine) + ": "
	}
	return ""
}

// places caches the text of lines, because the same lines call the host repeatedly.
type places struct {
	last place
	text string // of last
	all  map[place]string
}

// place is a line of a function.
type place struct {
	proto *lua.FunctionProto
	line  int
}

// maxPlaces bounds the memory of the texts. A script can compile any number of functions.
const maxPlaces = 4096

// Where is like Line but returns text such as "solve.lua:12". It does not allocate memory for a line that it was called
// for before.
func (m *Machine) Where(l *lua.LState) string {
	proto, line := innermost(l)
	return m.places.where(place{proto, line})
}

// WhereBegun returns the line of the function that the host called, such as a scenario's run, and a traceback. A
// function within its text that the host called, such as the argument of pcall, counts as a part of it. In a chunk, and
// if a tail call replaced the function, it is the line that runs.
func (m *Machine) WhereBegun(l *lua.LState) (where, calls string) {
	return m.places.where(begun(l)), traceback(l)
}

// begun returns the place for WhereBegun.
func begun(l *lua.LState) place {
	type call struct {
		layout.Frame
		thread *lua.LState
	}
	var frames []call
	for thread := l; thread != nil; thread = thread.Parent {
		for f := layout.Innermost(thread); f.Proto() != nil; f = f.Caller() {
			if f.Line() > 0 && f.Proto().SourceName != internalSource {
				frames = append(frames, call{f, thread})
			}
		}
	}
	if len(frames) == 0 {
		return place{}
	}
	last := len(frames) - 1
	outer := frames[last].Proto()
	if outer.LineDefined == 0 || frames[last].IsTailCall() {
		return place{frames[0].Proto(), frames[0].Line()}
	}
	for ; last > 0; last-- {
		f, caller := frames[last-1], frames[last]
		byScript := f.thread == caller.thread && f.Depth == caller.Depth+1
		if byScript || f.Proto().SourceName != outer.SourceName || f.Line() < outer.LineDefined ||
			f.Line() > outer.LastLineDefined {
			break
		}
	}
	return place{frames[last].Proto(), frames[last].Line()}
}

// where returns the text of a line, or "" for none.
func (p *places) where(at place) string {
	if at.proto == nil {
		return ""
	}
	if at == p.last {
		return p.text
	}
	p.last = at
	known := false
	if p.text, known = p.all[at]; known {
		return p.text
	}
	if len(p.all) >= maxPlaces || p.all == nil {
		p.all = map[place]string{}
	}
	p.text = location(at.proto.SourceName, at.line)
	p.all[at] = p.text
	return p.text
}

// WhereDefined returns the line on which a function of a script begins, or "" for a Go function.
func WhereDefined(fn *lua.LFunction) string {
	if fn.IsG {
		return ""
	}
	return location(fn.Proto.SourceName, fn.Proto.LineDefined)
}

func location(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

var locationPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*?):(\d+): `)
})

// maxLocation is the number of bytes of a message that splitLocation searches.
const maxLocation = 4096

// splitLocation splits a message that starts with a position.
func splitLocation(text string) (file string, line int, message string) {
	parts := locationPattern().FindStringSubmatchIndex(text[:min(len(text), maxLocation)])
	if parts == nil {
		return "", 0, text
	}
	line, _ = strconv.Atoi(text[parts[4]:parts[5]])
	return text[:parts[3]], line, text[parts[1]:]
}

// maxTraceback is the maximum number of calls in a traceback. Longer ones omit calls in the middle.
const maxTraceback = 20

// traceback lists the active calls of scripts, one a line, innermost first. The calls of a coroutine precede the calls
// of the thread that resumed it.
func traceback(l *lua.LState) string {
	var calls []string
	for ; l != nil; l = l.Parent {
		for _, level := range layout.Levels(l) {
			if d, ok := l.GetStack(level); ok && inScript(l, d, "Sln") {
				calls = append(calls, location(d.Source, d.CurrentLine)+": in "+callName(d))
			}
		}
	}
	if len(calls) > maxTraceback {
		const head, tail = maxTraceback / 2, maxTraceback/2 - 1
		calls = slices.Concat(calls[:head], []string{"..."}, calls[len(calls)-tail:])
	}
	return strings.Join(calls, "\n")
}

// callName returns how a traceback names a call.
func callName(d *lua.Debug) string {
	switch {
	case d.What == "main" && d.LineDefined > 0: // called by the host
		return fmt.Sprintf("function <%s:%d>", d.Source, d.LineDefined)
	case d.What == "main":
		return "main chunk"
	case strings.HasPrefix(d.Name, "<") || strings.HasPrefix(d.Name, "("):
		return "function " + d.Name
	case len(d.Name) > script.MaxName:
		return "function '" + d.Name[:script.MaxName] + "...'"
	}
	return "function '" + d.Name + "'"
}
