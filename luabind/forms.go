package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
	"roclua/luabind/library"
)

// testForms calls a routine in each form that the platform computes, with the same problems. Each form is a row of
// t:case.
func testForms(c *engine.Call, t *test, name string, given *lua.LTable, check *lua.LFunction) error {
	problems, all := library.ReadProblems(c, name, given), true
	for i, form := range problems.Forms() {
		passed, err := t.row(c, form, t.s.VM.Function(c.Fn.Title(), func(l *lua.LState) int {
			l.Push(check)
			l.Push(t.object)
			l.Push(problems.Solve(l, i, t.object, t.schemeHandle(l)))
			l.Call(2, 0)
			return 0
		}))
		if err != nil {
			return err
		}
		all = all && passed
	}
	c.Out(lua.LBool(all))
	return nil
}
