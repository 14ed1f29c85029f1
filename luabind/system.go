package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
	"roclua/workspace"
)

// osFunctions are the functions of the module os that use the environment of the case.
var osFunctions = engine.Bodies{"getenv": engine.Takes1(osGetenv), "setenv": engine.Takes2(osSetenv)}

func osGetenv(c *engine.Call, name string) error {
	if value, set := c.VM.Env()[name]; set {
		c.Out(lua.LString(value))
	} else {
		c.Out(lua.LNil)
	}
	return nil
}

// osSetenv sets a variable for this case alone, or removes it.
func osSetenv(c *engine.Call, name string, value engine.Option[string]) error {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		c.Bad("name", `got %q, want a name without "=" and zero bytes`, name)
	}
	if err := workspace.CheckVariable(name); err != nil {
		c.Bad("name", "%s", err)
	}
	if value.Given {
		c.VM.Env()[name] = value.Value
	} else {
		delete(c.VM.Env(), name)
	}
	return nil
}
