package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/array"
	"roclua/luabind/device"
	"roclua/luabind/engine"
)

// testDefer keeps a function to call when the case ends: see callDeferred.
func testDefer(c *engine.Call, t *test, fn *lua.LFunction, args []lua.LValue) error {
	t.s.VM.Keep(fn)
	for _, arg := range args {
		t.s.VM.Keep(arg)
	}
	t.defers = append(t.defers, deferred{fn: fn, args: args, made: c.VM.Where(c.L)})
	return nil
}

// callDeferred calls the deferred functions, last one first. They can defer others.
func (t *test) callDeferred() {
	t.s.During(t.s.library.ReleaseStreams)
	for len(t.defers) > 0 {
		last := len(t.defers) - 1
		d := t.defers[last]
		t.defers = t.defers[:last]
		if d.released != nil && d.released() {
			continue
		}
		t.s.DeferredAt = d.made
		t.failed.Add(t.s.VM.Call(d.fn, d.args...))
	}
	t.s.DeferredAt = ""
}

func testMalloc(c *engine.Call, t *test, _ uint64) error { return t.own(c, "malloc", "free") }

func testUpload(c *engine.Call, t *test, _ *array.Array) error { return t.own(c, "upload", "free") }

func testStream(c *engine.Call, t *test, _ int64) error {
	return t.own(c, "stream_create_with_flags", "stream_destroy")
}

func testEvent(c *engine.Call, t *test) error { return t.own(c, "event_create", "event_destroy") }

// own makes something with a function of hip, which has the same parameters, and returns it. Another function of hip
// releases it when the case ends, unless the script has done so.
func (t *test) own(c *engine.Call, make, release string) error {
	l, top := c.L, c.L.GetTop()
	l.Push(c.ModuleFunction("hip", make))
	for i := 2; i <= top; i++ {
		l.Push(l.Get(i))
	}
	if make == "stream_create_with_flags" && top < 2 {
		l.Push(lua.LNumber(0))
	}
	l.Call(l.GetTop()-top-1, 1)
	made := l.Get(-1)
	l.Pop(1)
	c.Out(made)
	if made == lua.LNil { // of 0 bytes
		return nil
	}
	t.s.VM.Keep(made)
	t.defers = append(t.defers, deferred{fn: c.ModuleFunction("hip", release), args: []lua.LValue{made},
		made: c.VM.Where(l), released: device.Watch(c.Engine, made)})
	return nil
}
