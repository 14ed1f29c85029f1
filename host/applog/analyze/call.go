package analyze

import (
	"encoding/binary"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// Call is a call that a log has, once or many times.
type Call struct {
	Routine *routine.Routine
	Known   lines.Slots // the arguments that the log gives; the others have their defaults
	File    int         // of the first line, an index of Answer.Files
	Line    int64       // the first line, from 1
	Times   int64
	Needs   []Need // for each target

	key    string
	counts [lines.KindCount]int64
	large  bool // it needs more than a new handle has, on a target
	life   int  // of the handle with which it was last simulated
}

// Need is what an executed call allocates on a target.
type Need struct {
	Bytes      uint64
	Degraded   uint64 // with which it also runs, more slowly, if CanDegrade
	CanDegrade bool
	AtMost     bool   // options that the log does not show decide: Bytes is the most that they can need
	Status     string // what the library returns for a call that fails before it allocates; "" for others
	Reason     string // why it fails, or why the need is not known
}

// Known reports whether the bytes are known.
func (n *Need) Known() bool { return n.Reason == "" || n.Status != "" }

// Args returns the arguments of the call. What the log does not give has its default.
func (c *Call) Args() *routine.Args { return unpack(c.Routine, c.key) }

// The classes of a scalar that a key distinguishes: whether a call computes depends on no more.
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

// unpack is the inverse of pack. A scalar that is not zero becomes 1.
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
