package cpu

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"roclua/hip/arch"
	"roclua/hip/cpu/inspect"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	devicetime "roclua/hip/cpu/time"
	"roclua/hip/driver"
	"roclua/hip/routine/region"
)

// device is one simulated GPU.
type device struct {
	driver.Unsupported

	runtime   *runtime
	index     int
	model     model
	space     *memory.Space
	null      *stream
	perThread map[*thread]*stream // that were used
	peers     map[int]bool        // devices whose memory kernels can use
	streams   order.Streams
	hazards   memory.Hazards

	claimed []region.Region // of the latest kernel, if kernels claim memory
	uses    []memory.Use    // of these regions

	// The parts of the device that are busy in virtual time.
	kernels, uploads, downloads order.Engine

	inspector *inspect.Inspector // nil if there is nothing to inspect
	calls     sync.Pool          // of *call
}

func newDevice(rt *runtime, index int, m model) *device {
	d := &device{Unsupported: platform, runtime: rt, index: index, model: m,
		space: memory.NewSpace(index, m.memory, rt.host), streams: order.NewStreams(rt.host, index)}
	d.streams.Launch = m.time.Launch
	d.kernels, d.uploads, d.downloads = order.NewEngine(m.time.AtOnce), order.NewEngine(1), order.NewEngine(1)
	d.inspector = inspect.New(platform, rt.host, rt.checked, rt.kernels == driver.KernelsOff)
	d.null = d.newStream(0, true)
	return d
}

// Properties implements hipGetDeviceProperties.
func (d *device) Properties() driver.Properties { return d.model.properties(d.index) }

// Attribute implements hipDeviceGetAttribute.
func (d *device) Attribute(a driver.Attribute) (int, error) { return d.model.attribute(a) }

// MemInfo implements hipMemGetInfo. Idle bytes of the pool are not free.
func (d *device) MemInfo() (free, total uint64, err error) {
	return d.space.Unused(), d.space.Capacity, nil
}

// NullStream returns the stream that hipStream_t 0 names.
func (d *device) NullStream() driver.Stream { return d.null }

// NewStream makes a stream, which has its own goroutine.
func (d *device) NewStream(nonBlocking bool) (driver.Stream, error) {
	if d.runtime.closed {
		return nil, driver.ErrorDeinitialized
	}
	d.streams.Reap()
	d.runtime.streams++
	return d.newStream(d.runtime.streams, !nonBlocking), nil
}

func (d *device) NamedStream(number int) (driver.Stream, error) {
	if number == driver.StreamLegacy {
		return d.null, nil
	}
	host := d.runtime.thread
	if d.perThread[host] == nil {
		if d.perThread == nil {
			d.perThread = map[*thread]*stream{}
		}
		d.runtime.streams++
		d.perThread[host] = d.newStream(d.runtime.streams, true)
	}
	return d.perThread[host], nil
}

// Synchronize waits for every stream.
func (d *device) Synchronize() error {
	if err := d.runtime.captures.WaitForDevice(); err != nil {
		return err
	}
	return d.drain()
}

func (d *device) drain() error {
	defer d.streams.Reap()
	return d.wait(d.streams.Last()...)
}

// wait makes the host wait for operations: they happen before everything that the host does next, and wait returns
// their faults. Idle bytes of the pool return to the device.
func (d *device) wait(list ...*order.Operation) error {
	if err := d.runtime.host.Wait(list...); err != nil {
		return err
	}
	d.runtime.spend(d.model.time.Wait)
	d.space.Pool.Synchronized()
	return d.streams.Faults.Report()
}

// Hazards returns the hazards since the last call.
func (d *device) Hazards() []driver.Hazard { return d.hazards.Take() }

// UnwrittenReads returns the reads of unwritten memory since the last call.
func (d *device) UnwrittenReads() []driver.UnwrittenRead { return d.inspector.UnwrittenReads() }

func (d *device) SetElement(p driver.Ptr, r driver.Rows, e driver.Element) {
	d.inspector.SetElement(d.runtime.spaces, p, r, e)
}

func (d *device) CheckElement(p driver.Ptr, r driver.Rows, e driver.Element) error {
	return d.inspector.CheckElement(d.runtime.spaces, p, r, e, d.runtime.locate)
}

// CanAccessPeer implements driver.Device: every device has a link to every other, and none to itself.
func (d *device) CanAccessPeer(peer int) (bool, error) { return peer != d.index, nil }

func (d *device) EnablePeerAccess(peer int) error {
	switch {
	case d.runtime.closed:
		return driver.ErrorDeinitialized
	case peer == d.index:
		return driver.Faultf(driver.ErrorInvalidDevice, "device %d has access to its own memory already", d.index)
	case d.peers[peer]:
		return driver.Faultf(driver.ErrorPeerAccessEnabled, "device %d has access to memory of device %d already",
			d.index, peer)
	}
	if d.peers == nil {
		d.peers = map[int]bool{}
	}
	d.peers[peer] = true
	return nil
}

