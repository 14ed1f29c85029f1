package host

import (
	"encoding/binary"
	"os"

	"roclua/hip/driver"
)

// lastCall is the call under way in a worker, in memory that it shares with the program through a file. When the worker
// dies, the file still tells.
type lastCall struct{ memory []byte }

const lastCallBytes = 512

// phase is how far a worker is with its case; it is kept in the last byte.
type phase byte

const (
	phaseIdle    phase = iota // or unknown, where memory cannot be shared
	phaseRunning              // and no limit noticed
	phaseOver                 // it noticed that it ended early, and cleans up
)

// openLastCall maps the file; nil when that cannot be done here, and then nobody knows the last call.
func openLastCall(f *os.File) *lastCall {
	if f == nil {
		return nil
	}
	memory, err := mapShared(f, lastCallBytes)
	if err != nil {
		return nil
	}
	return &lastCall{memory}
}

// enter writes down how far the worker is.
func (l *lastCall) enter(p phase) {
	if l != nil {
		l.memory[lastCallBytes-1] = byte(p)
	}
}

// readPhase reads how far a worker is.
func readPhase(f *os.File) phase {
	var b [1]byte
	if _, err := f.ReadAt(b[:], lastCallBytes-1); err != nil {
		return phaseIdle
	}
	return phase(b[0])
}

// note writes a call down before it is made.
func (l *lastCall) note(site driver.Site) {
	if l == nil {
		return
	}
	text := l.memory[2 : lastCallBytes-1]
	n := copy(text, site.Call)
	if site.Origin != "" {
		n += copy(text[n:], " at ")
		n += copy(text[n:], site.Origin)
	}
	binary.LittleEndian.PutUint16(l.memory, uint16(n))
}

// readLastCall reads what a worker noted last.
func readLastCall(f *os.File) string {
	b := make([]byte, lastCallBytes)
	if _, err := f.ReadAt(b, 0); err != nil {
		return ""
	}
	n := int(binary.LittleEndian.Uint16(b))
	if n == 0 || n > lastCallBytes-3 {
		return ""
	}
	return string(b[2 : 2+n])
}
