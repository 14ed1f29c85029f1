// Package standin is a platform for tests: memory is a number of bytes under a capacity, streams are names, and kernels do nothing.
package standin

import (
	"time"

	"roclua/hip"
	"roclua/hip/driver"
)

// standIn is a platform like the HIP runtime that the recorded answers were made with: memory is a number of bytes
// under a capacity, streams are names, and kernels do nothing. It lets the model run thousands of calls in a moment.
type standIn struct{}

func init() { hip.Register("stand-in", standIn{}) }

func (standIn) Open(c driver.Config) (driver.Runtime, error) {
	d := &standInDevice{arch: c.Arch, capacity: c.MemoryBytes, blocks: map[driver.Ptr]uint64{}, next: 1 << 40}
	d.null = &standInStream{}
	return &standInRuntime{d}, nil
}

type standInRuntime struct{ device *standInDevice }

func (r *standInRuntime) Devices() []driver.Device { return []driver.Device{r.device} }
func (r *standInRuntime) Close() error             { return nil }

type standInDevice struct {
	arch           string
	capacity, used uint64
	blocks         map[driver.Ptr]uint64
	next           driver.Ptr
	null           *standInStream
	streams        int
}

func (d *standInDevice) Properties() driver.Properties {
	return driver.Properties{Name: "stand-in", Arch: d.arch, MemoryBytes: d.capacity}
}
func (d *standInDevice) Attribute(driver.Attribute) (int, error) { return 1, nil }
func (d *standInDevice) MemInfo() (free, total uint64, err error) {
	return d.capacity - d.used, d.capacity, nil
}

func (d *standInDevice) Malloc(bytes uint64) (driver.Ptr, error) {
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

func (d *standInDevice) Free(p driver.Ptr) error {
	bytes, ok := d.blocks[p]
	if !ok && p != 0 {
		return driver.ErrorInvalidValue
	}
	delete(d.blocks, p)
	d.used -= bytes
	return nil
}

func (d *standInDevice) MallocAsync(_ driver.Stream, bytes uint64) (driver.Ptr, error) {
	return d.Malloc(bytes)
}
func (d *standInDevice) FreeAsync(_ driver.Stream, p driver.Ptr) error { return d.Free(p) }
func (d *standInDevice) TrimPool(uint64) error                         { return nil }
func (d *standInDevice) NullStream() driver.Stream                     { return d.null }
func (d *standInDevice) NewStream(bool) (driver.Stream, error) {
	d.streams++
	return &standInStream{d.streams}, nil
}
func (d *standInDevice) NewEvent() (driver.Event, error)                       { return standInEvent{}, nil }
func (d *standInDevice) Write(driver.Stream, driver.Ptr, []byte) error         { return nil }
func (d *standInDevice) Copy(_ driver.Stream, _, _ driver.Ptr, _ uint64) error { return nil }
func (d *standInDevice) Fill(driver.Stream, driver.Ptr, byte, uint64) error    { return nil }
func (d *standInDevice) Synchronize() error                                    { return nil }
func (d *standInDevice) Execute(driver.Stream, *driver.Launch) error           { return nil }

// Read refuses addresses outside every block, as hipMemcpyAsync does.
func (d *standInDevice) Read(_ driver.Stream, dst []byte, src driver.Ptr) error {
	for p, bytes := range d.blocks {
		if src >= p && uint64(src-p)+uint64(len(dst)) <= bytes {
			return nil
		}
	}
	return driver.ErrorInvalidValue
}

type standInStream struct{ id int }

func (s *standInStream) ID() int                      { return s.id }
func (s *standInStream) Synchronize() error           { return nil }
func (s *standInStream) Query() error                 { return nil }
func (s *standInStream) WaitEvent(driver.Event) error { return nil }
func (s *standInStream) Destroy() error               { return nil }

type standInEvent struct{}

func (standInEvent) Record(driver.Stream) error                { return nil }
func (standInEvent) Synchronize() error                        { return nil }
func (standInEvent) Query() error                              { return nil }
func (standInEvent) Since(driver.Event) (time.Duration, error) { return 0, nil }
func (standInEvent) Destroy() error                            { return nil }
