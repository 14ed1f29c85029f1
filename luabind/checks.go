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

	"roclua/hip"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/record"
	"roclua/luabind/vm"
)

// report records a check and returns whether it passed.
func report(c *engine.Call, t *test, passed bool, text string, have, want string) error {
	addCheck(c, t, passed, text, have, want)
	return c.Return(nil, lua.LBool(passed))
}

// addCheck records a check. Its text is the one that the script passed, or the name of the method. One that failed
// counts twice for the limit of output, because reports repeat it in the list of problems.
func addCheck(c *engine.Call, t *test, passed bool, text string, have, want string) {
	if t.client != nil && !t.client.keeps(passed) {
		return
	}
	check := record.Check{Text: cmp.Or(text, c.Fn.Name), Where: c.Where(c.L), Passed: passed, Have: have, Want: want}
	t.s.VM.Meter().Charge(c.L, checkText, check.Where, check.Text, have, want)
	if !passed {
		where, calls := t.s.VM.WhereBegun(c.L)
		if where != "" && where != check.Where {
			check.Where, check.Traceback = where, calls
		}
		t.s.VM.Meter().Charge(c.L, checkText, check.Where, check.Text, have, want, check.Traceback)
	}
	t.record.Checks = append(t.record.Checks, check)
	if rt := t.s.Runtime; rt != nil && !passed {
		t.s.During(func() {
			rt.Device().Mark(trace.Mark{Text: fmt.Sprintf("%s: have %s, want %s", check.Text, have, want)})
		})
	}
}

func testCheck(c *engine.Call, t *test, condition lua.LValue, text string) error {
	passed := lua.LVAsBool(condition)
	if !passed && text == "" {
		where, _ := c.VM.WhereBegun(c.L)
		text = t.sourceLine(where)
	}
	return report(c, t, passed, text, t.s.VM.Show(condition), "true")
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

func testEqual(c *engine.Call, t *test, have, want lua.LValue, text string) error {
	passed, haveElement, wantElement := t.s.VM.Equal(have, want)
	return report(c, t, passed, text, t.s.VM.Show(have)+haveElement, t.s.VM.Show(want)+wantElement)
}

// testNear fails if a number is NaN.
func testNear(c *engine.Call, t *test, have, want, tolerance lua.LNumber, text string) error {
	if err := units.CheckTolerance(float64(tolerance)); err != nil {
		c.Bad("tolerance", "%s", err)
	}
	passed := math.Abs(float64(have-want)) <= float64(tolerance) || have == want
	return report(c, t, passed, text, t.s.VM.Show(have),
		fmt.Sprintf("%s within %g", t.s.VM.Show(want), float64(tolerance)))
}

func testStatus(c *engine.Call, t *test, want engine.StatusCode, have lua.LValue, text string) error {
	passed := isStatus(have, want)
	return report(c, t, passed, text, t.s.VM.Show(have), want.Name)
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
		addCheck(c, t, false, "", "no error", want.Name)
		return c.Return(nil, lua.LNil)
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
	addCheck(c, t, isStatus(have, want), "", shown, want.Name)
	return c.Return(nil, object)
}

// testSkip ends the case, which counts as skipped.
func testSkip(_ *engine.Call, _ *test, reason string) error { return &engine.Skipped{Reason: reason} }

// testDefects returns the ids of the known defects that concern calls of the case so far.
func testDefects(c *engine.Call, t *test) error {
	ids := slices.Concat(t.record.Defects.IDs(), t.s.library.DefectIDs())
	list := c.L.NewTable()
	for i, id := range ids {
		if !slices.Contains(ids[:i], id) {
			list.Append(lua.LString(id))
		}
	}
	return c.Return(nil, list)
}

func testLog(c *engine.Call, t *test, _ []lua.LValue) error {
	c.L.Remove(1)
	t.s.VM.Print(c.L)
	return nil
}

// testCompare checks that the elements of two arrays are equal, up to a tolerance.
func testCompare(c *engine.Call, t *test, have, want *array.Array, options engine.Options, text string) error {
	compared := array.Compare(c, have, want, options)
	passed := compared.Differ == 0 && compared.Elements > 0
	return report(c, t, passed, text, compared.Have, compared.Want)
}

// testForms calls a routine in each of its forms, with the same problems. Each form is a row of t:case. A form that the
// platform does not compute is skipped.
func testForms(c *engine.Call, t *test, name string, given *lua.LTable, check *lua.LFunction) error {
	problems, all := library.ReadProblems(c, name, given), true
	platform, ran := t.s.NeedRuntime().Platform(), false
	for _, form := range problems.Forms {
		if _, reason := hip.Computes(platform, form); reason != "" {
			t.skipRow(t.record, form.Name, reason)
			continue
		}
		ran = true
		passed, err := t.row(c, form.Name, t.s.VM.Function(c.Fn.Title(), func(l *lua.LState) int {
			l.Push(check)
			l.Push(t.object)
			l.Push(problems.Solve(l, form, t.object, t.schemeHandle(l)))
			l.Call(2, 0)
			return 0
		}))
		if err != nil {
			return err
		}
		all = all && passed
	}
	if !ran {
		c.Bad("routine", "no form of %s is computed on %s", name, platform)
	}
	return c.Return(nil, lua.LBool(all))
}
