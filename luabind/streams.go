package luabind

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
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

// streamClass makes streams and events.
type streamClass struct {
	s       *state
	objects map[*hip.Stream]*lua.LUserData // of streams that are open
}

func (sc *streamClass) open() {
	sc.s.vm.NewType(streamType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(fmt.Sprintf("stream %d", vm.Receiver[*streamBox](sc.s.vm, l).stream.ID())))
			return 1
		},
		"__eq": func(l *lua.LState) int {
			other, _ := l.Get(2).(*lua.LUserData).Value.(*streamBox)
			l.Push(lua.LBool(other != nil && vm.Receiver[*streamBox](sc.s.vm, l).stream == other.stream))
			return 1
		},
	})
	sc.s.vm.NewType(eventType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString("event"))
			return 1
		},
	})
}

// value returns the userdata of a stream. There is one for each open stream, so that streams can be keys of tables. The
// null stream is nil.
func (sc *streamClass) value(stream *hip.Stream) lua.LValue {
	if stream == nil || stream.ID() == 0 {
		return lua.LNil
	}
	ud, ok := sc.objects[stream]
	if !ok {
		ud = sc.s.vm.Object(streamType, &streamBox{stream})
		if !stream.Destroyed() {
			sc.objects[stream] = ud
		}
	}
	return ud
}

// destroyStream destroys a stream and drops its userdata, so that a script can create any number of streams.
func destroyStream(c *call, stream *hip.Stream) error {
	err := c.notReady(stream.Destroy())
	if stream.Destroyed() {
		delete(c.s.streams.objects, stream)
	}
	return err
}

// notReady returns hipErrorNotReady as the status of a query instead of raising it.
func (c *call) notReady(err error) error {
	if errors.Is(err, driver.ErrorNotReady) {
		c.status = c.s.statuses.hip(driver.ErrorNotReady)
		return nil
	}
	return err
}

// onStream makes a function of a method of streams.
func onStream(do func(*hip.Stream) error) func(*call, *hip.Stream) error {
	return func(c *call, stream *hip.Stream) error { return c.notReady(do(stream)) }
}

// onEvent makes a function of a method of events.
func onEvent(do func(*hip.Event) error) func(*call, *hip.Event) error {
	return func(c *call, event *hip.Event) error { return c.notReady(do(event)) }
}

func hipStreamCreate(c *call) error { return hipStreamCreateWithFlags(c, 0) }

func hipStreamCreateWithFlags(c *call, flags int64) error {
	stream, err := c.s.device(c.l).NewStream(flags == 1)
	if err == nil {
		c.out(c.s.streams.value(stream))
	}
	return err
}

// hipStreamWaitEvent ignores the flags, of which 0 is the only value.
func hipStreamWaitEvent(_ *call, stream *hip.Stream, event *hip.Event, _ int64) error {
	return stream.WaitEvent(event)
}

func hipEventCreate(c *call) error {
	e, err := c.s.device(c.l).NewEvent()
	c.out(c.s.vm.Object(eventType, &eventBox{e}))
	return err
}

func hipEventRecord(_ *call, event *hip.Event, stream *hip.Stream) error { return event.Record(stream) }

func hipEventElapsedTime(c *call, start, stop *hip.Event) error {
	ms, err := hip.Elapsed(start, stop)
	c.out(lua.LNumber(ms))
	return err
}
