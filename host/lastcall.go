package host

import (
	"encoding/binary"
	"os"

	"roclua/hip/driver"
)

// lastCall is the call under way in a worker, in memory that it shares with the program through a file. When the worker
// dies, the file still tells: the phase in a byte, the length of the text in two bytes, the text.
type lastCall struct{ memory []byte }

const (
	lastCallBytes = 512
	lastCallText  = 3 // where the text begins
)

// phase is how far a worker is with its case.
type phase byte

const (
	phaseWaiting phase = iota // it has not begun; or unknown, where memory cannot be shared
	phaseRunning              // and no limit noticed
	phaseOver                 // it noticed that it ended early, and cleans up
	phaseDone                 // it answers
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
		l.memory[0] = byte(p)
	}
}

// note writes a call down before it is made.
func (l *lastCall) note(site driver.Site) {
	if l == nil {
		return
	}
	text := l.memory[lastCallText:]
	n := copy(text, site.Call)
	if site.Origin != "" {
		n += copy(text[n:], " at ")
		n += copy(text[n:], site.Origin)
	}
	binary.LittleEndian.PutUint16(l.memory[1:], uint16(n))
}

// forgetLastCall makes the file ready for a case.
func forgetLastCall(f *os.File) error {
	_, err := f.WriteAt(make([]byte, lastCallText), 0)
	return err
}

// readPhase reads how far a worker is.
func readPhase(f *os.File) phase {
	var b [1]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return phaseWaiting
	}
	return phase(b[0])
}

// hasBegun reports whether a worker began with its case; where nobody knows, it may have.
func hasBegun(f *os.File) bool { return !sharesMemory || readPhase(f) != phaseWaiting }

// readLastCall reads what a worker noted last.
func readLastCall(f *os.File) string {
	b := make([]byte, lastCallBytes)
	if _, err := f.ReadAt(b, 0); err != nil {
		return ""
	}
	n := int(binary.LittleEndian.Uint16(b[1:]))
	if n > lastCallBytes-lastCallText {
		return ""
	}
	return string(b[lastCallText : lastCallText+n])
}
