package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/luabind/engine"
)

func readArray(c *engine.Call, p *api.Param, v lua.LValue) *Array {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	a := engine.Object[*Array](c, p, v)
	if !p.Filled {
		a.BeforeUse(c.Fn.Title())
	}
	return a
}

// numbers is a host array of numbers.
type numbers struct{ *Array }

func readNumbers(c *engine.Call, p *api.Param, v lua.LValue) numbers {
	a := readArray(c, p, v)
	if !a.isNumber() {
		c.Bad(p.Name, "got an array of device pointers, want %s", p.Want())
	}
	return numbers{a}
}

func readElementType(c *engine.Call, p *api.Param, v lua.LValue) ElementKind {
	text, ok := v.(lua.LString)
	kind, known := elementOf[string(text)]
	if !ok || !known {
		c.Want(p, v)
	}
	return kind
}
