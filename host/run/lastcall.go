package run

import (
	"encoding/binary"
	"os"

	"roclua/hip/driver"
)

// lastCall is the call in progress in a worker, in memory that it shares with the program through a file. The program
// reads the file also after the worker has exited: the phase in a byte, the length of the text in two bytes, the
// text.
type lastCall struct{ memory []byte }

const (
	lastCallBytes = 512
	lastCallText  = 3 // offset of the text
)

// phase is how far a worker is with its case.
type phase byte

const (
	phaseWaiting phase = iota // it has not begun; or unknown, where memory cannot be shared
	phaseRunning              // the script runs, and has not noticed a limit
	phaseCleanup              // the case has ended early and cleans up
	phaseDone                 // the worker replies
)

// openLastCall maps the file. It returns nil where memory cannot be shared; the last call is unknown then.
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

// enter records how far the worker is.
func (l *lastCall) enter(p phase) {
	if l != nil {
		l.memory[0] = byte(p)
	}
}

// note records a call before it is made.
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

// clearLastCall prepares the file for a case.
func clearLastCall(f *os.File) error {
	_, err := f.WriteAt(make([]byte, lastCallText), 0)
	return err
}

// readPhase returns how far a worker is.
func readPhase(f *os.File) phase {
	var b [1]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return phaseWaiting
	}
	return phase(b[0])
}

// hasBegun reports whether a worker may have begun with its case.
func hasBegun(f *os.File) bool { return !sharesMemory || readPhase(f) != phaseWaiting }

// readLastCall returns the call that a worker recorded last, or "".
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
