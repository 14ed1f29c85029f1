package sequence

import (
	"math/rand/v2"

	"roclua/hip/driver"
)

// Names of operations that are HIP functions, and of the function that uses a stream.
const (
	setStream    = "set_stream"
	beginCapture = "stream_begin_capture"
	endCapture   = "stream_end_capture"
	recordEvent  = "event_record"
	waitEvent    = "stream_wait_event"
)

// hipNames are the C names of the functions of HIP.
var hipNames = map[string]string{setDevice: "hipSetDevice", beginCapture: "hipStreamBeginCapture",
	endCapture: "hipStreamEndCapture", recordEvent: "hipEventRecord", waitEvent: "hipStreamWaitEvent",
	fill: "hipMalloc", drain: "hipFree"}

// The streams of sequences in addition to the null stream, and their events. The first stream synchronizes with the
// null stream, the others do not.
const (
	streamCount = 3
	eventCount  = 2

	perThreadStream = streamCount + 1 // hipStreamPerThread
	legacyStream    = streamCount + 2 // hipStreamLegacy, another name of the null stream
)

// blocking reports whether a stream synchronizes with the null stream.
func blocking(stream int) bool { return stream == 1 }

// IsHIP reports whether the operation is a HIP function.
func (op *Operation) IsHIP() bool { return hipNames[op.Name] != "" }

// UsesStreams reports whether the operation needs the streams of sequences.
func (op *Operation) UsesStreams() bool {
	return op.IsHIP() && op.Name != setDevice && !op.takesRoom() || op.Name == setStream
}

// SetStream sets the stream of the handle.
func SetStream(stream int) *Operation { return &Operation{Name: setStream, Stream: stream} }

// BeginCapture begins the capture of a stream.
func BeginCapture(stream int, mode driver.CaptureMode) *Operation {
	return &Operation{Name: beginCapture, Stream: stream, Mode: mode}
}

// EndCapture ends the capture of a stream.
func EndCapture(stream int) *Operation { return &Operation{Name: endCapture, Stream: stream} }

// Order makes later work in one stream wait for earlier work in another.
func Order(before, after, event int) []*Operation {
	return []*Operation{{Name: recordEvent, Stream: before, Event: event},
		{Name: waitEvent, Stream: after, Event: event}}
}

// endCaptures ends the captures of all streams.
func endCaptures() []*Operation {
	var ops []*Operation
	for stream := 1; stream <= perThreadStream; stream++ {
		ops = append(ops, EndCapture(stream))
	}
	return ops
}

// drawDirect lets other operations follow calls directly, and repeats some of the calls: what a call of the library
// returns can depend on the call of HIP before it.
func drawDirect(r *rand.Rand, ops []*Operation) []*Operation {
	var list []*Operation
	for _, op := range ops {
		list = append(list, op)
		if op.Call == nil || r.IntN(4) != 0 {
			continue
		}
		op.Direct = true
		if r.IntN(2) == 0 {
			again := *op
			again.Direct = r.IntN(2) == 0
			list = append(list, &again)
		}
	}
	return list
}

// drawCapture draws operations related to captures: on streams, on events, and on handles created or destroyed during a
// capture. A capture often begins in the handle's stream.
func drawCapture(r *rand.Rand, env map[string]string) []*Operation {
	stream := 1 + r.IntN(streamCount)
	if r.IntN(8) == 0 {
		stream = []int{0, perThreadStream, legacyStream}[r.IntN(3)]
	}
	mode := driver.CaptureMode(r.IntN(3))
	switch r.IntN(16) {
	case 0, 1:
		return []*Operation{BeginCapture(stream, mode)}
	case 2, 3:
		return []*Operation{SetStream(stream), BeginCapture(stream, mode)}
	case 4, 5, 6:
		return []*Operation{EndCapture(stream)}
	case 7, 8:
		return []*Operation{SetStream(stream)}
	case 9, 10:
		return []*Operation{{Name: recordEvent, Stream: stream, Event: r.IntN(eventCount)}}
	case 11, 12:
		return []*Operation{{Name: waitEvent, Stream: stream, Event: r.IntN(eventCount)}}
	case 13:
		return Order(stream, r.IntN(streamCount+1), r.IntN(eventCount))
	case 14:
		return []*Operation{{Name: setPointerMode, Size: uint64(r.IntN(2))}}
	}
	return []*Operation{DestroyHandle(), CreateHandle(env)}
}
