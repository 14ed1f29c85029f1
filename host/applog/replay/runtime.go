package replay

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/recording"
)

// runtime follows a call of HIP: the order of work, captures, and memory. The libraries make some, too.
func (r *replay) runtime(c *recording.Call) {
	if follow := runtimeCalls[c.Name]; follow != nil && c.Status == 0 {
		follow(r, c)
	}
}

var runtimeCalls = map[string]func(*replay, *recording.Call){
	"hipStreamCreate":             (*replay).streamCreated,
	"hipStreamCreateWithFlags":    (*replay).streamCreated,
	"hipStreamCreateWithPriority": (*replay).streamCreated,
	"hipStreamDestroy":            (*replay).streamDestroyed,
	"hipStreamSynchronize":        (*replay).streamAwaited,
	"hipStreamQuery":              (*replay).streamAwaited,
	"hipMemcpyWithStream":         (*replay).streamAwaited,
	"hipMemcpy":                   (*replay).streamAwaited,
	"hipMemcpyDtoH":               (*replay).streamAwaited,
	"hipMemcpy2D":                 (*replay).streamAwaited,
	"hipDeviceSynchronize":        (*replay).deviceAwaited,
	"hipEventRecord":              (*replay).eventRecorded,
	"hipStreamWaitEvent":          (*replay).eventAwaitedByStream,
	"hipEventSynchronize":         (*replay).eventAwaited,
	"hipEventQuery":               (*replay).eventAwaited,
	"hipStreamBeginCapture":       (*replay).captureBegun,
	"hipStreamEndCapture":         (*replay).captureEnded,
	"hipMalloc":                   (*replay).blockAllocated,
	"hipMallocManaged":            (*replay).blockAllocated,
	"hipMallocAsync":              (*replay).blockAllocated,
	"hipFree": func(r *replay, c *recording.Call) {
		r.order.waitDevice(r.deviceOf(c), r.inLibrary)
		r.blockFreed(c)
	},
	"hipFreeAsync": (*replay).blockFreed,
}

// runtimeOf returns the calls of HIP that were made inside a call.
func runtimeOf(c *recording.Call) iter.Seq[*recording.Call] {
	return func(yield func(*recording.Call) bool) { eachRuntime(c, yield) }
}

func eachRuntime(c *recording.Call, yield func(*recording.Call) bool) bool {
	for _, inner := range c.Inside {
		if strings.HasPrefix(inner.Name, "hip") && !yield(inner) || !eachRuntime(inner, yield) {
			return false
		}
	}
	return true
}

// created returns the number of what a call creates.
func created(c *recording.Call) int {
	number, _ := c.Result(0)
	return int(number)
}

// argument returns the first argument of a kind.
func argument(c *recording.Call, letter recording.Letter) int64 {
	for _, v := range c.Args {
		if v.Letter == letter {
			return v.Int
		}
	}
	return 0
}

// queueOf returns the stream that a call names: the null stream of the current device if it names none.
func (r *replay) queueOf(c *recording.Call) queue {
	if s := argument(c, recording.Stream); s != 0 {
		return queue(s)
	}
	return nullOf(r.device(c.Device))
}

// streamOf returns the modelled stream that a call names.
func (r *replay) streamOf(c *recording.Call) *hip.Stream {
	return r.stream(int(argument(c, recording.Stream)), r.device(c.Device))
}

const nonblockingFlag = 1 // hipStreamNonBlocking

func (r *replay) streamCreated(c *recording.Call) {
	number := created(c)
	delete(r.streams, number)
	nonblocking := argument(c, recording.Uint32)&nonblockingFlag != 0
	r.newStream(number, r.device(c.Device), nonblocking)
	op := NewBlocking
	if nonblocking {
		op = NewStream
	}
	r.step(Step{Op: op, Stream: number, Device: r.device(c.Device)})
}

func (r *replay) streamDestroyed(c *recording.Call) {
	number := int(argument(c, recording.Stream))
	if s := r.streams[number]; s != nil {
		s.Destroy()
		delete(r.streams, number)
	}
}

