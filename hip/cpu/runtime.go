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
	"roclua/hip/driver"
)

func init() { hip.Register(platform, Driver{}) }

// Driver opens simulated devices.
type Driver struct{}

var (
	_ driver.Driver           = Driver{}
	_ driver.Prober           = Driver{}
	_ driver.Explainer        = Driver{}
	_ driver.Runtime          = (*runtime)(nil)
	_ driver.Locator          = (*runtime)(nil)
	_ driver.Interrupter      = (*runtime)(nil)
	_ driver.Stager           = (*runtime)(nil)
	_ driver.Device           = (*device)(nil)
	_ driver.AsyncAllocator   = (*device)(nil)
	_ driver.Executor         = (*device)(nil)
	_ driver.HazardReporter   = (*device)(nil)
	_ driver.HostCopier       = (*device)(nil)
	_ driver.MemoryChecker    = (*device)(nil)
	_ driver.Stream           = (*stream)(nil)
	_ driver.Event            = (*event)(nil)
	_ driver.RowCopier        = (*device)(nil)
	_ driver.ManagedAllocator = (*device)(nil)
	_ driver.PoolController   = (*device)(nil)
	_ driver.Capturer         = (*device)(nil)
	_ driver.Graph            = (*graph)(nil)
	_ driver.GraphExec        = (*graphExec)(nil)
	_ driver.HostLauncher     = (*device)(nil)
	_ driver.Threader         = (*runtime)(nil)
	_ driver.PeerAccessor     = (*device)(nil)
	_ driver.Claimer          = (*device)(nil)
)

// platform is the name under which the simulated devices are registered.
const platform = "cpu"

// runtime has the devices of one case.
type runtime struct {
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
	rt := &runtime{host: order.NewHost(), locator: func() driver.Site { return driver.Site{} },
		checked: !cfg.Unchecked, kernels: cfg.Kernels, briefWork: briefWork}
	rt.thread = &thread{rt: rt, Thread: rt.host.Thread}
	rt.captures = capture.Captures{Locate: rt.locate, Thread: &rt.thread.capture, WaitsFindGlobal: cfg.WaitsFindGlobal}
	rt.execute = func(l *driver.Launch, mem kernel.Memory) error { return kernel.Run(l, mem) }
	for i, m := range models {
		d := newDevice(rt, i, m)
		rt.devices, rt.spaces = append(rt.devices, d), append(rt.spaces, d.space)
	}
	return rt, nil
}

// Devices returns the simulated devices.
func (rt *runtime) Devices() []driver.Device {
	list := make([]driver.Device, len(rt.devices))
	for i, d := range rt.devices {
		list[i] = d
	}
	return list
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
