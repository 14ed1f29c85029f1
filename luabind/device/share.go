package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/engine"
)

// Share returns a stream or an event of another machine for scripts of this one; ok is false for other objects.
func Share(e *engine.Engine, v *lua.LUserData) (shared lua.LValue, ok bool) {
	switch box := v.Value.(type) {
	case *streamBox:
		if e != nil {
			shared = StreamValue(&engine.Call{Engine: e, L: e.VM.State()}, box.stream)
		}
	case *eventBox:
		if e != nil {
			shared = e.VM.Object(eventType, box)
		}
	default:
		return nil, false
	}
	return shared, true
}
