package cpu

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"roclua/hip"
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
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
)

// runtime has the devices of one case.
type runtime struct {
	devices []*device
	host    clock  // what the host has waited for
	serial  uint64 // operations queued

	nextSlot  int            // slots of the clocks that were ever used
	freeSlots []int          // slots of destroyed streams
	working   sync.WaitGroup // goroutines of streams
	locate    func() driver.Site
	checked   bool // uses of memory are inspected
	idle      bool // kernels do not run
	closed    bool

	captures    []*capture // that have not ended
	captureID   uint64     // of the latest
	captureMode driver.CaptureMode

	hostFunctions   []*hostFunction // that have not run, in the order of queueing
	runningFunction *hostFunction   // the one that runs now; nil for none

	ctx     context.Context // of the host
	wake    waker           // of the host
	givenUp atomic.Bool     // the host abandoned a wait: queued work no longer starts
	orphans []*block        // freed, and perhaps still in use by an abandoned kernel
	staged  atomic.Uint64   // bytes of host memory that queued copies hold

	briefWork int64                                     // of the largest kernel that is brief; tests replace it
	execute   func(*driver.Launch, kernel.Memory) error // runs a kernel; tests replace it
}

// Open starts a runtime with the configured number of devices, each with its own address space.
func (Driver) Open(cfg driver.Config) (driver.Runtime, error) {
	count := max(1, cfg.Devices)
	if count > maxDevices {
		return nil, fmt.Errorf("the simulation has at most %d devices, %d were requested", maxDevices, count)
	}
	model, err := modelOf(cfg.Arch, cfg.MemoryBytes)
	if err != nil {
		return nil, err
	}
	blas.SetThreads(cfg.Threads)
	library, err := libraryOf(cfg.BLAS)
	if err != nil {
		return nil, err
	}
	rt := &runtime{ctx: context.Background(), wake: newWaker(), locate: func() driver.Site { return driver.Site{} },
		checked: !cfg.Unchecked, idle: cfg.NoKernels, briefWork: briefWork}
	rt.execute = func(l *driver.Launch, mem kernel.Memory) error { return kernel.Run(l, mem, library()) }
	for i := range count {
		rt.devices = append(rt.devices, newDevice(rt, i, model))
	}
	return rt, nil
}

// libraryOf returns the function that opens the library for a choice: see blas.Open. If the library is optional, it is
// opened for the first kernel, because that takes longer than everything else in the life of a short case.
func libraryOf(choice string) (func() *blas.OpenBLAS, error) {
	if choice == "" || choice == "auto" {
		return func() *blas.OpenBLAS {
			o, _ := blas.Open(choice)
			return o
		}, nil
	}
	o, err := blas.Open(choice)
	return func() *blas.OpenBLAS { return o }, err
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
func (rt *runtime) SetLocator(locate func() driver.Site) { rt.locate = locate }

// Close waits for every stream to finish, ends their goroutines and frees the memory. For an abandoned device this
// happens later, in the background.
func (rt *runtime) Close() error {
	if rt.closed {
		return nil
	}
	rt.closed = true
	rt.dropFunctions()
	for _, d := range rt.devices {
		for _, s := range d.streams {
			if !s.destroyed {
				s.close()
			}
		}
	}
	finished := make(chan struct{})
	go func() {
		rt.working.Wait()
		rt.release()
		close(finished)
	}()
	if !rt.givenUp.Load() {
		select {
		case <-finished:
			return nil
		case <-time.After(closeGrace):
		}
	}
	return rt.await(finished)
}

// closeGrace is how long Close waits for the devices even after the time limit of the case. Goroutines of idle streams
// need that long to be scheduled and to end.
const closeGrace = 200 * time.Millisecond

// release frees all memory, after the streams have ended.
func (rt *runtime) release() {
	for _, d := range rt.devices {
		for _, b := range d.space.live {
			b.memory.release()
		}
		d.space.live = nil
	}
	for _, b := range rt.orphans {
		b.memory.release()
	}
}

// takeSlot returns a slot of the clocks, and the number of operations that it has already counted.
func (rt *runtime) takeSlot() (slot int, number uint64) {
	if n := len(rt.freeSlots); n > 0 {
		slot = rt.freeSlots[n-1]
		rt.freeSlots = rt.freeSlots[:n-1]
		return slot, rt.host.at(slot)
	}
	rt.nextSlot++
	return rt.nextSlot - 1, 0
}
