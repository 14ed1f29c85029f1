package layout_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// protected calls its first argument with the others, and drops an error.
func protected(l *lua.LState) int {
	arguments := l.GetTop()
	for i := range arguments {
		l.Push(l.Get(i + 1))
	}
	mark := layout.Protect(l, arguments-1)
	defer mark.Leave()
	defer func() {
		if recover() != nil {
			mark.CloseUpvalues()
			mark.Unwind()
			if l.GetTop() != arguments {
				panic("values are left on the stack")
			}
		}
	}()
	l.Call(arguments-1, 0)
	return 0
}

// TestUnwindOutside unwinds a call that no function made.
func TestUnwindOutside(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	failing, err := l.LoadString(`local own = 10 escaped = function() own = own + 1 return own end error("failed")`)
	if err != nil {
		t.Fatal(err)
	}
	l.Push(lua.LTrue)
	l.Push(failing)
	protected := layout.Protect(l, 0)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no error")
			}
		}()
		l.Call(0, 0)
	}()
	protected.CloseUpvalues()
	protected.Unwind()
	protected.Leave()
	if l.GetTop() != 1 || l.Get(1) != lua.LTrue || layout.Depth(l) != 0 {
		t.Errorf("%d values, %v, %d calls", l.GetTop(), l.Get(1), layout.Depth(l))
	}
	if err := l.DoString("assert(escaped() == 11 and escaped() == 12)"); err != nil {
		t.Error(err)
	}
}

// TestCloseUpvalues closes the variables of a thread that an error ends, unless a protected call does so later.
func TestCloseUpvalues(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	l.SetGlobal("close", l.NewFunction(func(l *lua.LState) int {
		layout.CloseUpvalues(l)
		return 0
	}))
	l.SetGlobal("closeProtected", l.NewFunction(func(l *lua.LState) int {
		l.Push(l.GetGlobal("close"))
		mark := layout.Protect(l, 0)
		defer mark.Leave()
		l.Call(0, 0)
		return 0
	}))
	err := l.DoString(`
		local a, b = 1, 2
		local function add() a = a + 1 b = b + 1 end
		closeProtected()
		add()
		assert(a == 2 and b == 3, "closed too early")
		close()
		add()
		assert(a == 2 and b == 3, "still open")`)
	if err != nil {
		t.Error(err)
	}
}

// TestUnwind raises an error below a Go function, unwinds to it, and looks at the variables of the script.
func TestUnwind(t *testing.T) {
	l := lua.NewState(lua.Options{MinimizeStackMemory: true, CallStackSize: 64})
	defer l.Close()
	l.SetGlobal("protected", l.NewFunction(protected))
	l.SetGlobal("calls", l.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LNumber(layout.Depth(l)))
		return 1
	}))
	err := l.DoString(`
		local shared, escaped = 0
		for depth = 1, 20 do
			local function nest(n)
				if n > 0 then nest(n - 1) return end
				local before = calls()
				protected(nil, 1)
				protected(function(a)
					local own = a
					escaped = function() own = own + 1 return own end
					shared = shared + 1
					error("failed")
				end, 10)
				assert(calls() == before)
				shared = shared + 1
			end
			nest(depth)
			local a, b, c, d = 1, 2, 3, 4
			assert(escaped() == 11 and escaped() == 12)
		end
		assert(shared == 40, shared)
		finished = true`)
	if err != nil || l.GetGlobal("finished") != lua.LTrue {
		t.Error("not finished", err)
	}
	if n := layout.Depth(l); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}
