package luabind

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/trace"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// test is the parameter t of a scenario's functions.
type test struct {
	s      *state
	script *Script
	c      record.Case
	bytes  lua.LValue // the scenario's field bytes: a number, a function of t, or nil
	record *record.Record
	log    bytes.Buffer
	handle lua.LValue
	defers []deferred
	failed record.Failures // of deferred functions
	object lua.LValue
	setUp  func(*test) *setup // runs setup_all; nil for a client
	data   lua.LValue         // what t.data returns; nil before its first use
	rows   []*row             // calls of t:case in progress, from the outside to the inside

	client *client // of a workload, whose parameter c it is; nil for t

	metrics map[string]int    // indexes of the metrics in the record, by name
	choices map[string]string // which value counts of a metric that is recorded again
}

const testType = "roclua.test"

// letter returns the name of the parameter in documentation.
func (t *test) letter() string {
	if t.client != nil {
		return "c"
	}
	return "t"
}

// openTest declares the types of t and c.
func openTest(e *engine.Engine) {
	for _, name := range []string{testType, clientType} {
		openTestType(e, name)
	}
}

func openTestType(e *engine.Engine, name string) {
	e.VM.NewType(name, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			return vm.Push(l, vm.Receiver[*test](e.VM, l).field(l, l.CheckString(2)))
		},
		"__newindex": func(l *lua.LState) int {
			e.VM.Raisef(l, "%s.%s cannot be set; keep values in local variables",
				vm.Receiver[*test](e.VM, l).letter(), l.CheckString(2))
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
		return lua.LString(t.s.Profile.Name)
	case "arch":
		arch := ""
		t.s.During(func() { arch = t.s.Device().Properties().Arch })
		return lua.LString(arch)
	case "platform":
		return lua.LString(t.s.NeedRuntime().Platform())
	case "env":
		env := l.CreateTable(0, 0)
		for k, v := range t.s.VM.Env() {
			env.RawSetString(k, lua.LString(v))
		}
		return env
	case "handle":
		return t.schemeHandle(l)
	}
	if name == "data" && t.setUp != nil {
		data, err := t.setupData()
		if err != nil {
			t.s.Raise(l, err)
		}
		return data
	}
	class, names := "test", slices.Clone(testFields())
	if t.client != nil {
		if v := t.client.field(l, name); v != nil {
			return v
		}
		class, names = "client", engine.MembersOf("client")
	}
	if method := t.s.Method(class, name); method != nil {
		return method
	}
	for p := range t.c.Params {
		names = append(names, p)
	}
	t.s.VM.Raisef(l, "%s has no parameter or function %q%s", t.letter(), name, nearest.DidYouMean(name, names))
	return lua.LNil
}

// schemeHandle returns the handle of the case. It is created under its scheme when it is first used, so that setup can
// set environment variables before.
func (t *test) schemeHandle(l *lua.LState) lua.LValue {
	if t.handle != nil {
		return t.handle
	}
	if t.c.Scheme == "" {
		t.s.VM.Raisef(l, "%[1]s.handle: the scenario has no schemes; use %[1]s:open{} or rocblas.create_handle()",
			t.letter())
	}
	handle := t.s.library.OpenUnder(l, t.c.Scheme, t.schemeBytes(l))
	if t.client != nil {
		t.client.useStream(l, handle)
	}
	t.handle = handle
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
	return engine.ReadBytes(&engine.Call{Engine: t.s.Engine, L: l, Fn: scenarioTable}, scenarioBytes, v)
}

// The declaration of the scenario's field bytes.
var (
	scenarioTable = &api.Function{Owner: "scenario", Name: "bytes"}
	scenarioBytes = &api.Param{Name: "bytes", Kind: api.Bytes}
)

// testOpen creates a handle under a scheme. It is closed when the case ends.
func testOpen(c *engine.Call, t *test, given engine.Option[engine.Options]) error {
	scheme, bytes := t.c.Scheme, uint64(0)
	if name, ok := given.Value["scheme"].(string); ok {
		scheme = name
	}
	if n, ok := given.Value["bytes"].(uint64); ok {
		bytes = n
	}
	if scheme == "" {
		scheme = workspace.SchemeManaged
	}
	if reason := t.s.Profile.SkipScheme(scheme); reason != "" {
		return &engine.Skipped{Reason: reason}
	}
	c.Out(t.s.library.OpenUnder(c.L, scheme, bytes))
	return nil
}

// maxMetrics is the most metrics of a case. Each is a column of tables and an entry of baselines.
const maxMetrics = 10_000

func testMetric(c *engine.Call, t *test, name string, value any, unit engine.Option[string]) error {
	if record.IsMeasured(name) {
		c.Bad("name", "%q is the name of a measured value (%s); choose another name", name, record.MeasuredText())
	}
	return t.keepMetric(c.L, record.Metric{Name: name, Value: value, Unit: unit.Value,
		Epsilon: t.epsilon(value, unit.Value)})
}

// keepMetric records a metric, which may have been recorded before.
func (t *test) keepMetric(l *lua.LState, m record.Metric) error {
	if i, again := t.metrics[m.Name]; again {
		text, _ := m.Value.(string)
		t.s.VM.Meter().Charge(l, 0, text)
		if err := t.record.Metrics[i].Choose(t.choices[m.Name], m); err != nil {
			return fmt.Errorf("t:metric: name: %w", err)
		}
		return nil
	}
	if err := t.addMetric(l, m); err != nil {
		return err
	}
	if t.metrics == nil {
		t.metrics = map[string]int{}
	}
	t.metrics[m.Name] = len(t.record.Metrics) - 1
	return nil
}

