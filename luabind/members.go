package luabind

import (
	"cmp"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/device"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// The declaration of the scenario's field bytes.
var (
	scenarioTable = &api.Function{Owner: "scenario", Name: "bytes"}
	scenarioBytes = &api.Param{Name: "bytes", Kind: api.Bytes}
)

// openTest declares the type of t or c.
func openTest(e *engine.Engine, name string) {
	e.VM.NewType(name, map[string]lua.LGFunction{
		"__index": func(l *lua.LState) int {
			return vm.Push(l, vm.Receiver[*test](e.VM, l).field(l, l.CheckString(2)))
		},
		"__newindex": func(l *lua.LState) int {
			e.VM.Raisef(l, "%s.%s cannot be set; keep values in local variables",
				vm.Receiver[*test](e.VM, l).letter(), l.CheckString(2))
			return 0
		},
	})
}

// field returns a parameter, a field or a method of t.
func (t *test) field(l *lua.LState, name string) lua.LValue {
	if v, ok := t.c.Params[name]; ok {
		return luaValue(v)
	}
	switch name {
	case "scheme":
		if t.c.Scheme == "" {
			return lua.LNil
		}
		return lua.LString(t.c.Scheme)
	case "seed":
		return lua.LNumber(t.c.Seed)
	case "profile":
		return lua.LString(t.s.Profile.Name)
	case "arch":
		arch := ""
		t.s.During(func() { arch = t.s.Device().Properties().Arch })
		return lua.LString(arch)
	case "platform":
		return lua.LString(t.s.NeedRuntime().Platform())
	case "virtual_time":
		return lua.LBool(t.s.NeedRuntime().Clock() != nil)
	case "env":
		env := l.CreateTable(0, 0)
		for k, v := range t.s.Env {
			env.RawSetString(k, lua.LString(v))
		}
		return env
	case "handle":
		return t.schemeHandle(l)
	}
	if name == "data" && t.setUp != nil {
		data, err := t.setupData()
		if err != nil {
			t.s.Raise(l, err)
		}
		return data
	}
	class, names := "test", slices.Clone(testFields())
	if t.client != nil {
		if v := t.client.field(l, name); v != nil {
			return v
		}
		class, names = "client", engine.MembersOf("client")
	}
	if method := t.s.Method(class, name); method != nil {
		return method
	}
	for p := range t.c.Params {
		names = append(names, p)
	}
	t.s.VM.Raisef(l, "%s has no parameter or function %q%s", t.letter(), name, nearest.DidYouMean(name, names))
	return lua.LNil
}

// schemeHandle returns the handle of the case. It is created under its scheme when it is first used, so that setup can
// set environment variables before.
func (t *test) schemeHandle(l *lua.LState) lua.LValue {
	if t.handle != nil {
		return t.handle
	}
	if t.c.Scheme == "" {
		t.s.VM.Raisef(l, "%[1]s.handle: the scenario has no schemes; use %[1]s:open{} or rocblas.create_handle()",
			t.letter())
	}
	handle := t.s.library.OpenUnder(l, t.c.Scheme, t.schemeBytes(l))
	if t.client != nil {
		t.client.useStream(l, handle)
	}
	t.handle = handle
	return t.handle
}

// schemeBytes evaluates the scenario's field bytes.
func (t *test) schemeBytes(l *lua.LState) uint64 {
	v := t.bytes
	if fn, ok := v.(*lua.LFunction); ok {
		l.Push(fn)
		l.Push(t.object)
		l.Call(1, 1)
		v = l.Get(-1)
		l.Pop(1)
	}
	if v.Type() == lua.LTNil {
		return 0
	}
	return engine.ReadBytes(&engine.Call{Engine: t.s.Engine, L: l, Fn: scenarioTable}, scenarioBytes, v)
}

// testOpen creates a handle under a scheme. It is closed when the case ends.
func testOpen(c *engine.Call, t *test, options engine.Options) error {
	scheme := cmp.Or(engine.OptionOf(options, "scheme", t.c.Scheme), workspace.SchemeManaged)
	if reason := t.s.Profile.SkipScheme(scheme); reason != "" {
		return &engine.Skipped{Reason: reason}
	}
	return c.Return(nil, t.s.library.OpenUnder(c.L, scheme, engine.OptionOf[uint64](options, "bytes", 0)))
}

// luaValue converts a Go number, string or boolean to Lua.
func luaValue(v any) lua.LValue {
	switch v := v.(type) {
	case float64:
		return lua.LNumber(v)
	case int64:
		return lua.LNumber(v)
	case int:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	}
	return lua.LNil
}

// field returns a field of c that t does not have; nil for none.
func (c *client) field(l *lua.LState, name string) lua.LValue {
	switch name {
	case "id":
		return lua.LNumber(c.id)
	case "clients":
		return lua.LNumber(c.of.plan.MostClients())
	case "shared":
		return c.shared
	case "stream":
		return c.ownStream(l)
	}
	return nil
}

// ownStream returns the stream of the client.
func (c *client) ownStream(l *lua.LState) (v lua.LValue) {
	c.s.During(func() {
		if c.stream == nil {
			s, err := c.s.Device().NewStream(true)
			if err != nil {
				c.s.Raise(l, err)
			}
			c.stream = s
		}
		v = device.StreamValue(&engine.Call{Engine: c.s.Engine, L: l}, c.stream)
	})
	return v
}

// useStream makes a handle that was opened under the scheme use the stream of the client.
func (c *client) useStream(l *lua.LState, handle lua.LValue) {
	c.ownStream(l)
	c.s.During(func() {
		if err := c.s.library.SetStream(handle, c.stream); err != nil {
			c.s.Raise(l, err)
		}
	})
}

// setupData returns t.data: a copy of the result of the scenario's setup_all, or of the folder's _setup.lua. It is nil
// without either.
func (t *test) setupData() (lua.LValue, error) {
	if t.data != nil {
		return t.data, nil
	}
	made := t.setUp(t)
	t.record.Required = append(t.record.Required, made.required...)
	if made.err != nil {
		return nil, made.err
	}
	// The process has the original and the copy.
	t.s.VM.Meter().Reserve(t.s.VM.Current(), 2*made.bytes)
	t.s.outside += made.bytes
	sharing := sharing{to: t.s.Engine, plain: true, copies: true}
	v, err := sharing.copy("the result of setup_all", made.data, 0)
	if err != nil {
		return nil, err
	}
	t.s.VM.Keep(v)
	t.data = v
	return v, nil
}
