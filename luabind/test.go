package luabind

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// test is the parameter t of a scenario's functions.
type test struct {
	s      *state
	c      record.Case
	bytes  lua.LValue // the scenario's field bytes: a number, a function of t, or nil
	record *record.Record
	log    bytes.Buffer
	handle lua.LValue
	defers []deferred
	failed failures // of deferred functions
	object lua.LValue
}

// deferred is a function to call when the case ends.
type deferred struct {
	fn   *lua.LFunction
	args []lua.LValue
	made string // where the script called t:defer
}

// skipped ends a case that skips itself.
type skipped struct{ reason string }

func (e *skipped) Error() string { return "skipped: " + e.reason }

// testMethods are the methods of t.
var testMethods = bodies{
	"metric": takes4(testMetric),
	"check":  takes3(testCheck),
	"equal":  takes4(testEqual),
	"near":   takes5(testNear),
	"status": takes4(testStatus),
	"raises": takes4(testRaises),
	"skip":   takes2(testSkip),
	"log":    takes2(testLog),
	"defer":  takes3(testDefer),
	"open":   takes2(testOpen),
}

// testFields returns the names of the fields and methods of t, which a parameter may not have.
var testFields = sync.OnceValue(func() []string {
	c, _ := api.FindClass("test")
	return append(fieldsOf("test"), c.MethodNames()...)
})

const testType = "roclua.test"

// openTest declares the type of t.
func openTest(m *vm.Machine) {
	m.NewType(testType, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			l.Push(vm.Receiver[*test](m, l).field(l, l.CheckString(2)))
			return 1
		},
		"__newindex": func(l *lua.LState) int {
			m.Raisef(l, "t.%s cannot be set; keep values in local variables", l.CheckString(2))
			return 0
		},
	})
}

// field returns a parameter, a field or a method of t.
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
		env := l.CreateTable(0, 0)
		for k, v := range t.s.vm.Env() {
			env.RawSetString(k, lua.LString(v))
		}
		return env
	case "handle":
		return t.schemeHandle(l)
	}
	if method := t.s.modules.method(methodsByClass()["test"], name); method != nil {
		return method
	}
	names := slices.Clone(testFields())
	for p := range t.c.Params {
		names = append(names, p)
	}
	t.s.vm.Raisef(l, "t has no parameter or function %q%s", name, nearest.DidYouMean(name, names))
	return lua.LNil
}

// schemeHandle returns the handle of the case. It is created under its scheme when it is first used, so that setup can
// set environment variables before.
func (t *test) schemeHandle(l *lua.LState) lua.LValue {
	if t.handle != nil {
		return t.handle
	}
	if t.c.Scheme == "" {
		t.s.vm.Raisef(l, "t.handle: the scenario has no schemes; use t:open{} or rocblas.create_handle()")
	}
	t.handle = t.s.handles.openUnder(l, t.c.Scheme, t.schemeBytes(l))
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
	return readBytes(&call{s: t.s, l: l, fn: scenarioTable}, scenarioBytes, v)
}

// The declaration of the scenario's field bytes.
var (
	scenarioTable = &api.Function{Owner: "scenario", Name: "bytes"}
	scenarioBytes = &api.Param{Name: "bytes", Kind: api.Bytes}
)

// testOpen creates a handle under a scheme. It is closed when the case ends.
func testOpen(c *call, t *test, given option[options]) error {
	scheme, bytes := t.c.Scheme, uint64(0)
	if name, ok := given.value["scheme"].(string); ok {
		scheme = name
	}
	if n, ok := given.value["bytes"].(uint64); ok {
		bytes = n
	}
	if scheme == "" {
		scheme = workspace.SchemeManaged
	}
	if reason := t.s.opts.Profile.SkipScheme(scheme); reason != "" {
		return &skipped{reason}
	}
	c.out(t.s.handles.openUnder(c.l, scheme, bytes))
	return nil
}

