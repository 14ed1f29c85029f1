// Package inert is a device on which the model runs thousands of calls in a moment: memory is a number of bytes under a
// capacity, streams are numbers, and kernels do nothing. It is not registered as a platform.
package inert

import (
	"time"

	"roclua/hip/driver"
)

// Driver behaves like the HIP runtime with which the recorded answers were made.
type Driver struct{}

// Open returns a runtime with one device of the configured architecture and memory.
func (Driver) Open(c driver.Config) (driver.Runtime, error) {
	d := &device{arch: c.Arch, capacity: c.MemoryBytes, blocks: map[driver.Ptr]uint64{}, next: 1 << 40}
	d.null = &stream{}
	return &runtime{d}, nil
}

type runtime struct{ device *device }

func (r *runtime) Devices() []driver.Device { return []driver.Device{r.device} }
func (r *runtime) Close() error             { return nil }

type device struct {
	arch           string
	capacity, used uint64
	blocks         map[driver.Ptr]uint64
	next           driver.Ptr
	null           *stream
	streams        int
}

func (d *device) Properties() driver.Properties {
	return driver.Properties{Name: "inert", Arch: d.arch, MemoryBytes: d.capacity}
}
func (d *device) Attribute(driver.Attribute) (int, error) { return 1, nil }
func (d *device) MemInfo() (free, total uint64, err error) {
	return d.capacity - d.used, d.capacity, nil
}

func (d *device) Malloc(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	if bytes > d.capacity-d.used {
		return 0, driver.ErrorOutOfMemory
	}
	p := d.next
	d.next += driver.Ptr(bytes+4095) &^ 4095
	d.blocks[p] = bytes
	d.used += bytes
	return p, nil
}

func (d *device) Free(p driver.Ptr) error {
	bytes, ok := d.blocks[p]
	if !ok && p != 0 {
		return driver.ErrorInvalidValue
	}
	delete(d.blocks, p)
	d.used -= bytes
	return nil
}

func (d *device) MallocAsync(_ driver.Stream, bytes uint64) (driver.Ptr, error) {
	return d.Malloc(bytes)
}
func (d *device) FreeAsync(_ driver.Stream, p driver.Ptr) error { return d.Free(p) }
func (d *device) TrimPool(uint64) error                         { return nil }
func (d *device) NullStream() driver.Stream                     { return d.null }
func (d *device) NewStream(bool) (driver.Stream, error) {
	d.streams++
	return &stream{d.streams}, nil
}
func (d *device) NewEvent() (driver.Event, error)                       { return event{}, nil }
func (d *device) Write(driver.Stream, driver.Ptr, []byte) error         { return nil }
func (d *device) Copy(_ driver.Stream, _, _ driver.Ptr, _ uint64) error { return nil }
func (d *device) Fill(driver.Stream, driver.Ptr, byte, uint64) error    { return nil }
func (d *device) Synchronize() error                                    { return nil }
func (d *device) Execute(driver.Stream, *driver.Launch) error           { return nil }

// Read refuses addresses outside every block, as hipMemcpyAsync does.
func (d *device) Read(_ driver.Stream, dst []byte, src driver.Ptr) error {
	for p, bytes := range d.blocks {
		if src >= p && uint64(src-p)+uint64(len(dst)) <= bytes {
			return nil
		}
	}
	return driver.ErrorInvalidValue
}

type stream struct{ id int }

func (s *stream) ID() int                      { return s.id }
func (s *stream) Synchronize() error           { return nil }
func (s *stream) Query() error                 { return nil }
func (s *stream) WaitEvent(driver.Event) error { return nil }
func (s *stream) Destroy() error               { return nil }

type event struct{}

func (event) Record(driver.Stream) error                { return nil }
func (event) Synchronize() error                        { return nil }
func (event) Query() error                              { return nil }
func (event) Since(driver.Event) (time.Duration, error) { return 0, nil }
func (event) Destroy() error                            { return nil }
