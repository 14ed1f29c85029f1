package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/vm"
)

type streamBox struct{ stream *hip.Stream }
type eventBox struct{ event *hip.Event }

// Describe implements vm.Describer.
func (*streamBox) Describe() string { return "a stream" }

// Describe implements vm.Describer.
func (*eventBox) Describe() string { return "an event" }

const (
	streamType = "roclua.stream"
	eventType  = "roclua.event"
)

func (s *State) openStreams() {
	s.streamObjects = map[*hip.Stream]*lua.LUserData{}
	s.vm.NewType(streamType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(fmt.Sprintf("stream %d", vm.Receiver[*streamBox](s.vm, l).stream.ID())))
			return 1
		},
	})
	s.vm.NewType(eventType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString("event"))
			return 1
		},
	})
}

// streamObject returns the one userdata of a stream, so that == compares streams; the null stream is nil, as in C.
func (s *State) streamObject(stream *hip.Stream) lua.LValue {
	if stream == nil || stream.ID() == 0 {
		return lua.LNil
	}
	ud, ok := s.streamObjects[stream]
	if !ok {
		ud = s.vm.Object(streamType, &streamBox{stream})
		s.streamObjects[stream] = ud
	}
	return ud
}

// stream reads a stream; nil is the null stream of the current device.
func (c *call) stream(param string) *hip.Stream {
	v := c.take()
	if v.Type() == lua.LTNil {
		return c.s.device(c.l).NullStream()
	}
	if ud, ok := v.(*lua.LUserData); ok {
		if box, ok := ud.Value.(*streamBox); ok {
			return box.stream
		}
	}
	c.bad(param, "got %s, want a stream or nil", vm.Describe(v))
	return nil
}

func (c *call) event(param string) *hip.Event {
	v := c.take()
	if ud, ok := v.(*lua.LUserData); ok {
		if box, ok := ud.Value.(*eventBox); ok {
			return box.event
		}
	}
	c.bad(param, "got %s, want an event", vm.Describe(v))
	return nil
}
