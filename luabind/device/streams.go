package device

import (
	"errors"
	"fmt"
	"runtime"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
)

type streamBox struct{ stream *hip.Stream }
type eventBox struct{ event *hip.Event }

// Describe implements vm.Describer.
func (*streamBox) Describe() string { return "a stream" }

// Describe implements vm.Describer.
func (*eventBox) Describe() string { return "an event" }

// Share implements engine.Shared.
func (b *streamBox) Share(to *engine.Engine) lua.LValue {
	return StreamValue(&engine.Call{Engine: to, L: to.VM.State()}, b.stream)
}

// Share implements engine.Shared.
func (b *eventBox) Share(to *engine.Engine) lua.LValue { return to.VM.Object(eventType, b) }

const (
	streamType = "roclua.stream"
	eventType  = "roclua.event"
)

func openStreams(e *engine.Engine) {
	e.VM.NewType(streamType, map[string]lua.LGFunction{
		"__tostring": engine.Text(e.VM, func(b *streamBox) string { return fmt.Sprintf("stream %d", b.stream.ID()) }),
		"__eq": func(l *lua.LState) int {
			other, _ := l.Get(2).(*lua.LUserData).Value.(*streamBox)
			return vm.Push(l, lua.LBool(other != nil && vm.Receiver[*streamBox](e.VM, l).stream == other.stream))
		},
	})
	e.VM.NewType(eventType, map[string]lua.LGFunction{
		"__tostring": engine.Text(e.VM, func(*eventBox) string { return "event" }),
	})
}

func readStream(c *engine.Call, p *api.Param, v lua.LValue) *hip.Stream {
	switch v := v.(type) {
	case *lua.LNilType:
		return c.Device().NullStream()
	case lua.LNumber:
		if v == driver.StreamLegacy || v == driver.StreamPerThread {
			s, err := c.Device().NamedStream(int(v))
			if err != nil {
				c.Bad(p.Name, "%s", err)
			}
			return s
		}
	}
	return engine.Object[*streamBox](c, p, v).stream
}

func readEvent(c *engine.Call, p *api.Param, v lua.LValue) *hip.Event {
	if v == lua.LNil {
		return c.Device().Current().NullEvent()
	}
	return engine.Object[*eventBox](c, p, v).event
}

// StreamValue returns the userdata of a stream. An open stream has only one, so that streams can be keys of tables. The
// null stream is nil, and the streams that HIP names by numbers are these numbers.
func StreamValue(c *engine.Call, stream *hip.Stream) lua.LValue {
	if stream == nil || stream.ID() == 0 && stream.Number() == 0 {
		return lua.LNil
	}
	if n := stream.Number(); n != 0 {
		return lua.LNumber(n)
	}
	open := of(c).streams
	ud, ok := open[stream]
	if !ok {
		ud = c.VM.Object(streamType, &streamBox{stream})
		if !stream.Destroyed() {
			open[stream] = ud
		}
	}
	return ud
}

// destroyStream destroys a stream and drops its userdata, so that a script can create any number of streams.
func destroyStream(c *engine.Call, stream *hip.Stream) error {
	err := notReady(c, stream.Destroy())
	if stream.Destroyed() {
		delete(of(c).streams, stream)
	}
	return err
}

// notReady returns hipErrorNotReady as the status of a query instead of raising it. A script that polls lets the device
// work, also where goroutines are not preempted.
func notReady(c *engine.Call, err error) error {
	if errors.Is(err, driver.ErrorNotReady) {
		runtime.Gosched()
		c.Status = c.Statuses.Value(driver.ErrorNotReady)
		return nil
	}
	return err
}

// polling makes the body of a method of streams or events.
func polling[T any](do func(T) error) engine.Body {
	return engine.Takes1(func(c *engine.Call, object T) error { return notReady(c, do(object)) })
}

func hipStreamCreate(c *engine.Call) error { return hipStreamCreateWithFlags(c, 0) }

func hipStreamCreateWithFlags(c *engine.Call, flags int64) error {
	stream, err := c.Device().NewStream(flags == 1)
	if err == nil {
		c.Out(StreamValue(c, stream))
	}
	return err
}

// hipStreamWaitEvent ignores the flags, which can only be 0.
func hipStreamWaitEvent(_ *engine.Call, stream *hip.Stream, event *hip.Event, _ int64) error {
	return stream.WaitEvent(event)
}

func hipEventCreate(c *engine.Call) error {
	e, err := c.Device().NewEvent()
	return c.Return(err, c.VM.Object(eventType, &eventBox{e}))
}

func hipEventElapsedTime(c *engine.Call, start, stop *hip.Event) error {
	ms, err := hip.Elapsed(start, stop)
	return c.Return(err, lua.LNumber(ms))
}

func hipLaunchHostFunc(c *engine.Call, stream *hip.Stream, fn *lua.LFunction, data lua.LValue) error {
	return c.HostFuncs.Launch(c, stream, fn, data)
}
