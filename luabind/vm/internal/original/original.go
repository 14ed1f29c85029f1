// Package original has the functions of gopher-lua's own libraries.
package original

import (
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// Functions returns the functions by library and name. The base functions are in "_G". A machine takes only the
// functions that it needs: opening all libraries and replacing most of their functions takes longer than many scripts.
var Functions = sync.OnceValue(func() map[string]map[string]lua.LGFunction {
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	all := map[string]map[string]lua.LGFunction{}
	for name, open := range map[string]lua.LGFunction{"_G": lua.OpenBase, lua.TabLibName: lua.OpenTable,
		lua.MathLibName: lua.OpenMath, lua.CoroutineLibName: lua.OpenCoroutine} {
		l.Push(l.NewFunction(open))
		l.Push(lua.LString(name))
		l.Call(1, 1)
		all[name] = map[string]lua.LGFunction{}
		l.Get(-1).(*lua.LTable).ForEach(func(key, v lua.LValue) {
			if fn, ok := v.(*lua.LFunction); ok {
				all[name][key.String()] = fn.GFunction
			}
		})
	}
	return all
})
