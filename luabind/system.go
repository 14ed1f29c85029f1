package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// osFunctions are the functions of the module os that follow the environment of the case.
var osFunctions = bodies{"getenv": takes1(osGetenv), "setenv": takes2(osSetenv)}

func osGetenv(c *call, name string) error {
	if value, set := c.s.vm.Env()[name]; set {
		c.out(lua.LString(value))
	} else {
		c.out(lua.LNil)
	}
	return nil
}

// osSetenv sets a variable for this case alone, or removes it.
func osSetenv(c *call, name string, value option[string]) error {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		c.bad("name", `got %q, want a name without "=" and zero bytes`, name)
	}
	if value.given {
		c.s.vm.Env()[name] = value.value
	} else {
		delete(c.s.vm.Env(), name)
	}
	return nil
}
