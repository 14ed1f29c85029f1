package lualib_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// Give scripts a module of the host. Errors that its functions raise keep their Go cause.
func ExampleLibrary_Preload() {
	m := vm.New(context.Background(), vm.Options{Output: os.Stdout})
	defer m.Close()
	lib := lualib.Open(m, lualib.Options{})
	lib.Preload("settings", func() lua.LValue {
		module := m.State().NewTable()
		module.RawSetString("load", m.Function("settings.load", func(l *lua.LState) int {
			name := l.CheckString(1)
			m.Raise(l, &fs.PathError{Op: "load", Path: name, Err: fs.ErrNotExist})
			return 0
		}))
		return module
	})
	file, err := script.Compile("main.lua", []byte(`
		local settings = require "settings"
		print(pcall(settings.load, "a.conf"))
		settings.load("b.conf")`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.Run(file, 0)
	fmt.Println(err)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// false	load a.conf: file does not exist
	// main.lua:4: load b.conf: file does not exist
	// true
}
