package luabind

import (
	"bytes"
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/internal/nearest"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// test is the object t that a scenario's functions get: parameters, the handle, checks and metrics.
type test struct {
	s      *State
	c      Case
	bytes  lua.LValue // the scenario's field bytes: a number, a function of t, or nil
	record *Record
	log    bytes.Buffer
	handle lua.LValue
	defers []deferred
	object lua.LValue
}

// deferred is a function to call when the case ends.
type deferred struct {
	fn   *lua.LFunction
	args []lua.LValue
	made string // where t:defer stands
}

// skipped ends a case that skips itself.
type skipped struct{ reason string }

func (e *skipped) Error() string { return "skipped: " + e.reason }

// testMethods are the functions of t; testFields are all names that a parameter may not have.
var testMethods = map[string]func(*test, *lua.LState) int{
	"metric": (*test).metric, "check": (*test).check, "equal": (*test).equal, "near": (*test).near,
	"status": (*test).statusIs, "raises": (*test).raises, "skip": (*test).skip, "log": (*test).logLine,
	"defer": (*test).deferCall, "open": (*test).open,
}

var testFields = func() []string {
	list := []string{"scheme", "seed", "env", "handle", "profile", "arch", "platform"}
	for name := range testMethods {
		list = append(list, name)
	}
	return list
}()

const testType = "roclua.test"

func (s *State) openTest() {
	s.vm.NewType(testType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			l.Push(vm.Receiver[*test](s.vm, l).field(l, l.CheckString(2)))
			return 1
		},
		"__newindex": func(l *lua.LState) int {
			s.vm.Raisef(l, "t.%s cannot be set; keep values in local variables", l.CheckString(2))
			return 0
		},
	})
}

// field gives a parameter, or scheme, seed, env, handle, or a method.
func (t *test) field(l *lua.LState, name string) lua.LValue {
	if v, ok := t.c.Params[name]; ok {
		return luaValue(v)
	}
	switch name {
	case "scheme":
		if t.c.Scheme == "" {
			return lua.LNil
		}
		return lua.LString(t.c.Scheme)
	case "seed":
		return lua.LNumber(t.c.Seed)
	case "profile":
		return lua.LString(t.s.opts.Profile.Name)
	case "arch":
		return lua.LString(t.s.device(l).Properties().Arch)
	case "platform":
		t.s.needRuntime(l)
		return lua.LString(t.s.opts.Runtime.Platform())
	case "env":
		env := l.NewTable()
		for k, v := range t.s.vm.Env() {
			env.RawSetString(k, lua.LString(v))
		}
		return env
	case "handle":
		return t.schemeHandle(l)
	}
	if method, ok := testMethods[name]; ok {
		return t.s.vm.Function("t:"+name, func(l *lua.LState) int {
			if ud, ok := l.Get(1).(*lua.LUserData); !ok || ud.Value != t {
				t.s.vm.Raisef(l, "call it as t:%s(...), with a colon", name)
			}
			l.Remove(1)
			return method(t, l)
		})
	}
	names := append([]string{}, testFields...)
	for p := range t.c.Params {
		names = append(names, p)
	}
	t.s.vm.Raisef(l, "t has no parameter or function %q%s", name, nearest.DidYouMean(name, names))
	return lua.LNil
}

// schemeHandle opens the case's handle under its scheme, when it is first used: a setup may set the environment before.
func (t *test) schemeHandle(l *lua.LState) lua.LValue {
	if t.handle != nil {
		return t.handle
	}
	if t.c.Scheme == "" {
		t.s.vm.Raisef(l, "t.handle: the scenario names no schemes; open a handle with t:open{} or rocblas.create_handle()")
	}
	t.handle = t.s.openHandle(l, t.c.Scheme, t.schemeBytes(l))
	return t.handle
}

// schemeBytes evaluates the scenario's field bytes.
func (t *test) schemeBytes(l *lua.LState) uint64 {
	v := t.bytes
	if fn, ok := v.(*lua.LFunction); ok {
		l.Push(fn)
		l.Push(t.object)
		l.Call(1, 1)
		v = l.Get(-1)
		l.Pop(1)
	}
	if v.Type() == lua.LTNil {
		return 0
	}
	c := &call{s: t.s, l: l, fn: &binding{module: "scenario", name: "bytes"}}
	n := c.whole("bytes", v, "a number of bytes")
	if n < 0 {
		c.bad("bytes", "got %d, want a number of bytes, which is not negative", n)
	}
	return uint64(n)
}

// openHandle opens a handle under a scheme, which is closed when the state is.
func (s *State) openHandle(l *lua.LState, scheme string, bytes uint64) lua.LValue {
	opened, err := workspace.Open(s.device(l), s.config(), scheme, bytes)
	if err != nil {
		s.raise(l, err)
	}
	s.opened = append(s.opened, opened)
	s.checkDevice(l)
	return s.vm.Object(handleType, &handleBox{handle: opened.Handle, made: vm.Where(l), ours: true})
}

