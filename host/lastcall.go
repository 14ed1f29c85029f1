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

// note writes a call down before it is made.
func (l *lastCall) note(site driver.Site) {
	if l == nil {
		return
	}
	n := copy(l.memory[2:], site.Call)
	if site.Origin != "" {
		n += copy(l.memory[2+n:], " at ")
		n += copy(l.memory[2+n:], site.Origin)
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
	if n == 0 || n > lastCallBytes-2 {
		return ""
	}
	return string(b[2 : 2+n])
}
