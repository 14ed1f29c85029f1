package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/engine"
	"roclua/luabind/library"
)

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
	c.Out(lua.LBool(all))
	return nil
}
