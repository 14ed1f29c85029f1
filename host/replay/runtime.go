package replay

import (
	"slices"
	"strings"
	"sync"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/host/recording"
)

// runtime replays a call of HIP that the program or a library above rocBLAS made, and compares the status.
func (r *replay) runtime(c *recording.Call) {
	name := strings.TrimSuffix(c.Name, perThread)
	replay := runtimeCalls[name]
	if replay == nil && strings.HasPrefix(name, "hipMem") {
		replay = copies[name]
	}
	if replay == nil && c.Status == 0 && changes(c.Name) {
		r.NotFollowed[c.Name]++
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
	r.rt.Trace()
	code, recorded := driver.CodeOf(err), driver.Error(c.Status)
	r.compareStatus(c, recorded.Error(), code.Error(), recorded == driver.Success, code == driver.Success, err)
}

// perThread ends the names of functions for which the null stream is the thread's own.
const perThread = "_spt"

// changes reports whether a function without a replay changes memory, or the order of its uses.
func changes(name string) bool {
	f, ok := function.Lookup(name)
	return ok && f.Recorded != function.Never && f.Recorded != function.Failures &&
		!slices.Contains(harmless(), name)
}

// harmless are functions that change what no replay depends on: memory of the host, objects that are made at their
// first use, the current device, which each call has, and limits of pools.
var harmless = sync.OnceValue(func() []string {
	return strings.Fields("hipSetDevice hipEventCreate hipEventCreateWithFlags hipHostRegister hipHostUnregister " +
		"hipHostFree hipFreeHost hipDeviceSetLimit hipMemPoolSetAttribute hipMemPoolTrimTo hipMemPoolCreate " +
		"hipMemPoolDestroy hipDeviceGetDefaultMemPool hipDeviceGetMemPool hipDeviceSetMemPool " +
		"hipDeviceEnablePeerAccess hipDeviceDisablePeerAccess hipCtxEnablePeerAccess hipCtxDisablePeerAccess " +
		"hipCtxCreate hipCtxDestroy hipCtxPushCurrent hipCtxPopCurrent hipCtxSetCurrent hipDeviceGraphMemTrim " +
		"hipSetValidDevices")
})

// runtimeCalls are the functions of HIP that matter to memory and to the order of its uses, except copies.
var runtimeCalls map[string]func(*replay, *recording.Call) error

func init() {
	runtimeCalls = map[string]func(*replay, *recording.Call) error{
		"hipStreamCreate":              (*replay).createStream,
		"hipStreamCreateWithFlags":     (*replay).createStream,
		"hipStreamCreateWithPriority":  (*replay).createStream,
		"hipStreamDestroy":             (*replay).destroyStream,
		"hipStreamSynchronize":         (*replay).awaitStream,
		"hipStreamQuery":               (*replay).awaitStream,
		"hipStreamWaitEvent":           (*replay).awaitEvent,
		"hipStreamBeginCapture":        (*replay).beginCapture,
		"hipStreamEndCapture":          (*replay).endCapture,
		"hipEventRecord":               (*replay).recordEvent,
		"hipEventRecordWithFlags":      (*replay).recordEvent,
		"hipExtStreamCreateWithCUMask": (*replay).createStream,
		"hipMallocPitch":               (*replay).malloc,
		"hipMemAllocPitch":             (*replay).malloc,
		"hipHostMalloc":                (*replay).hostMalloc,
		"hipHostAlloc":                 (*replay).hostMalloc,
		"hipMallocHost":                (*replay).hostMalloc,
		"hipMemAllocHost":              (*replay).hostMalloc,
		"hipGraphInstantiate":          (*replay).instantiate,
		"hipGraphInstantiateWithFlags": (*replay).instantiate,
		"hipGraphLaunch":               (*replay).launch,
		"hipGraphDestroy":              (*replay).destroyGraph,
		"hipGraphExecDestroy":          (*replay).destroyExec,
		"hipEventSynchronize":          (*replay).synchronizeEvent,
		"hipEventQuery":                (*replay).synchronizeEvent,
		"hipEventDestroy":              (*replay).destroyEvent,
		"hipMalloc":                    (*replay).malloc,
		"hipMallocManaged":             (*replay).malloc,
		"hipExtMallocWithFlags":        (*replay).malloc,
		"hipMallocAsync":               (*replay).malloc,
		"hipMallocFromPoolAsync":       (*replay).malloc,
		"hipFree":                      (*replay).free,
		"hipFreeAsync":                 (*replay).free,
		"hipDeviceSynchronize": func(r *replay, c *recording.Call) error {
			r.step(Step{Op: WaitDevice, Device: r.device(c.Device)})
			return r.currentDevice().Synchronize()
		},
		"hipThreadExchangeStreamCaptureMode": (*replay).exchangeMode,
	}
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
	if argument(c, recording.Stream) == 0 && strings.HasSuffix(c.Name, perThread) {
		if s, err := r.currentDevice().NamedStream(driver.StreamPerThread); err == nil {
			return s
		}
	}
	return r.stream(int(argument(c, recording.Stream)), r.device(c.Device))
}

// currentDevice returns the current device of the thread that makes calls.
func (r *replay) currentDevice() *hip.Device { return r.rt.Device() }

const nonblockingFlag = 1 // hipStreamNonBlocking

func (r *replay) createStream(c *recording.Call) error {
	nonblocking := argument(c, recording.Uint32)&nonblockingFlag != 0 && c.Name != "hipExtStreamCreateWithCUMask"
	s, err := r.currentDevice().NewStream(nonblocking)
	if err != nil || c.Status != 0 {
		return err
	}
	number := created(c)
	r.named(number, s)
	op := NewBlocking
	if nonblocking {
		op = NewStream
	}
	r.step(Step{Op: op, Stream: number, Device: r.device(c.Device)})
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
	number := int(argument(c, recording.Stream))
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
	r.step(Step{Op: WaitStream, Stream: int(argument(c, recording.Stream)), Device: r.device(c.Device)})
	return s.Synchronize()
}

// event returns the modelled event with a recorded number. It is made on the device that first uses it.
func (r *replay) event(c *recording.Call, d *hip.Device) *hip.Event {
	number := int(argument(c, recording.Event))
	e := r.events[number]
	if e == nil {
		e, _ = d.NewEvent()
		r.events[number] = e
	}
	return e
}

func (r *replay) eventStep(op Op, c *recording.Call) {
	r.step(Step{Op: op, Event: int(argument(c, recording.Event)), Stream: int(argument(c, recording.Stream)),
		Device: r.device(c.Device)})
}

func (r *replay) recordEvent(c *recording.Call) error {
	r.eventStep(RecordEvent, c)
	s := r.streamOf(c)
	return r.event(c, s.Device()).Record(s)
}

func (r *replay) awaitEvent(c *recording.Call) error {
	r.eventStep(WaitEvent, c)
	s := r.streamOf(c)
	return s.WaitEvent(r.event(c, s.Device()))
}

func (r *replay) synchronizeEvent(c *recording.Call) error {
	e := r.event(c, r.currentDevice())
	if c.Name == "hipEventQuery" {
		return e.Query()
	}
	return e.Synchronize()
}

func (r *replay) destroyEvent(c *recording.Call) error {
	err := r.event(c, r.currentDevice()).Destroy()
	delete(r.events, int(argument(c, recording.Event)))
	return err
}

func (r *replay) beginCapture(c *recording.Call) error {
	return r.streamOf(c).BeginCapture(driver.CaptureMode(argument(c, recording.Int32)))
}

func (r *replay) endCapture(c *recording.Call) error {
	s := r.streamOf(c)
	g, err := s.EndCapture()
	r.endedCapture()
	if err == nil {
		r.graphs[created(c)] = g
	}
	return err
}

// exchangeMode sets the mode of captures of the thread. The recording has the mode before, and not the new one:
// programs change to the relaxed mode, and back.
func (r *replay) exchangeMode(c *recording.Call) error {
	mode := driver.CaptureRelaxed
	if before, _ := c.Result(0); driver.CaptureMode(before) == driver.CaptureRelaxed {
		mode = driver.CaptureGlobal
	}
	_, err := r.currentDevice().ExchangeCaptureMode(mode)
	return err
}

// asRecorded returns the result of a call whose object is not known, because the recording does not have its creation.
func asRecorded(c *recording.Call) error {
	if c.Status == 0 {
		return nil
	}
	return driver.Error(c.Status)
}

func (r *replay) instantiate(c *recording.Call) error {
	g := r.graphs[int(argument(c, recording.Graph))]
	if g == nil {
		return asRecorded(c)
	}
	e, err := g.Instantiate()
	if err == nil {
		r.execs[created(c)] = e
	}
	return err
}

func (r *replay) launch(c *recording.Call) error {
	e := r.execs[int(argument(c, recording.Graph))]
	if e == nil {
		return asRecorded(c)
	}
	return e.Launch(r.streamOf(c))
}

func (r *replay) destroyGraph(c *recording.Call) error {
	number := int(argument(c, recording.Graph))
	if r.graphs[number] == nil {
		return asRecorded(c)
	}
	defer delete(r.graphs, number)
	return r.graphs[number].Destroy()
}

func (r *replay) destroyExec(c *recording.Call) error {
	number := int(argument(c, recording.Graph))
	if r.execs[number] == nil {
		return asRecorded(c)
	}
	defer delete(r.execs, number)
	return r.execs[number].Destroy()
}

// copies are the functions that copy and fill memory. Those without a stream run in the null stream, and the host waits
// for them.
var copies map[string]func(*replay, *recording.Call) error

func init() {
	copies = map[string]func(*replay, *recording.Call) error{}
	for _, name := range strings.Fields("hipMemcpy hipMemcpyHtoD hipMemcpyDtoH hipMemcpyDtoD hipMemcpy2D " +
		"hipMemcpyPeer hipMemset hipMemcpyWithStream") {
		copies[name] = func(r *replay, c *recording.Call) error { return r.copy(c, true) }
	}
	for _, name := range strings.Fields("hipMemcpyAsync hipMemcpyHtoDAsync hipMemcpyDtoHAsync hipMemcpyDtoDAsync " +
		"hipMemcpy2DAsync hipMemcpyPeerAsync hipMemsetAsync") {
		copies[name] = func(r *replay, c *recording.Call) error { return r.copy(c, false) }
	}
}

// copy replays a copy or a fill of memory.
func (r *replay) copy(c *recording.Call, wait bool) error {
	var sizes, addresses []uint64
	var s *hip.Stream
	for i := range c.Args {
		switch v := &c.Args[i]; v.Letter {
		case recording.Size:
			sizes = append(sizes, uint64(v.Int))
		case recording.Address:
			addresses = append(addresses, r.memory.onDevice(uint64(v.Int)))
		case recording.Stream:
			s = r.streamOf(c)
		}
	}
	var spans [2]driver.Span
	total := uint64(0)
	if len(sizes) == 4 { // of rows: two pitches, their width and their number
		total = sizes[2] * sizes[3]
	} else if len(sizes) > 0 {
		total = sizes[0]
	}
	if total == 0 {
		addresses = nil
	}
	for i, p := range addresses[:min(len(addresses), len(spans))] {
		spans[i] = driver.Span{Ptr: driver.Ptr(p), Bytes: total}
		if len(sizes) == 4 {
			spans[i].Bytes = sizes[i]*(sizes[3]-1) + sizes[2]
		}
	}
	written, read := spans[:min(len(addresses), 1)], spans[min(len(addresses), 1):min(len(addresses), 2)]
	return r.currentDevice().Claim(c.Name, read, written, total, s, wait)
}
