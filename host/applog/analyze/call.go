package analyze

import (
	"encoding/binary"

	"roclua/hip/defect"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/host/files"
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

	Settings   files.Settings // of a file that lists calls
	State      defect.State   // of the handle of recorded calls, each part as it was in any of them
	MayBeQuery bool           // the log does not show whether the call was executed, or only its size was queried

	key    string
	counts [lines.KindCount]int64
	asked  bool // a size query of hipSOLVER that is certain was for it, so other commands are of calls
	shared bool // it may be of another function: see Parser.Claim
	large  bool // on some target it needs more than a new handle has
}

// Need is the memory that an executed call allocates on a target.
type Need struct {
	Bytes      uint64
	Degraded   uint64 // smaller size for a slower run, if CanDegrade
	CanDegrade bool
	AtMost     bool   // depends on options missing from the log: Bytes is the maximum
	Status     string // status of a call that fails before it allocates; otherwise ""
	Reason     string // why it fails, or why the need is unknown

	Ends, Why string // status other than success with the settings of a file, and its explanation
}

// Known reports whether the bytes are known.
func (n *Need) Known() bool { return n.Reason == "" || n.Status != "" }

// Args returns the arguments of the call. Arguments missing from the log have their defaults.
func (c *Call) Args() *routine.Args { return unpack(c.Routine, c.key) }

// Classes of scalars in a key. They suffice to decide whether a call computes, and with which kernel.
const (
	nullScalar = iota
	zeroScalar
	oneScalar   // and all others but zero, except for the factor beta of a product
	otherScalar // of a product
)

// scalarValues are numbers of the classes.
var scalarValues = [...]complex128{zeroScalar: 0, oneScalar: 1, otherScalar: 2}

// Classes of pointers in a key.
const (
	nullPointer = iota
	ownPointer
	sameAsC // the result of a product
)

// pack appends the arguments of a call as a key: integers, and the classes of pointers and scalars.
func pack(key []byte, a *routine.Args) []byte {
	r := a.Routine
	key = binary.AppendUvarint(key[:0], uint64(r.Index))
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			key = append(key, scalarClass(a, p.Slot))
		case p.Kind.IsPointer():
			key = append(key, pointerClass(a, p.Slot))
		default:
			key = binary.AppendVarint(key, a.Int(p.Slot))
		}
	}
	return key
}

func scalarClass(a *routine.Args, s routine.Slot) byte {
	switch v := a.Scalar(s); {
	case a.Null(s):
		return nullScalar
	case v == 0:
		return zeroScalar
	case v == 1 || s != routine.Beta || !a.Routine.IsProduct():
		return oneScalar
	}
	return otherScalar
}

func pointerClass(a *routine.Args, s routine.Slot) byte {
	switch {
	case a.Null(s):
		return nullPointer
	case s == routine.D && a.Ptr(s) == a.Ptr(routine.C) && a.Routine.IsProduct():
		return sameAsC
	}
	return ownPointer
}

// unpack is the inverse of pack. Scalars and pointers become representatives of their classes.
func unpack(r *routine.Routine, key string) *routine.Args {
	a, text := r.New(), []byte(key)
	_, n := binary.Uvarint(text)
	text = text[n:]
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			if text[0] != nullScalar {
				a.SetScalar(p.Slot, scalarValues[text[0]])
			}
			text = text[1:]
		case p.Kind.IsPointer():
			switch text[0] {
			case ownPointer:
				a.SetPtr(p.Slot, lines.Address(p))
			case sameAsC:
				a.SetPtr(p.Slot, a.Ptr(routine.C))
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
