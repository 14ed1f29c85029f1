package hip_test

import (
	"errors"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
)

// bare is a platform without any optional method. It has addresses but no memory, and the test decides the results of
// its calls return.
type bare struct {
	driver.Unsupported

	next   driver.Ptr
	err    error // returned by every call that can fail
	closed int
}

func (b *bare) Open(driver.Config) (driver.Runtime, error) { return b, b.err }
func (b *bare) Devices() []driver.Device                   { return []driver.Device{b} }
func (b *bare) Close() error                               { b.closed++; return nil }
func (b *bare) Properties() driver.Properties              { return driver.Properties{Name: "bare"} }
func (b *bare) MemInfo() (free, total uint64, err error)   { return 10, 100, nil }
func (b *bare) Free(driver.Ptr) error                      { return b.err }
func (b *bare) NullStream() driver.Stream                  { return &bareStream{b, 0} }
func (b *bare) NewStream(bool) (driver.Stream, error)      { return &bareStream{b, 1}, b.err }
func (b *bare) NewEvent() (driver.Event, error)            { return &bareEvent{b: b}, b.err }
func (b *bare) Synchronize() error                         { return b.err }

func (b *bare) Attribute(driver.Attribute) (int, error)                    { return 0, b.err }
func (b *bare) Write(driver.Stream, driver.Ptr, []byte, driver.Rows) error { return b.err }
func (b *bare) Read(driver.Stream, []byte, driver.Ptr, driver.Rows) error  { return b.err }
func (b *bare) Copy(_ driver.Stream, _, _ driver.Ptr, _ driver.Rows) error { return b.err }
func (b *bare) Fill(_ driver.Stream, _ driver.Ptr, _ byte, _ uint64) error { return b.err }
func (b *bare) Malloc(n uint64) (driver.Ptr, error) {
	if b.err != nil || n == 0 {
		return 0, b.err
	}
	b.next += 1 << 20
	return b.next, nil
}

type bareStream struct {
	b  *bare
	id int
}

func (s *bareStream) ID() int                      { return s.id }
func (s *bareStream) Synchronize() error           { return s.b.err }
func (s *bareStream) Query() error                 { return s.b.err }
func (s *bareStream) WaitEvent(driver.Event) error { return s.b.err }
func (s *bareStream) Destroy() error               { return s.b.err }

type bareEvent struct {
	b  *bare
	at time.Time
}

func (e *bareEvent) Record(driver.Stream) error {
	e.at = e.at.Add(1500 * time.Microsecond) // the time between two records
	return e.b.err
}
func (e *bareEvent) Synchronize() error { return e.b.err }
func (e *bareEvent) Query() error       { return e.b.err }
func (e *bareEvent) Since(earlier driver.Event) (time.Duration, error) {
	return e.at.Sub(earlier.(*bareEvent).at), e.b.err
}
func (e *bareEvent) Destroy() error { return e.b.err }

var theBare = &bare{}

func init() { hip.Register("bare", theBare) }

// open starts a new runtime of the bare platform.
func open(t *testing.T) (*hip.Runtime, *bare) {
	t.Helper()
	*theBare = bare{Unsupported: "bare"}
	rt, err := hip.Open("bare", driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return rt, theBare
}

func wantCode(t *testing.T, err error, want driver.Error) {
	t.Helper()
	if have := driver.CodeOf(err); have != want {
		t.Errorf("have %v, want %v (%v)", have, want, err)
	}
}

var errNoCode = errors.New("the library is gone")