// addMetric records a metric with a new name.
func (t *test) addMetric(l *lua.LState, m record.Metric) error {
	if len(t.record.Metrics) == maxMetrics {
		return fmt.Errorf("t:metric: a case can have at most %d metrics", maxMetrics)
	}
	text, _ := m.Value.(string)
	t.s.VM.Meter().Charge(l, metricText, m.Name, text, m.Unit)
	t.record.Metrics = append(t.record.Metrics, m)
	return nil
}

// epsilon returns the rounding unit of a residual: of the checks that computed it, or for the unit residual of the type
// that the parameters name.
func (t *test) epsilon(value any, unit string) float64 {
	epsilon := t.s.Residuals.Epsilon(value)
	if epsilon != 0 || unit != "residual" {
		return epsilon
	}
	kind, _ := t.c.Params["type"].(string)
	return cmp.Or(array.Epsilon(kind), array.Epsilon("d"))
}

// Bytes that a metric, a check and a measurement count for the limit of output, in addition to their strings: the rest
// of their entry in a report.
const (
	metricText      = 96
	checkText       = 128
	measurementText = 2048
)

// addCheck records a check. Its text is the one that the script passed, or the name of the method. One that failed
// counts twice for the limit of output, because reports repeat it in the list of problems.
func addCheck(c *engine.Call, t *test, passed bool, text engine.Option[string], have, want string) {
	if t.client != nil && !t.client.keeps(passed) {
		return
	}
	check := record.Check{Text: text.Or(c.Fn.Name), Where: c.Where(c.L), Passed: passed, Have: have, Want: want}
	t.s.VM.Meter().Charge(c.L, checkText, check.Where, check.Text, have, want)
	if !passed {
		t.s.VM.Meter().Charge(c.L, checkText, check.Where, check.Text, have, want)
	}
	t.record.Checks = append(t.record.Checks, check)
	if rt := t.s.Runtime; rt != nil && !passed {
		t.s.During(func() {
			rt.Device().Mark(trace.Mark{Text: fmt.Sprintf("%s: have %s, want %s", check.Text, have, want)})
		})
	}
}

func testCheck(c *engine.Call, t *test, condition lua.LValue, text engine.Option[string]) error {
	passed := lua.LVAsBool(condition)
	if line := t.sourceLine(c.VM.Where(c.L)); !passed && !text.Given && line != "" {
		text = engine.Option[string]{Value: line, Given: true}
	}
	addCheck(c, t, passed, text, t.s.VM.Show(condition), "true")
	c.Out(lua.LBool(passed))
	return nil
}

// sourceLine returns a line of the script, "solve.lua:12", without indentation; "" for other files.
func (t *test) sourceLine(where string) string {
	number, ok := strings.CutPrefix(where, t.script.Name+":")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return ""
	}
	for line := range bytes.Lines(t.script.Source()) {
		if n--; n == 0 && len(line) <= longestLine {
			return string(bytes.TrimSpace(line))
		}
	}
	return ""
}

// longestLine is the number of bytes of the longest line that a check shows.
const longestLine = 200

func testEqual(c *engine.Call, t *test, have, want lua.LValue, text engine.Option[string]) error {
	passed := t.s.VM.Equal(have, want)
	addCheck(c, t, passed, text, t.s.VM.Show(have), t.s.VM.Show(want))
	c.Out(lua.LBool(passed))
	return nil
}

// testNear fails if a number is NaN.
func testNear(c *engine.Call, t *test, have, want, tolerance lua.LNumber, text engine.Option[string]) error {
	passed := math.Abs(float64(have-want)) <= float64(tolerance) || have == want
	addCheck(c, t, passed, text, t.s.VM.Show(have), fmt.Sprintf("%s within %g", t.s.VM.Show(want), float64(tolerance)))
	c.Out(lua.LBool(passed))
	return nil
}

func testStatus(c *engine.Call, t *test, want engine.StatusCode, have lua.LValue, text engine.Option[string]) error {
	passed := isStatus(have, want)
	addCheck(c, t, passed, text, t.s.VM.Show(have), want.Name())
	c.Out(lua.LBool(passed))
	return nil
}

// isStatus reports whether a value is a status.
func isStatus(have lua.LValue, want engine.StatusCode) bool {
	ud, ok := have.(*lua.LUserData)
	return ok && ud.Value == want
}

// testRaises checks that a function raises an error with a status, and returns the error.
func testRaises(c *engine.Call, t *test, want engine.StatusCode, fn *lua.LFunction, args []lua.LValue) error {
	err := t.s.VM.Protect(c.L, fn, 0, args...)
	if err == nil {
		addCheck(c, t, false, engine.Option[string]{}, "no error", want.Name())
		c.Out(lua.LNil)
		return nil
	}
	object := vm.ErrorValue(err)
	have := lua.LValue(lua.LNil)
	if cause := vm.Cause(object); cause != nil {
		if status := t.s.ErrorField(cause, "status"); status != nil {
			have = status
		}
	}
	shown := t.s.VM.Show(have)
	if have == lua.LNil {
		shown = "error: " + t.s.VM.Text(object)
	}
	addCheck(c, t, isStatus(have, want), engine.Option[string]{}, shown, want.Name())
	c.Out(object)
	return nil
}

// testSkip ends the case, which counts as skipped.
func testSkip(_ *engine.Call, _ *test, reason string) error { return &engine.Skipped{Reason: reason} }

func testLog(c *engine.Call, t *test, _ []lua.LValue) error {
	c.L.Remove(1)
	t.s.VM.Print(c.L)
	return nil
}

// luaValue converts a Go number, string or boolean to Lua.
func luaValue(v any) lua.LValue {
	switch v := v.(type) {
	case float64:
		return lua.LNumber(v)
	case int64:
		return lua.LNumber(v)
	case int:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	}
	return lua.LNil
}