func (r *replay) deviceAwaited(c *recording.Call) {
	r.order.waitDevice(r.device(c.Device), false)
	r.step(Step{Op: WaitDevice, Device: r.device(c.Device)})
}

// streamAwaited makes the host wait for a stream: the one that the call names, or the null stream.
func (r *replay) streamAwaited(c *recording.Call) {
	s := r.queueOf(c)
	if s.isNull() {
		r.order.work(s) // after the work of the blocking streams
	}
	r.order.waitStream(s)
	if c.Name == "hipStreamSynchronize" {
		r.step(Step{Op: WaitStream, Stream: max(int(s), 0), Device: r.device(c.Device)})
	}
}

func (r *replay) eventRecorded(c *recording.Call) {
	event, s := int(argument(c, recording.Event)), r.queueOf(c)
	r.order.work(s)
	r.order.record(event, s)
	r.step(Step{Op: RecordEvent, Event: event, Stream: max(int(s), 0), Device: r.device(c.Device)})
	stream := r.streamOf(c)
	if e := r.event(event, stream.Device()); e != nil {
		e.Record(stream)
	}
}

func (r *replay) eventAwaitedByStream(c *recording.Call) {
	event, s := int(argument(c, recording.Event)), r.queueOf(c)
	r.order.wait(s, event)
	r.step(Step{Op: WaitEvent, Event: event, Stream: max(int(s), 0), Device: r.device(c.Device)})
	stream := r.streamOf(c)
	if e := r.event(event, stream.Device()); e != nil {
		stream.WaitEvent(e)
	}
}

func (r *replay) eventAwaited(c *recording.Call) {
	r.order.waitEvent(int(argument(c, recording.Event)))
}

// event returns the modelled event with a recorded number. It is made on the device that first uses it.
func (r *replay) event(number int, d *hip.Device) *hip.Event {
	e := r.events[number]
	if e == nil {
		e, _ = d.NewEvent()
		r.events[number] = e
	}
	return e
}

func (r *replay) captureBegun(c *recording.Call) {
	r.streamOf(c).BeginCapture(driver.CaptureMode(argument(c, recording.Int32)))
}

func (r *replay) captureEnded(c *recording.Call) {
	if g, err := r.streamOf(c).EndCapture(); err == nil {
		g.Destroy()
	}
	for space := range maps.Values(r.spaces) {
		space.captured = nil
	}
	for _, h := range r.handles {
		h.own.captured = nil
	}
}

// capturing reports whether the stream of a routine's call is being captured.
func (r *replay) capturing(c *recording.Call) bool {
	status, err := r.stream(c.Stream, r.device(c.Device)).IsCapturing()
	return err == nil && status != driver.CaptureNone
}

// block is memory that a recording shows.
type block struct {
	bytes  uint64
	device int
}

func (r *replay) blockAllocated(c *recording.Call) {
	if address, ok := c.Result(0); ok && address != 0 {
		bytes, _ := sizeOf(c)
		r.memory[address] = block{bytes, r.device(c.Device)}
	}
}

// deviceOf returns the device of the memory that a call frees; it is the current one if its allocation is missing.
func (r *replay) deviceOf(c *recording.Call) int {
	if b, ok := r.memory[uint64(argument(c, recording.Address))]; ok {
		return b.device
	}
	return r.device(c.Device)
}

// blockFreed notes that the user-owned workspaces in a block are gone.
func (r *replay) blockFreed(c *recording.Call) {
	address := uint64(argument(c, recording.Address))
	bytes := r.memory[address].bytes
	delete(r.memory, address)
	for at, space := range r.spaces {
		if at < address || at-address >= max(bytes, 1) {
			continue
		}
		place := r.place(c)
		space.freed = &place
		if space.captured != nil {
			r.find(Captured, space.owner, c, fmt.Sprintf("it frees the workspace while a capture uses it (%s, call %d)",
				space.captured.Name, space.captured.Call))
		}
		delete(r.spaces, at)
	}
}
