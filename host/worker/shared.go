package worker

import (
	"encoding/binary"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"roclua/hip/driver"
)

// shared is memory that a worker shares with the program, which reads it also after the worker has exited. It has the
// number of the request in progress and its limits, how far the worker is with it, the bytes of memory of Go in the
// worker, and the last place at which the script was seen.
type shared struct {
	memory []byte
	noted  driver.Site // the last call that the memory was given
}

// Layout of the memory, as offsets.
const (
	atNumber    = 0  // request in progress, 4 bytes
	atPhase     = 4  // 4 bytes
	atHeap      = 8  // bytes of memory of Go, 8 bytes
	atHeapLimit = 16 // 8 bytes; 0 for none
	atTimeout   = 24 // nanoseconds, 8 bytes; 0 for none
	atLength    = 32 // of the text, 2 bytes
	atKind      = 34 // of the text, 1 byte
	atText      = 35

	sharedBytes = 4096
	placeBytes  = 512 // the most bytes of the text
)

// phase is how far a worker is with its request.
type phase uint32

const (
	phaseWaiting phase = iota // it has not begun with any request
	phaseRunning              // the script runs, and has not noticed a limit
	phaseCleanup              // the case has ended early and cleans up
	phaseDone                 // the worker replies
)

// Kinds of the last place.
const (
	kindCall = iota // a call in progress: "hipMalloc at solve.lua:12"
	kindLine        // a line of the script: "solve.lua:12"
)

// openShared maps the memory. It returns nil where memory cannot be shared.
func openShared(f *os.File) (*shared, error) {
	memory, err := mapShared(f, sharedBytes)
	if err != nil {
		return nil, err
	}
	return &shared{memory: memory}, nil
}

func (s *shared) word(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&s.memory[at])) }
func (s *shared) long(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&s.memory[at])) }
func (s *shared) heap() *atomic.Uint64       { return s.long(atHeap) }

// limits returns the limits of the request in progress; 0 is none.
func (s *shared) limits() (heap uint64, timeout time.Duration) {
	return s.long(atHeapLimit).Load(), time.Duration(s.long(atTimeout).Load())
}

// begin records that the worker starts a request.
func (s *shared) begin(number uint32, heap uint64, timeout time.Duration) {
	s.word(atPhase).Store(uint32(phaseDone))
	s.long(atHeapLimit).Store(heap)
	s.long(atTimeout).Store(uint64(timeout))
	s.put(kindLine, "", "")
	s.word(atNumber).Store(number)
	s.enter(phaseRunning)
}

// enter records how far the worker is.
func (s *shared) enter(p phase) {
	if s != nil {
		s.word(atPhase).Store(uint32(p))
	}
}

// state returns the request in progress and how far the worker is with it.
func (s *shared) state() (number uint32, p phase) {
	return s.word(atNumber).Load(), phase(s.word(atPhase).Load())
}

// note records a call before it is made, unless it is recorded already. Calls of several threads take turns.
func (s *shared) note(site driver.Site) {
	if s.memory[atKind] != kindCall || s.noted.Call != site.Call || s.noted.Origin != site.Origin {
		s.put(kindCall, site.Call, site.Origin)
		s.noted = site
	}
}

// line records the line of the script that runs.
func (s *shared) line(where string) {
	if s != nil {
		s.put(kindLine, where, "")
	}
}

func (s *shared) put(kind byte, call, origin string) {
	text := s.memory[atText : atText+placeBytes]
	n := copy(text, call)
	if origin != "" {
		n += copy(text[n:], " at ")
		n += copy(text[n:], origin)
	}
	s.memory[atKind] = kind
	binary.LittleEndian.PutUint16(s.memory[atLength:], uint16(n))
}

// place returns the call, or else the line of the script, that the worker recorded last; "" is unknown.
func (s *shared) place() (call, line string) {
	n := min(int(binary.LittleEndian.Uint16(s.memory[atLength:])), placeBytes)
	text := string(s.memory[atText : atText+n])
	if s.memory[atKind] == kindCall {
		return text, ""
	}
	return "", text
}
