package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/array"
	"roclua/luabind/engine"
)

// testCompare checks that the elements of two arrays are equal, up to a tolerance.
func testCompare(c *engine.Call, t *test, have, want *array.Array, given engine.Option[engine.Options],
	text engine.Option[string],
) error {
	compared := array.Compare(c, have, want, given.Or(engine.DefaultsOf(c, "options")))
	passed := compared.Differ == 0 && compared.Elements > 0
	addCheck(c, t, passed, text, compared.Have, compared.Want)
	c.Out(lua.LBool(passed))
	return nil
}