// DisablePeerAccess implements driver.Device. Work that is queued keeps its access.
func (d *device) DisablePeerAccess(peer int) error {
	if !d.peers[peer] {
		return driver.Faultf(driver.ErrorPeerAccessNotOn, "device %d has no access to memory of device %d", d.index,
			peer)
	}
	delete(d.peers, peer)
	return nil
}

// find returns the live block that contains an address, if kernels of the device can use it: its own memory, managed
// memory, and memory of peers but for their pools, whose access hipMemPoolSetAccess would decide.
func (d *device) find(p uint64) (*memory.Block, bool) {
	b, ok := d.space.At(p)
	if !ok {
		b, ok = d.runtime.spaces.At(p)
		ok = ok && (b.Managed || d.peers[b.Device()] && !b.Pooled)
	}
	return b, ok
}

// refusal says why kernels of the device cannot use memory of another; "" for other addresses.
func (d *device) refusal(p uint64) string {
	b, ok := d.runtime.spaces.At(p)
	switch {
	case !ok || b.Device() == d.index || b.Managed:
		return ""
	case b.Pooled:
		return fmt.Sprintf("; memory pools of device %d give device %d no access", b.Device(), d.index)
	}
	return fmt.Sprintf("; device %d has no access to memory of device %d (hipDeviceEnablePeerAccess)", d.index,
		b.Device())
}

// defaultMemory is the memory of a device without a size in the configuration.
const defaultMemory = 64 << 30

// model describes the device that is simulated.
type model struct {
	name   string // of the architecture, with its features
	arch   *arch.Arch
	chip   arch.Chip
	memory uint64
	pools  bool // it supports memory pools
	time   *devicetime.Model
}

// modelsOf returns the model of each device of a configuration.
func modelsOf(cfg driver.Config) ([]model, error) {
	archs := cfg.Archs
	if archs == nil {
		archs = slices.Repeat([]string{cfg.Arch}, max(1, cfg.Devices))
	}
	if len(archs) > driver.MaxDevices {
		return nil, fmt.Errorf("a runtime has at most %d devices, %d were requested", driver.MaxDevices, len(archs))
	}
	var list []model
	for i, name := range archs {
		cfg.Arch = name
		m, err := modelOf(cfg)
		if err != nil {
			return nil, err
		}
		if i < len(cfg.Memories) {
			m.memory = cmp.Or(cfg.Memories[i], m.memory)
		}
		list = append(list, m)
	}
	return list, nil
}

// modelOf returns the configured model, with defaults. Any gfx number is accepted, with or without feature flags
// ("gfx90a:sramecc+:xnack-"). An unknown one has the properties of the default chip.
func modelOf(cfg driver.Config) (model, error) {
	name := cmp.Or(cfg.Arch, arch.Default().Name)
	if !arch.Valid(name) {
		return model{}, fmt.Errorf("unknown architecture %q: a simulated HIP device is a gfx number, %s for example",
			name, arch.Default())
	}
	on := arch.Of(name)
	row, _ := devicetime.Of(on.Name, cfg.Time)
	return model{name: name, arch: on, chip: on.Model(), memory: cmp.Or(cfg.MemoryBytes, defaultMemory),
		pools: !cfg.NoPools, time: row.Model()}, nil
}

func (m model) properties(index int) driver.Properties {
	return driver.Properties{
		Name: m.chip.Name + " (simulated)", Arch: m.name, MemoryBytes: m.memory, WarpSize: m.arch.Wavefront,
		Multiprocessors: m.chip.Multiprocessors, MaxThreadsPerBlock: 1024, SharedMemPerBlock: 64 << 10,
		ClockKHz: m.chip.ClockKHz, MemoryPoolSupported: m.pools, PCIBusID: index + 1,
	}
}

// attribute returns an attribute that scenarios can query.
func (m model) attribute(a driver.Attribute) (int, error) {
	switch a {
	case driver.AttributeMemoryPoolsSupported:
		if !m.pools {
			return 0, nil
		}
		return 1, nil
	case driver.AttributeEccEnabled, driver.AttributeConcurrentKernels, driver.AttributeManagedMemory:
		return 1, nil
	case driver.AttributeIntegrated:
		return 0, nil
	case driver.AttributeAsyncEngineCount:
		return 2, nil
	case driver.AttributeClockRate:
		return m.chip.ClockKHz, nil
	case driver.AttributeMaxThreadsPerBlock:
		return 1024, nil
	case driver.AttributeMaxThreadsPerMultiProcessor:
		return 2048, nil
	case driver.AttributeMultiprocessorCount:
		return m.chip.Multiprocessors, nil
	case driver.AttributeMaxSharedMemoryPerBlock:
		return 64 << 10, nil
	case driver.AttributeTotalGlobalMem:
		return int(min(m.memory, math.MaxInt)), nil
	case driver.AttributeWarpSize:
		return m.arch.Wavefront, nil
	}
	return 0, driver.Faultf(driver.ErrorInvalidValue, "attribute %d is not known", int(a))
}