// open is t:open{scheme=, bytes=}: a handle under a scheme, closed when the case ends. Without a scheme it is the case's.
func (t *test) open(l *lua.LState) int {
	scheme, bytes := t.c.Scheme, lua.LValue(lua.LNil)
	if opts, ok := l.Get(1).(*lua.LTable); ok {
		opts.ForEach(func(k, v lua.LValue) {
			switch k.String() {
			case "scheme":
				scheme = v.String()
			case "bytes":
				bytes = v
			default:
				t.s.vm.Raisef(l, "t:open: unknown option %q%s (has scheme, bytes)", k.String(), nearest.DidYouMean(k.String(), []string{"scheme", "bytes"}))
			}
		})
	}
	if scheme == "" {
		scheme = workspace.SchemeManaged
	}
	if reason := t.s.opts.Profile.SkipScheme(scheme); reason != "" {
		t.s.raise(l, &skipped{reason})
	}
	size := uint64(0)
	if bytes.Type() != lua.LTNil {
		c := &call{s: t.s, l: l, fn: &binding{module: "t", name: "open"}}
		size = uint64(max(c.whole("bytes", bytes, "a number of bytes"), 0))
	}
	l.Push(t.s.openHandle(l, scheme, size))
	return 1
}

// metric is t:metric(name, value [, unit]).
func (t *test) metric(l *lua.LState) int {
	name := l.CheckString(1)
	value, ok := metricValue(l.Get(2))
	if !ok {
		t.s.vm.Raisef(l, "t:metric: %s: got %s, want a number, a string or a boolean", name, vm.Describe(l.Get(2)))
	}
	text, _ := value.(string)
	t.s.vm.Meter().Charge(l, entryText, name, text, l.OptString(3, ""))
	t.record.Metrics = append(t.record.Metrics, Metric{name, value, l.OptString(3, "")})
	return 0
}

// entryText is what a metric or a check takes beside its texts, in bytes.
const entryText = 64

func (t *test) add(l *lua.LState, passed bool, text, have, want string) int {
	t.s.vm.Meter().Charge(l, entryText, text, have, want)
	t.record.Checks = append(t.record.Checks, Check{Text: text, Where: vm.Where(l), Passed: passed, Have: have, Want: want})
	if rt := t.s.opts.Runtime; rt != nil && !passed {
		rt.Device().Mark(hip.Mark{Text: fmt.Sprintf("%s: have %s, want %s", text, have, want)})
	}
	l.Push(lua.LBool(passed))
	return 1
}

// check is t:check(condition, text): a soft check, the case goes on.
func (t *test) check(l *lua.LState) int {
	return t.add(l, lua.LVAsBool(l.Get(1)), l.OptString(2, "check"), t.s.vm.Show(l.Get(1)), "true")
}

// equal is t:equal(have, want [, text]).
func (t *test) equal(l *lua.LState) int {
	have, want := l.Get(1), l.Get(2)
	return t.add(l, t.s.vm.Equal(have, want), l.OptString(3, "equal"), t.s.vm.Show(have), t.s.vm.Show(want))
}

// near is t:near(have, want, tolerance [, text]); NaN is near nothing.
func (t *test) near(l *lua.LState) int {
	have, want, tolerance := float64(l.CheckNumber(1)), float64(l.CheckNumber(2)), float64(l.CheckNumber(3))
	passed := math.Abs(have-want) <= tolerance || have == want
	return t.add(l, passed, l.OptString(4, "near"), t.s.vm.Show(l.Get(1)), fmt.Sprintf("%s within %g", t.s.vm.Show(l.Get(2)), tolerance))
}

// statusIs is t:status(want, have [, text]).
func (t *test) statusIs(l *lua.LState) int {
	want, have := l.Get(1), l.Get(2)
	return t.add(l, l.Equal(want, have), l.OptString(3, "status"), t.s.vm.Show(have), t.s.vm.Show(want))
}

// raises is t:raises(status, fn, ...): fn must raise an error of that status. It returns the error object.
func (t *test) raises(l *lua.LState) int {
	want := l.Get(1)
	fn, ok := l.Get(2).(*lua.LFunction)
	if !ok {
		t.s.vm.Raisef(l, "t:raises: got %s, want a status, then a function", vm.Describe(l.Get(2)))
	}
	args := make([]lua.LValue, 0, l.GetTop())
	for i := 3; i <= l.GetTop(); i++ {
		args = append(args, l.Get(i))
	}
	err := t.s.vm.Protect(l, fn, 0, args...)
	if err == nil {
		t.add(l, false, "raises", "no error", t.s.vm.Show(want))
		l.Push(lua.LNil)
		return 1
	}
	object := vm.ErrorValue(err)
	have := lua.LValue(lua.LNil)
	if cause := vm.Cause(object); cause != nil {
		if status := t.s.errorField(cause, "status"); status != nil {
			have = status
		}
	}
	shown := t.s.vm.Show(have)
	if have.Type() == lua.LTNil {
		shown = "error: " + l.ToStringMeta(object).String()
	}
	t.add(l, have.Type() != lua.LTNil && l.Equal(want, have), "raises", shown, t.s.vm.Show(want))
	l.Push(object)
	return 1
}

// skip is t:skip(reason): the case ends here and counts as skipped.
func (t *test) skip(l *lua.LState) int {
	t.s.raise(l, &skipped{l.OptString(1, "the scenario gives no reason")})
	return 0
}

// logLine is t:log(...): a line of the case's log.
func (t *test) logLine(l *lua.LState) int {
	t.s.vm.Print(l)
	return 0
}

// deferCall is t:defer(fn, ...): fn(...) runs when the case ends, the last one first.
func (t *test) deferCall(l *lua.LState) int {
	d := deferred{fn: l.CheckFunction(1), made: vm.Where(l)}
	for i := 1; i <= l.GetTop(); i++ {
		t.s.vm.Keep(l.Get(i))
		if i > 1 {
			d.args = append(d.args, l.Get(i))
		}
	}
	t.defers = append(t.defers, d)
	return 0
}
