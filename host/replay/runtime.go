package replay

import (
	"fmt"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/host/recording"
)

// runtime replays a HIP call that the program or a library above rocBLAS made, and compares the status.
func (r *replay) runtime(c *recording.Call) {
	name := strings.TrimSuffix(c.Name, perThread)
	replay := runtimeCalls[name]
	if f, ok := function.Lookup(c.Name); ok {
		if replay == nil {
			replay = copyOf(f)
		}
		if c.Status == 0 && f.Unfollowed != "" {
			r.unfollowed(c.Name, f.Unfollowed)
		}
	}
	if replay == nil || c.Unfinished || driver.Error(c.Status) == driver.ErrorNotReady {
		return // a query that was answered by not ready orders nothing
	}
	r.score = &r.Devices[r.device(c.Device)].Agreement
	if d := r.device(c.Device); r.rt.Device().Index() != d && c.Name != "hipSetDevice" {
		r.rt.SetDevice(d)
	}
	r.expect(c)
	err := replay(r, c)
	clock := r.rt.Clock()
	for pause := time.Microsecond; clock != nil && driver.CodeOf(err) == driver.ErrorNotReady; pause *= 2 {
		clock.Set(clock.Now() + pause) // the program asked until the work had ended
		err = replay(r, c)
	}
	r.Times.add(r.rt.Trace())
	code, recorded := driver.CodeOf(err), driver.Error(c.Status)
	r.compareStatus(c, recorded.Error(), code.Error(), recorded == driver.Success, code == driver.Success, err)
}

// perThread ends the names of functions whose null stream is the thread's own.
const perThread = "_spt"

// unfollowed counts a call whose effect the replay does not follow.
func (r *replay) unfollowed(name, why string) {
	r.NotFollowed[fmt.Sprintf("%s is not followed: %s", name, why)]++
}

// runtimeCall replays a call to HIP.
type runtimeCall func(*replay, *recording.Call) error

// runtimeCalls are the functions of HIP that matter to memory and to the order of its uses, except copies.
var runtimeCalls = map[string]runtimeCall{}

func init() {
	for _, of := range []struct {
		replay runtimeCall
		names  string
	}{
		{(*replay).createStream, "hipStreamCreate hipStreamCreateWithFlags hipStreamCreateWithPriority " +
			"hipExtStreamCreateWithCUMask"},
		{(*replay).destroyStream, "hipStreamDestroy"},
		{(*replay).awaitStream, "hipStreamSynchronize hipStreamQuery"},
		{(*replay).awaitEvent, "hipStreamWaitEvent"},
		{(*replay).beginCapture, "hipStreamBeginCapture hipStreamBeginCaptureToGraph"},
		{(*replay).endCapture, "hipStreamEndCapture"},
		{(*replay).recordEvent, "hipEventRecord hipEventRecordWithFlags"},
		{(*replay).malloc, "hipMallocPitch hipMemAllocPitch hipMalloc3D hipMalloc hipMallocManaged " +
			"hipExtMallocWithFlags hipMallocAsync hipMallocFromPoolAsync"},
		{(*replay).hostMalloc, "hipHostMalloc hipHostAlloc hipMallocHost hipMemAllocHost"},
		{(*replay).instantiate, "hipGraphInstantiate hipGraphInstantiateWithFlags hipGraphInstantiateWithParams"},
		{(*replay).launch, "hipGraphLaunch"},
		{succeeded((*replay).cloneGraph), "hipGraphClone hipGraphCreate"},
		{succeeded((*replay).updateExec), "hipGraphExecUpdate"},
		{succeeded((*replay).addGraph), "hipGraphAddChildGraphNode"},
		{succeeded((*replay).addCopy), "hipGraphAddMemcpyNode1D"},
		{succeeded((*replay).writeValue), "hipStreamWriteValue32 hipStreamWriteValue64"},
		{succeeded((*replay).awaitValue), "hipStreamWaitValue32 hipStreamWaitValue64"},
		{(*replay).launchWithEvents, "hipExtLaunchKernel hipExtModuleLaunchKernel hipHccModuleLaunchKernel"},
		{succeeded((*replay).malloc), "hipMemMap"},
		{succeeded((*replay).unmap), "hipMemUnmap"},
		{succeeded((*replay).reset), "hipDeviceReset hipDevicePrimaryCtxReset"},
		{(*replay).awaitDevice, "hipCtxSynchronize hipDeviceSynchronize"},
		{(*replay).destroyGraph, "hipGraphDestroy"},
		{(*replay).destroyExec, "hipGraphExecDestroy"},
		{(*replay).synchronizeEvent, "hipEventSynchronize hipEventQuery"},
		{(*replay).destroyEvent, "hipEventDestroy"},
		{(*replay).free, "hipFree hipFreeAsync"},
		{succeeded((*replay).exchangeMode), "hipThreadExchangeStreamCaptureMode"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			runtimeCalls[name] = of.replay
		}
	}
}

// succeeded replays calls that succeeded when they were recorded.
func succeeded(call runtimeCall) runtimeCall {
	return func(r *replay, c *recording.Call) error {
		if c.Status != 0 {
			return driver.Error(c.Status)
		}
		return call(r, c)
	}
}

func (r *replay) awaitDevice(*recording.Call) error {
	return r.rt.Device().Synchronize()
}

// reset frees all memory of the program on a device.
func (r *replay) reset(c *recording.Call) error {
	d := r.device(c.Device)
	if c.Name == "hipDevicePrimaryCtxReset" {
		d = r.device(int(argument(c, function.Int32)))
	}
	err := r.rt.Devices()[d].Synchronize()
	for i := range r.memory {
		if b := &r.memory[i]; b.device == d && !b.freed {
			r.release([]block{*b})
			b.freed = true
		}
	}
	return err
}

