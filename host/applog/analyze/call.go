package analyze

import (
	"encoding/binary"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// mostCalls bounds the distinct calls.
const mostCalls = 100_000

// Call is a distinct call that a log records one or more times.
type Call struct {
	Routine *routine.Routine
	Known   lines.Slots // arguments in the log; the others have their defaults
	File    int         // index in Answer.Files of the first line
	Line    int64       // the first line, from 1
	Times   int64
	Needs   []Need // for each target

	MayBeQuery bool // the log does not show whether the call was executed, or only its size was queried

	key    string
	counts [lines.KindCount]int64
	asked  bool // a size query of hipSOLVER that is certain was for it, so other commands are of calls
	shared bool // it may be of another function: see Parser.Claim
	large  bool // on some target it needs more than a new handle has
	life   int  // handle lifetime of the last simulation
}

// Need is the memory that an executed call allocates on a target.
type Need struct {
	Bytes      uint64
	Degraded   uint64 // smaller size for a slower run, if CanDegrade
	CanDegrade bool
	AtMost     bool   // depends on options missing from the log: Bytes is the maximum
	Status     string // status of a call that fails before it allocates; otherwise ""
	Reason     string // why it fails, or why the need is unknown
}

// Known reports whether the bytes are known.
func (n *Need) Known() bool { return n.Reason == "" || n.Status != "" }

// Args returns the arguments of the call. Arguments missing from the log have their defaults.
func (c *Call) Args() *routine.Args { return unpack(c.Routine, c.key) }

// Classes of scalars in a key: they suffice to decide whether a call computes.
const (
	nullScalar = iota
	zeroScalar
	otherScalar
)

// pack appends the arguments of a call as a key: integers, whether pointers are null, and the classes of scalars.
func pack(key []byte, a *routine.Args) []byte {
	r := a.Routine
	key = binary.AppendUvarint(key[:0], uint64(r.Index))
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			key = append(key, scalarClass(a, p.Slot))
		case p.Kind.IsPointer():
			null := byte(0)
			if a.Null(p.Slot) {
				null = 1
			}
			key = append(key, null)
		default:
			key = binary.AppendVarint(key, a.Int(p.Slot))
		}
	}
	return key
}

func scalarClass(a *routine.Args, s routine.Slot) byte {
	switch {
	case a.Null(s):
		return nullScalar
	case a.Scalar(s) == 0:
		return zeroScalar
	}
	return otherScalar
}

// unpack is the inverse of pack. A nonzero scalar becomes 1.
func unpack(r *routine.Routine, key string) *routine.Args {
	a, text := r.New(), []byte(key)
	_, n := binary.Uvarint(text)
	text = text[n:]
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			if text[0] != nullScalar {
				a.SetScalar(p.Slot, complex(float64(text[0]-zeroScalar), 0))
			}
			text = text[1:]
		case p.Kind.IsPointer():
			if text[0] == 0 {
				a.SetPtr(p.Slot, lines.Address(p))
			}
			text = text[1:]
		default:
			v, n := binary.Varint(text)
			a.SetInt(p.Slot, v)
			text = text[n:]
		}
	}
	return a
}
