package driver_test

import (
	"fmt"
	"log"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
)

// hostDriver is a minimal platform: device memory is host memory, and work is done before its call returns, so that
// streams and events never wait. A real platform has its own package and registers itself in init.
type hostDriver struct{ driver.Unsupported }

// Open implements driver.Driver.
func (hostDriver) Open(c driver.Config) (driver.Runtime, error) {
	return hostRuntime{device: &hostDevice{Unsupported: "host", capacity: c.MemoryBytes, next: 1 << 20,
		blocks: map[driver.Ptr][]byte{}}}, nil
}

// hostRuntime implements driver.Runtime.
type hostRuntime struct {
	driver.Unsupported
	device *hostDevice
}

func (rt hostRuntime) Devices() []driver.Device { return []driver.Device{rt.device} }
func (rt hostRuntime) Close() error             { rt.device.blocks = nil; return nil }

// hostDevice implements driver.Device.
type hostDevice struct {
	driver.Unsupported

	capacity, used uint64
	next           driver.Ptr
	blocks         map[driver.Ptr][]byte // by their first address
	streams        int
}

func (d *hostDevice) Properties() driver.Properties {
	return driver.Properties{Name: "host memory", Arch: "gfx90a", MemoryBytes: d.capacity}
}

func (d *hostDevice) Attribute(a driver.Attribute) (int, error) {
	return 0, driver.Faultf(driver.ErrorInvalidValue, "attribute %d is not known", a)
}

func (d *hostDevice) MemInfo() (free, total uint64, err error) {
	return d.capacity - d.used, d.capacity, nil
}

func (d *hostDevice) Malloc(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	if bytes > d.capacity-d.used {
		return 0, driver.ErrorOutOfMemory
	}
	p := d.next
	d.next += driver.Ptr(bytes+511) &^ 255 // aligned, with a gap
	d.blocks[p], d.used = make([]byte, bytes), d.used+bytes
	return p, nil
}

func (d *hostDevice) Free(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	block, ok := d.blocks[p]
	if !ok {
		return driver.ErrorInvalidValue
	}
	d.used -= uint64(len(block))
	delete(d.blocks, p)
	return nil
}

// memory returns n bytes at an address.
func (d *hostDevice) memory(p driver.Ptr, n uint64) ([]byte, error) {
	for base, block := range d.blocks {
		if p >= base && uint64(p-base)+n <= uint64(len(block)) {
			return block[p-base:][:n], nil
		}
	}
	return nil, driver.Faultf(driver.ErrorInvalidValue, "no block has %d bytes at %#x", n, uint64(p))
}

func (d *hostDevice) Write(_ driver.Stream, dst driver.Ptr, src []byte, r driver.Rows) error {
	for i := range r.Count {
		to, err := d.memory(dst+driver.Ptr(i*r.DevicePitch), r.Width)
		if err != nil {
			return err
		}
		copy(to, src[i*r.HostPitch:])
	}
	return nil
}

func (d *hostDevice) Read(_ driver.Stream, dst []byte, src driver.Ptr, r driver.Rows) error {
	for i := range r.Count {
		from, err := d.memory(src+driver.Ptr(i*r.DevicePitch), r.Width)
		if err != nil {
			return err
		}
		copy(dst[i*r.HostPitch:], from)
	}
	return nil
}

func (d *hostDevice) Copy(s driver.Stream, dst, src driver.Ptr, r driver.Rows) error {
	for i := range r.Count {
		from, err := d.memory(src+driver.Ptr(i*r.HostPitch), r.Width)
		if err == nil {
			err = d.Write(s, dst+driver.Ptr(i*r.DevicePitch), from, driver.Row(r.Width))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *hostDevice) Fill(_ driver.Stream, dst driver.Ptr, value byte, bytes uint64) error {
	to, err := d.memory(dst, bytes)
	for i := range to {
		to[i] = value
	}
	return err
}

func (d *hostDevice) NullStream() driver.Stream { return hostStream{0} }
func (d *hostDevice) NewStream(bool) (driver.Stream, error) {
	d.streams++
	return hostStream{d.streams}, nil
}
func (d *hostDevice) NewEvent() (driver.Event, error) { return &hostEvent{}, nil }
func (d *hostDevice) Synchronize() error              { return nil }

// hostStream implements driver.Stream.
type hostStream struct{ id int }

func (s hostStream) ID() int                      { return s.id }
func (s hostStream) Synchronize() error           { return nil }
func (s hostStream) Query() error                 { return nil }
func (s hostStream) WaitEvent(driver.Event) error { return nil }
func (s hostStream) Destroy() error               { return nil }

// hostEvent implements driver.Event.
type hostEvent struct{ at time.Time }

func (e *hostEvent) Record(driver.Stream) error { e.at = time.Now(); return nil }
func (e *hostEvent) Synchronize() error         { return nil }
func (e *hostEvent) Query() error               { return nil }
func (e *hostEvent) Destroy() error             { return nil }
func (e *hostEvent) Since(earlier driver.Event) (time.Duration, error) {
	return e.at.Sub(earlier.(*hostEvent).at), nil
}

// Implement a driver, register it and open it. Package hip adds the rest: it records calls, keeps statistics and
// explains errors. Package hip/drivertest has the tests that every platform must pass.
func Example() {
	hip.Register("host", hostDriver{})
	rt, err := hip.Open("host", driver.Config{MemoryBytes: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	dev := rt.Device()
	p, err := dev.Malloc(4)
	if err != nil {
		log.Fatal(err)
	}
	if err := dev.Fill(p, 9, 4); err != nil {
		log.Fatal(err)
	}
	data := make([]byte, 4)
	if err := dev.Read(data, p); err != nil {
		log.Fatal(err)
	}
	fmt.Println(dev.Properties().Name, data)

	_, err = dev.Malloc(2 << 20)
	fmt.Println(err)
	_, err = dev.MallocAsync(64, nil) // a method of driver.Unsupported
	fmt.Println(err)
	// Output:
	// host memory [9 9 9 9]
	// hipErrorOutOfMemory: hipMalloc of 2097152 bytes: device 0 has 1048572 of 1048576 bytes free
	// hipErrorNotSupported: platform host has no memory pools
}