// hostMalloc notes memory of the host, which can have the addresses of memory that was freed.
func (r *replay) hostMalloc(c *recording.Call) error {
	bytes, _ := sizeOf(c)
	if address, ok := c.Result(0); ok {
		r.memory.forget(address, bytes)
	}
	return asRecorded(c)
}

// streamOf returns the modelled stream that a call names.
func (r *replay) streamOf(c *recording.Call) *hip.Stream {
	if argument(c, function.Stream) == 0 && strings.HasSuffix(c.Name, perThread) {
		if s, err := r.rt.Device().NamedStream(driver.StreamPerThread); err == nil {
			return s
		}
	}
	return r.stream(int(argument(c, function.Stream)), r.device(c.Device))
}

const nonblockingFlag = 1 // hipStreamNonBlocking

func (r *replay) createStream(c *recording.Call) error {
	nonblocking := argument(c, function.Uint32)&nonblockingFlag != 0 && c.Name != "hipExtStreamCreateWithCUMask"
	s, err := r.rt.Device().NewStream(nonblocking)
	if err != nil || c.Status != 0 {
		return err
	}
	r.named(created(c), s)
	return nil
}

// stream returns the modelled stream with a recorded number, and creates it if its creation is missing.
func (r *replay) stream(number, device int) *hip.Stream {
	d := r.rt.Devices()[device]
	if number == 0 {
		return d.NullStream()
	}
	if s := r.streams[number]; s != nil {
		return s
	}
	s, err := d.NewStream(false)
	if err != nil {
		return d.NullStream()
	}
	r.named(number, s)
	return s
}

func (r *replay) named(number int, s *hip.Stream) { r.streams[number], r.recorded[s.ID()] = s, number }

func (r *replay) destroyStream(c *recording.Call) error {
	number := int(argument(c, function.Stream))
	s := r.stream(number, r.device(c.Device))
	err := s.Destroy()
	if err == nil {
		delete(r.streams, number)
	}
	return err
}

func (r *replay) awaitStream(c *recording.Call) error {
	s := r.streamOf(c)
	if c.Name == "hipStreamQuery" {
		return s.Query()
	}
	return s.Synchronize()
}

// event returns the modelled event that a call names.
func (r *replay) event(c *recording.Call, d *hip.Device) *hip.Event {
	return r.eventOf(int(argument(c, function.Event)), d)
}

// eventOf returns the modelled event with a recorded number. It is made on the device that first uses it.
func (r *replay) eventOf(number int, d *hip.Device) *hip.Event {
	e := r.events[number]
	if e == nil {
		e, _ = d.NewEvent()
		r.events[number] = e
	}
	return e
}

func (r *replay) recordEvent(c *recording.Call) error {
	s := r.streamOf(c)
	return r.event(c, s.Device()).Record(s)
}

func (r *replay) launchWithEvents(c *recording.Call) error {
	s := r.streamOf(c)
	for i := range c.Args {
		if v := &c.Args[i]; v.Letter == function.Event && v.Int != 0 {
			if err := r.eventOf(int(v.Int), s.Device()).Record(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// written is the latest value that a stream wrote to an address, and where in the stream.
type written struct {
	value int64
	event *hip.Event
}

// valueOf returns the address and the numbers of a call that writes a value or waits for one.
func valueOf(c *recording.Call) (address uint64, numbers []int64) {
	for i := range c.Args {
		switch v := &c.Args[i]; v.Letter {
		case function.Address:
			address = uint64(v.Int)
		case function.Int64, function.Uint32:
			numbers = append(numbers, v.Int)
		}
	}
	return address, append(numbers, 0, 0, 0) // of damaged recordings
}

func (r *replay) writeValue(c *recording.Call) error {
	address, numbers := valueOf(c)
	s := r.streamOf(c)
	e, err := s.Device().NewEvent()
	if err != nil {
		return err
	}
	if before, ok := r.values[address]; ok {
		before.event.Destroy()
	}
	r.values[address] = written{numbers[0], e}
	return e.Record(s)
}

// awaitValue makes a stream wait for the latest value at an address. The host, or a stream later, would write others.
func (r *replay) awaitValue(c *recording.Call) error {
	address, numbers := valueOf(c)
	w, ok := r.values[address]
	value, flags, mask := numbers[0], numbers[1]&3, numbers[2]
	if c.Name == "hipStreamWaitValue32" {
		value, mask, w.value = int64(uint32(value)), int64(uint32(mask)), int64(uint32(w.value))
	}
	have := w.value & mask
	// The conditions have these numbers in HIP: at least, equal, any bit of it, and any bit of neither.
	satisfied := []bool{have-value&mask >= 0, have == value&mask, have&value != 0, ^(w.value|value)&mask != 0}[flags]
	if !ok || !satisfied {
		r.unfollowed(c.Name, "no stream has written the value")
		return nil
	}
	return r.streamOf(c).WaitEvent(w.event)
}

func (r *replay) awaitEvent(c *recording.Call) error {
	s := r.streamOf(c)
	return s.WaitEvent(r.event(c, s.Device()))
}

func (r *replay) synchronizeEvent(c *recording.Call) error {
	e := r.event(c, r.rt.Device())
	if c.Name == "hipEventQuery" {
		return e.Query()
	}
	return e.Synchronize()
}

func (r *replay) destroyEvent(c *recording.Call) error {
	err := r.event(c, r.rt.Device()).Destroy()
	delete(r.events, int(argument(c, function.Event)))
	return err
}

// asRecorded returns the result of a call whose object is not known, because the recording does not have its creation.
func asRecorded(c *recording.Call) error {
	if c.Status == 0 {
		return nil
	}
	return driver.Error(c.Status)
}
