package tuning

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tinylib/msgp/msgp"
)

// FileError is a defect of a tuning file.
type FileError struct {
	File   string
	Offset int // in bytes
	Reason string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("tuning file %s: byte %d: %s", e.File, e.Offset, e.Reason)
}

// reader reads the values of a file one after the other. Its methods panic with a FileError, which load recovers: every
// value of a file can be wrong.
type reader struct {
	file string
	all  []byte
	rest []byte
}

// fail stops reading because of the value that starts before the bytes that are left.
func (r *reader) fail(at []byte, format string, args ...any) {
	panic(&FileError{r.file, len(r.all) - len(at), fmt.Sprintf(format, args...)})
}

// next advances past a value that was read, or fails.
func (r *reader) next(rest []byte, err error) {
	if err == nil {
		r.rest = rest
		return
	}
	if errors.Is(err, msgp.ErrShortBytes) {
		err = io.ErrUnexpectedEOF
	}
	r.fail(r.rest, "%v", msgp.Cause(err))
}

// entries calls f with each key of a map. It must read or skip the value.
func (r *reader) entries(f func(key []byte)) {
	n, rest, err := msgp.ReadMapHeaderBytes(r.rest)
	for r.next(rest, err); n > 0; n-- {
		key, rest, err := msgp.ReadStringZC(r.rest)
		r.next(rest, err)
		f(key)
	}
}

// elements returns the length of an array, whose elements follow.
func (r *reader) elements() int {
	n, rest, err := msgp.ReadArrayHeaderBytes(r.rest)
	if r.next(rest, err); int(n) > len(rest) {
		r.fail(r.rest, "an array of %d elements, the file has %d more bytes", n, len(rest))
	}
	return int(n)
}

func (r *reader) string() string {
	s, rest, err := msgp.ReadStringBytes(r.rest)
	r.next(rest, err)
	return s
}

func (r *reader) bool() bool {
	b, rest, err := msgp.ReadBoolBytes(r.rest)
	r.next(rest, err)
	return b
}

func (r *reader) int() int64 {
	if msgp.NextType(r.rest) == msgp.UintType {
		u, rest, err := msgp.ReadUint64Bytes(r.rest)
		r.next(rest, err)
		return int64(u)
	}
	i, rest, err := msgp.ReadInt64Bytes(r.rest)
	r.next(rest, err)
	return i
}

// float reads a number of any type.
func (r *reader) float() float64 {
	switch msgp.NextType(r.rest) {
	case msgp.Float64Type:
		f, rest, err := msgp.ReadFloat64Bytes(r.rest)
		r.next(rest, err)
		return f
	case msgp.Float32Type:
		f, rest, err := msgp.ReadFloat32Bytes(r.rest)
		r.next(rest, err)
		return float64(f)
	}
	return float64(r.int())
}

// value is a value of a file that was skipped.
type value struct {
	from []byte // the value and the rest of the file
	n    int    // bytes of the value; 0 if there is none
}

func (v value) bytes() []byte { return v.from[:v.n] }

// skip advances past a value.
func (r *reader) skip() value {
	start := r.rest
	r.next(msgp.Skip(r.rest))
	return value{start, len(start) - len(r.rest)}
}

// at returns a reader of a value that was skipped.
func (r *reader) at(v value) *reader { return &reader{r.file, r.all, v.from} }

// fields returns the values of names in a map. A name without a value is an error unless it ends in "?".
func (r *reader) fields(names ...string) []value {
	found := make([]value, len(names))
	start := r.rest
	r.entries(func(key []byte) {
		v := r.skip()
		for i, name := range names {
			if strings.TrimSuffix(name, "?") == string(key) {
				found[i] = v
			}
		}
	})
	for i, name := range names {
		if found[i].n == 0 && !strings.HasSuffix(name, "?") {
			r.fail(start, "a map without %q", name)
		}
	}
	return found
}