func testMetric(c *call, t *test, name string, value any, unit option[string]) error {
	if record.IsMeasured(name) {
		c.bad("name", "%q is the name of a measured value (%s); choose another name", name, record.MeasuredText())
	}
	text, _ := value.(string)
	t.s.vm.Meter().Charge(c.l, entryText, name, text, unit.value)
	t.record.Metrics = append(t.record.Metrics, record.Metric{Name: name, Value: value, Unit: unit.value})
	return nil
}

// entryText is the size of a metric or a check without its strings, in bytes.
const entryText = 64

// addCheck records a check. Its text is that which the script passed, or the name of the method.
func addCheck(c *call, t *test, passed bool, text option[string], have, want string) {
	check := record.Check{Text: text.or(c.fn.Name), Where: c.s.vm.Where(c.l), Passed: passed, Have: have, Want: want}
	t.s.vm.Meter().Charge(c.l, entryText, check.Text, have, want)
	t.record.Checks = append(t.record.Checks, check)
	if rt := t.s.opts.Runtime; rt != nil && !passed {
		rt.Device().Mark(hip.Mark{Text: fmt.Sprintf("%s: have %s, want %s", check.Text, have, want)})
	}
}

func testCheck(c *call, t *test, condition lua.LValue, text option[string]) error {
	passed := lua.LVAsBool(condition)
	addCheck(c, t, passed, text, t.s.vm.Show(condition), "true")
	c.out(lua.LBool(passed))
	return nil
}

func testEqual(c *call, t *test, have, want lua.LValue, text option[string]) error {
	passed := t.s.vm.Equal(have, want)
	addCheck(c, t, passed, text, t.s.vm.Show(have), t.s.vm.Show(want))
	c.out(lua.LBool(passed))
	return nil
}

// testNear fails when one of the numbers is NaN.
func testNear(c *call, t *test, have, want, tolerance lua.LNumber, text option[string]) error {
	passed := math.Abs(float64(have-want)) <= float64(tolerance) || have == want
	addCheck(c, t, passed, text, t.s.vm.Show(have), fmt.Sprintf("%s within %g", t.s.vm.Show(want), float64(tolerance)))
	c.out(lua.LBool(passed))
	return nil
}

func testStatus(c *call, t *test, want, have lua.LValue, text option[string]) error {
	passed := c.l.Equal(want, have)
	addCheck(c, t, passed, text, t.s.vm.Show(have), t.s.vm.Show(want))
	c.out(lua.LBool(passed))
	return nil
}

// testRaises checks that a function raises an error with a status, and returns the error.
func testRaises(c *call, t *test, want lua.LValue, fn *lua.LFunction, args []lua.LValue) error {
	err := t.s.vm.Protect(c.l, fn, 0, args...)
	if err == nil {
		addCheck(c, t, false, option[string]{}, "no error", t.s.vm.Show(want))
		c.out(lua.LNil)
		return nil
	}
	object := vm.ErrorValue(err)
	have := lua.LValue(lua.LNil)
	if cause := vm.Cause(object); cause != nil {
		if status := t.s.errorField(cause, "status"); status != nil {
			have = status
		}
	}
	shown := t.s.vm.Show(have)
	if have == lua.LNil {
		shown = "error: " + c.l.ToStringMeta(object).String()
	}
	addCheck(c, t, have != lua.LNil && c.l.Equal(want, have), option[string]{}, shown, t.s.vm.Show(want))
	c.out(object)
	return nil
}

// testSkip ends the case, which counts as skipped.
func testSkip(_ *call, _ *test, reason string) error { return &skipped{reason} }

func testLog(c *call, t *test, _ []lua.LValue) error {
	c.l.Remove(1)
	t.s.vm.Print(c.l)
	return nil
}

// testDefer keeps a function that is called when the case ends. The last one is called first.
func testDefer(c *call, t *test, fn *lua.LFunction, args []lua.LValue) error {
	t.s.vm.Keep(fn)
	for _, arg := range args {
		t.s.vm.Keep(arg)
	}
	t.defers = append(t.defers, deferred{fn: fn, args: args, made: vm.Where(c.l)})
	return nil
}
