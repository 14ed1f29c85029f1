package native

import (
	"unsafe"

	"roclua/hip/driver"
)

// Device is one GPU.
type Device struct {
	driver.Unsupported

	rt     *Runtime
	api    *API
	number int // in the runtime
	id     int // of the machine
	props  driver.Properties
	null   *Stream

	live    map[driver.Ptr]bool // allocations; true for memory from the pool
	streams map[*Stream]bool
	events  map[*Event]bool
	peers   map[int]bool // devices to whose memory it has access
}

func newDevice(rt *Runtime, number, id int) (*Device, error) {
	d := &Device{Unsupported: rt.Unsupported, rt: rt, api: rt.API, number: number, id: id,
		live: map[driver.Ptr]bool{}, streams: map[*Stream]bool{}, events: map[*Event]bool{}, peers: map[int]bool{}}
	d.null = &Stream{device: d}
	return d, d.WithDevice(d.readProperties)
}

func (d *Device) readProperties() error {
	name, arch, err := d.api.NameAndArch(d.api, d.id)
	if err != nil {
		return err
	}
	_, total, err := d.memInfo()
	if err != nil {
		return err
	}
	d.props = driver.Properties{Name: name, Arch: arch, MemoryBytes: total}
	for _, field := range []struct {
		to        *int
		attribute driver.Attribute
	}{{&d.props.WarpSize, driver.AttributeWarpSize}, {&d.props.Multiprocessors, driver.AttributeMultiprocessorCount},
		{&d.props.MaxThreadsPerBlock, driver.AttributeMaxThreadsPerBlock}, {&d.props.ClockKHz,
			driver.AttributeClockRate}} {
		*field.to, _ = d.Attribute(field.attribute)
	}
	shared, _ := d.Attribute(driver.AttributeMaxSharedMemoryPerBlock)
	d.props.SharedMemPerBlock = uint64(shared)
	pools, _ := d.Attribute(driver.AttributeMemoryPoolsSupported)
	d.props.MemoryPoolSupported = pools != 0
	return nil
}

// Plain wraps a device in nothing: see Open.
func Plain(d *Device) driver.Device { return d }

// Index returns the device's number.
func (d *Device) Index() int { return d.number }

// ID returns the number that the machine gives the device.
func (d *Device) ID() int { return d.id }

// Properties returns the properties of the device.
func (d *Device) Properties() driver.Properties { return d.props }

// Attribute implements hipDeviceGetAttribute.
func (d *Device) Attribute(a driver.Attribute) (int, error) {
	if a == driver.AttributeTotalGlobalMem {
		return int(d.props.MemoryBytes), nil
	}
	number, ok := int(a), true
	if d.api.Attributes != nil {
		number, ok = d.api.Attributes[a]
	}
	if !ok {
		return 0, driver.Faultf(driver.ErrorInvalidValue, "attribute %d is not known", int(a))
	}
	return d.api.AttributeByNumber(number, d.id)
}

// MemInfo returns the free and the total bytes of device memory.
func (d *Device) MemInfo() (free, total uint64, err error) {
	err = d.WithDevice(func() (err error) {
		free, total, err = d.memInfo()
		return err
	})
	return free, total, err
}

func (d *Device) memInfo() (free, total uint64, err error) {
	sizes := new([2]uint64)
	err = d.api.Call("MemGetInfo", uintptr(unsafe.Pointer(&sizes[0])),
		uintptr(unsafe.Pointer(&sizes[1])))
	return sizes[0], sizes[1], err
}

// Synchronize waits for every stream and returns the fault of a kernel.
func (d *Device) Synchronize() error {
	return d.wait("DeviceSynchronize")
}

// close waits for the device and frees everything.
func (d *Device) close() error {
	first := d.Synchronize()
	for s := range d.streams {
		s.Destroy()
	}
	for e := range d.events {
		e.Destroy()
	}
	for p, pooled := range d.live {
		err := d.free(p, pooled)
		if first == nil {
			first = err
		}
	}
	for peer := range d.peers {
		d.DisablePeerAccess(peer)
	}
	if d.props.MemoryPoolSupported && first == nil {
		first = d.TrimPool(0)
	}
	return first
}

func (d *Device) free(p driver.Ptr, pooled bool) error {
	if pooled {
		return d.FreeAsync(d.null, p)
	}
	return d.Free(p)
}

// NullStream returns the stream that waits for all blocking streams, and they wait for it.
func (d *Device) NullStream() driver.Stream { return d.null }

func (d *Device) CanAccessPeer(peer int) (bool, error) {
	can := new(int32)
	err := d.ask("DeviceCanAccessPeer", uintptr(unsafe.Pointer(can)), uintptr(d.id), uintptr(d.rt.devices[peer].id))
	return *can != 0, err
}

// EnablePeerAccess implements driver.Device. The access ends with the runtime, because the next one may not
// expect it.
func (d *Device) EnablePeerAccess(peer int) error {
	err := d.ask("DeviceEnablePeerAccess", uintptr(d.rt.devices[peer].id), 0)
	if err == nil {
		d.peers[peer] = true
	}
	return err
}

func (d *Device) DisablePeerAccess(peer int) error {
	err := d.call("DeviceDisablePeerAccess", uintptr(d.rt.devices[peer].id))
	if err == nil {
		delete(d.peers, peer)
	}
	return err
}

const noDevice = -1

// makeCurrent makes a device the current one of the calling thread, which the goroutine must stay on. If it is that
// already, the runtime is not called: before HIP 7 every successful call clears the last error.
func (a *API) makeCurrent(id int) error {
	thread := threadID()
	if thread != 0 && a.last.Load() == pair(thread, id) {
		return nil
	}
	if known, ok := a.current.Load(thread); ok && known == id && thread != 0 {
		a.last.Store(pair(thread, id))
		return nil
	}
	return a.setCurrent(id)
}

// setCurrent calls hipSetDevice.
func (a *API) setCurrent(id int) error {
	err := a.Call("SetDevice", uintptr(uint32(id)))
	if err == nil {
		thread := threadID()
		a.current.Store(thread, id)
		a.last.Store(pair(thread, id))
	}
	return err
}

// pair is a thread and its current device as one number.
func pair(thread, id int) uint64 { return uint64(uint32(thread))<<32 | uint64(uint32(id)) }
