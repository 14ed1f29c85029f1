package layout_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// TestUnwind raises an error below a Go function, unwinds to it, and looks at the variables of the script.
func TestUnwind(t *testing.T) {
	l := lua.NewState(lua.Options{MinimizeStackMemory: true, CallStackSize: 64})
	defer l.Close()
	l.SetGlobal("protected", l.NewFunction(func(l *lua.LState) int {
		mark := layout.Protect(l, 0)
		defer func() {
			if recover() != nil {
				mark.CloseUpvalues()
				mark.Unwind()
			}
			mark.Leave()
		}()
		l.Call(0, 0)
		return 0
	}))
	err := l.DoString(`
		local shared, escaped = 0
		for depth = 1, 20 do
			local function nest(n)
				if n > 0 then nest(n - 1) return end
				protected(function()
					local own = 10
					escaped = function() own = own + 1 return own end
					shared = shared + 1
					error("failed")
				end)
				shared = shared + 1
			end
			nest(depth)
			local a, b, c, d = 1, 2, 3, 4
			assert(escaped() == 11 and escaped() == 12)
		end
		assert(shared == 40, shared)`)
	if err != nil {
		t.Error(err)
	}
	if n := layout.Depth(l); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}
