package lines

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roclua/hip/routine"
)

// outcome is the result of reading one argument.
type outcome uint8

const (
	isRead    outcome = iota
	isLost            // the library wrote something else instead of the value
	isGarbled         // no value
)

// set reads the value of a parameter into a.
func set(a *routine.Args, p *routine.Param, text []byte) outcome {
	switch {
	case p.Kind.IsEnum():
		return setEnum(a, p, text)
	case p.Kind.IsInteger():
		v, ok := parseInt(text)
		if !ok && p.Slot == routine.Flags {
			return setFlags(a, text)
		}
		if !ok || a.Routine.CheckRange(p, v) != nil {
			return isGarbled
		}
		a.SetInt(p.Slot, v)
	case p.Kind == routine.Real:
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return isGarbled
		}
		a.SetReal(p.Slot, v)
	case p.Kind == routine.Scalar:
		return setScalar(a, p, text)
	default:
		return setPointer(a, p, text)
	}
	return isRead
}

// setEnum reads a letter, a number or a name. For an illegal value rocBLAS writes a blank and rocSOLVER a zero byte.
// rocSOLVER also writes a zero byte for all values of the kinds in zeroBytes.
func setEnum(a *routine.Args, p *routine.Param, text []byte) outcome {
	if len(text) == 1 {
		if v, ok := routine.Letter(p.Kind, text[0]); ok {
			a.SetInt(p.Slot, v)
			return isRead
		}
	}
	switch v, ok := parseInt(text); {
	case ok && int64(int32(v)) == v:
		a.SetInt(p.Slot, v)
		return isRead
	case ok:
		return isGarbled
	}
	zero := len(text) == 1 && text[0] == 0
	if zero && slices.Contains(zeroBytes, p.Kind) {
		return isLost
	}
	if zero || len(bytes.TrimSpace(text)) == 0 || string(text) == "invalid" {
		a.SetInt(p.Slot, illegal)
		return isRead
	}
	if v, ok := datatype(text); ok && p.Kind == routine.Datatype {
		a.SetInt(p.Slot, v)
		return isRead
	}
	return isGarbled
}

// zeroBytes are the enumerations whose legal values rocSOLVER writes as a zero byte.
var zeroBytes = []routine.Kind{routine.ProblemForm, routine.RotationPivot, routine.SingularValueRange,
	routine.SingularVectorJob}

// illegal is the value of an enumeration logged as illegal.
const illegal = -1

// setFlags reads the flags of matrix multiplication, which rocBLAS writes as words.
func setFlags(a *routine.Args, text []byte) outcome {
	switch {
	case string(text) == "none":
		a.SetInt(routine.Flags, 0)
		return isRead
	case nameLength(text) == len(text) && len(text) > 0:
		return isLost
	}
	return isGarbled
}

// setScalar reads a number, a complex number "(1,0)", or an address. rocBLAS writes nan for a null pointer.
func setScalar(a *routine.Args, p *routine.Param, text []byte) outcome {
	if len(text) > 0 && text[0] == '(' {
		re, im, ok := bytes.Cut(bytes.Trim(text, "()"), []byte(","))
		x, errX := strconv.ParseFloat(string(re), 64)
		y, errY := strconv.ParseFloat(string(im), 64)
		if !ok || errX != nil || errY != nil || text[len(text)-1] != ')' {
			return isGarbled
		}
		setNumber(a, p.Slot, complex(x, y))
		return isRead
	}
	if v, err := strconv.ParseFloat(string(text), 64); err == nil {
		setNumber(a, p.Slot, complex(v, 0))
		return isRead
	}
	if _, ok := address(text); !ok {
		return isGarbled
	}
	a.SetScalar(p.Slot, 1)
	return isRead
}

func setNumber(a *routine.Args, s routine.Slot, v complex128) {
	if math.IsNaN(real(v)) {
		a.SetPtr(s, 0)
		return
	}
	a.SetScalar(s, v)
}

// setPointer reads an address. Only null and equal addresses have a meaning.
func setPointer(a *routine.Args, p *routine.Param, text []byte) outcome {
	switch {
	case string(text) == "0", string(text) == "(nil)", string(text) == "nullptr":
		a.SetPtr(p.Slot, 0)
	default:
		v, ok := address(text)
		if !ok {
			return isGarbled
		}
		if Address(p) == routine.Host {
			v = routine.Host
		}
		a.SetPtr(p.Slot, v)
	}
	return isRead
}

// Address returns an address for a non-null pointer.
func Address(p *routine.Param) uint64 {
	if p.Kind == routine.Output || p.Kind == routine.Scalar {
		return routine.Host
	}
	return routine.ArrayAddress(p.Slot)
}

// address reads an address in hexadecimal digits.
func address(text []byte) (uint64, bool) {
	digits, ok := bytes.CutPrefix(text, []byte("0x"))
	v, err := strconv.ParseUint(string(digits), 16, 64)
	return v, ok && err == nil
}

// parseInt reads a decimal integer.
func parseInt(text []byte) (v int64, ok bool) {
	v, err := strconv.ParseInt(string(text), 10, 64)
	return v, err == nil
}

var datatypes = sync.OnceValue(func() map[string]int64 {
	names := map[string]int64{}
	for _, c := range routine.Constants {
		if c.Enum == routine.Datatype {
			names[strings.TrimPrefix(c.Name, "datatype_")] = c.Value
		}
	}
	return names
})

// datatype reads the name of a datatype, "f32_r", its letter or its number.
func datatype(text []byte) (int64, bool) {
	if len(text) == 1 {
		return routine.Letter(routine.Datatype, text[0])
	}
	if v, ok := datatypes()[string(text)]; ok {
		return v, true
	}
	return parseInt(text)
}
