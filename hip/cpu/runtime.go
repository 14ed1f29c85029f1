// Package cpu is the platform "cpu": HIP devices simulated in the process. A device has its own address space, whose
// addresses the host cannot dereference, a capacity, streams that run concurrently with the host and with each other,
// events with times, and a memory pool. Package kernel computes the routines.
//
// The simulation does three things that a real device does not do. First, every operation is queued with the memory
// that it reads and writes, and vector clocks record the happens-before order of all operations (package order). Two
// unordered uses of the same memory are reported as a hazard, independently of timing, and the later one waits for the
// earlier one, so that results stay correct (package memory). Second, a kernel gets only the memory that its arguments
// name, so that a wrong address is an error and not a crash. Third, each block records which bytes the queued
// operations write, and the type of their elements. Reading another type is an error, and reading unwritten memory is
// reported (package inspect). Package capture records the calls of captured streams for graphs.
//
// Only the host goroutine that calls a runtime uses its state. Goroutines of streams use only the operations that are
// queued for them and the bytes of blocks. The host performs brief operations itself if nothing remains to be done
// before them.
package cpu

import (
	"context"
	"sync/atomic"
	"time"

	"roclua/hip"
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/cpu/vector"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

func init() { hip.Register(platform, Driver{}) }

// Driver opens simulated devices.
type Driver struct{}

// platform is the name under which the simulated devices are registered.
const platform = "cpu"

// runtime has the devices of one case.
type runtime struct {
	driver.Unsupported

	devices  []*device
	spaces   memory.Spaces
	streams  int // made so far, without null streams
	host     *order.Host
	captures capture.Captures
	thread   *thread // that makes calls now
	locator  func() driver.Site
	checked  bool // uses of memory are inspected
	kernels  driver.Kernels
	closed   bool

	orphans []*memory.Block // freed, and perhaps still in use by an abandoned kernel
	staged  atomic.Uint64   // bytes of host memory that queued copies hold

	time *order.Time // nil if the time is the machine's

	briefWork int64                                     // of the largest kernel that is brief; tests replace it
	execute   func(*driver.Launch, kernel.Memory) error // runs a kernel; tests replace it
}

// Open starts a runtime with the configured number of devices, each with its own address space.
func (Driver) Open(cfg driver.Config) (driver.Runtime, error) {
	models, err := modelsOf(cfg)
	if err != nil {
		return nil, err
	}
	blas.SetThreads(cfg.Threads)
	rt := &runtime{Unsupported: platform, host: order.NewHost(), locator: func() driver.Site { return driver.Site{} },
		checked: !cfg.Unchecked, kernels: cfg.Kernels, briefWork: briefWork}
	rt.thread = &thread{rt: rt, Thread: rt.host.Thread}
	rt.captures = capture.Captures{Locate: rt.locate, Thread: &rt.thread.capture, WaitsFindGlobal: cfg.WaitsFindGlobal}
	rt.execute = func(l *driver.Launch, mem kernel.Memory) error { return kernel.Run(l, mem) }
	if !cfg.RealTime {
		rt.time = rt.host.NewTime(models[0].time.Query)
	}
	for i, m := range models {
		d := newDevice(rt, i, m)
		rt.devices, rt.spaces = append(rt.devices, d), append(rt.spaces, d.space)
	}
	return rt, nil
}

func (rt *runtime) Capabilities() driver.Capabilities {
	return driver.Capabilities{Executes: true, Hazards: true}
}

// Devices returns the simulated devices.
func (rt *runtime) Devices() []driver.Device {
	list := make([]driver.Device, len(rt.devices))
	for i, d := range rt.devices {
		list[i] = d
	}
	return list
}

// Clock returns the virtual time.
func (rt *runtime) Clock() driver.Clock {
	if rt.time == nil {
		return nil
	}
	return rt.time
}

// spend makes the host spend virtual time.
func (rt *runtime) spend(d time.Duration) {
	if rt.time != nil {
		rt.time.Spend(d)
	}
}

// SetLocator sets the function that returns the current call.
func (rt *runtime) SetLocator(locate func() driver.Site) { rt.locator = locate }

// locate returns the current call, or the call that is made again for a node of a graph.
func (rt *runtime) locate() driver.Site {
	if node := rt.thread.node; node != nil {
		return *node
	}
	return rt.locator()
}

// SetContext bounds the waits of the host.
func (rt *runtime) SetContext(ctx context.Context) { rt.host.SetContext(ctx) }

// StagedBytes returns the host memory that queued copies hold.
func (rt *runtime) StagedBytes() uint64 { return rt.staged.Load() }

// Close waits for every stream to finish, ends their goroutines and frees the memory. For an abandoned device this
// happens later, in the background.
func (rt *runtime) Close() error {
	if rt.closed {
		return nil
	}
	rt.closed = true
	rt.host.DropFunctions()
	rt.captures.Discard()
	for _, d := range rt.devices {
		d.streams.Close()
	}
	finished := rt.host.Finished(rt.release)
	if !rt.host.Abandoned() {
		select {
		case <-finished:
			return nil
		case <-time.After(closeGrace):
		}
	}
	return rt.host.Await(finished)
}

// closeGrace is how long Close waits for the devices even after the time limit of the case. Goroutines of idle streams
// need that long to be scheduled and to end.
const closeGrace = 200 * time.Millisecond

// release frees all memory, after the streams have ended.
func (rt *runtime) release() {
	for _, s := range rt.spaces {
		s.Release()
	}
	for _, b := range rt.orphans {
		b.Release()
	}
}

type thread struct {
	*order.Thread
	rt      *runtime
	capture capture.Thread
	node    *driver.Site // the captured call that a launch of the thread makes again; nil for none
}

func (rt *runtime) Thread() driver.Thread { return rt.thread }

func (rt *runtime) NewThread(pause func(wait func())) driver.Thread {
	if pause == nil {
		return &thread{rt: rt, Thread: rt.host.Thread}
	}
	return &thread{rt: rt, Thread: rt.host.NewThread(pause)}
}

func (t *thread) Enter() {
	t.rt.thread, t.rt.captures.Thread = t, &t.capture
	t.rt.host.Use(t.Thread)
}

func (t *thread) RunHostFuncs() error          { return t.rt.host.RunFunctions() }
func (t *thread) Moment() driver.Moment        { return t.rt.host.Moment() }
func (t *thread) Follows(m driver.Moment) bool { return t.rt.host.Follows(m) }

func (t *thread) Close() {
	for _, d := range t.rt.devices {
		if s := d.perThread[t]; s != nil {
			s.branch.Leave()
			s.Close()
			delete(d.perThread, t)
		}
	}
	t.capture.Ended = true
	t.rt.host.End(t.Thread)
}

// Probe names the instructions that kernels use. The platform is always available.
func (Driver) Probe(driver.Config) driver.Report {
	return driver.Report{Numbers: "Go with " + vector.Name()}
}

// Computes says why the simulated device does not compute a routine. Both results are empty for the routines that it
// computes.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	if kernel.Has(r) {
		return "", ""
	}
	return "", "the simulated device has no kernel for this routine"
}
