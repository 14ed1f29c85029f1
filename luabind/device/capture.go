package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/array"
	"roclua/luabind/engine"
)

// fill is a captured copy to an array: each launch of the graph fills the array.
type fill struct {
	array *array.Array
	copy  *hip.HostCopy // nil on a platform that does not detect hazards of host memory
}

// Filled guards an array until the copy of n bytes to it that was queued last on a stream is done. A captured copy
// guards the array after each launch of its graph. Without a stream, the host has waited for the copy.
func Filled(c *engine.Call, a *array.Array, stream *hip.Stream, n uint64) {
	if stream == nil {
		return
	}
	copied := c.Device().LastHostCopy(stream, n)
	if id := stream.Captured(); id != 0 {
		addFills(c, id, fill{a, copied})
		return
	}
	a.FilledBy(copied)
}

// addFills adds copies to a capture.
func addFills(c *engine.Call, id uint64, list ...fill) {
	fills := of(c).fills
	fills[id] = append(fills[id], list...)
}

// CapturedBy returns the number of the capture of a stream, or 0. A stream may be nil.
func CapturedBy(stream *hip.Stream) uint64 {
	if stream == nil {
		return 0
	}
	return stream.Captured()
}

func hipStreamBeginCapture(_ *engine.Call, stream *hip.Stream, mode int64) error {
	return stream.BeginCapture(driver.CaptureMode(mode))
}

func hipStreamEndCapture(c *engine.Call, stream *hip.Stream) error {
	id := stream.Captured()
	g, err := stream.EndCapture()
	captured := of(c).fills
	fills := captured[id]
	if stream.Captured() == 0 {
		delete(captured, id)
	}
	return c.Return(err, c.VM.Object(graphType, &graphBox{g, fills}))
}

func hipStreamIsCapturing(c *engine.Call, stream *hip.Stream) error {
	status, err := stream.IsCapturing()
	return c.Return(err, lua.LNumber(status))
}

func hipStreamGetCaptureInfo(c *engine.Call, stream *hip.Stream) error {
	status, id, err := stream.CaptureInfo()
	return c.Return(err, lua.LNumber(status), lua.LNumber(id))
}

func hipThreadExchangeStreamCaptureMode(c *engine.Call, mode int64) error {
	before, err := c.Device().ExchangeCaptureMode(driver.CaptureMode(mode))
	return c.Return(err, lua.LNumber(before))
}
