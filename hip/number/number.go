// Package number converts between Go's numbers and elements of every datatype of the libraries, including 16-bit
// floating-point numbers.
package number

import (
	"encoding/binary"
	"math"

	"github.com/x448/float16"

	"roclua/hip/routine"
)

// Load returns the first element of b. The result is zero for a number that is not a datatype.
func Load(datatype int64, b []byte) complex128 {
	if real := routine.RealOf(datatype); real != datatype {
		half := size(real)
		return complex(loadReal(real, b), loadReal(real, b[half:]))
	}
	return complex(loadReal(datatype, b), 0)
}

// Store rounds v to a datatype and writes it as the first element of b. Real datatypes get the real part; integers get
// the low bits of the truncated number.
func Store(datatype int64, b []byte, v complex128) {
	part := routine.RealOf(datatype)
	storeReal(part, b, real(v))
	if part != datatype {
		storeReal(part, b[size(part):], imag(v))
	}
}

// Round returns v rounded to a datatype.
func Round(datatype int64, v complex128) complex128 {
	if v == 0 || v == 1 || datatype == routine.DatatypeF64 && imag(v) == 0 || datatype == routine.DatatypeF64C {
		return v
	}
	var element [16]byte
	Store(datatype, element[:], v)
	return Load(datatype, element[:])
}

func size(datatype int64) int64 {
	bytes, _ := routine.SizeofDatatype(datatype)
	return bytes
}

func loadReal(datatype int64, b []byte) float64 {
	switch datatype {
	case routine.DatatypeF16:
		return float64(float16.Frombits(binary.LittleEndian.Uint16(b)).Float32())
	case routine.DatatypeBF16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case routine.DatatypeF32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case routine.DatatypeF64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case routine.DatatypeI8:
		return float64(int8(b[0]))
	case routine.DatatypeU8:
		return float64(b[0])
	case routine.DatatypeI32:
		return float64(int32(binary.LittleEndian.Uint32(b)))
	case routine.DatatypeU32:
		return float64(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func storeReal(datatype int64, b []byte, v float64) {
	switch datatype {
	case routine.DatatypeF16:
		binary.LittleEndian.PutUint16(b, float16.Fromfloat32(toOdd(v)).Bits())
	case routine.DatatypeBF16:
		binary.LittleEndian.PutUint16(b, bfloat16(toOdd(v)))
	case routine.DatatypeF32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v)))
	case routine.DatatypeF64:
		binary.LittleEndian.PutUint64(b, math.Float64bits(v))
	case routine.DatatypeI8, routine.DatatypeU8:
		b[0] = byte(int64(v))
	case routine.DatatypeI32, routine.DatatypeU32:
		binary.LittleEndian.PutUint32(b, uint32(int64(v)))
	}
}

// toOdd rounds v to float32 and makes the last bit 1 unless v is exact. Rounding the result to 16 bits then gives the
// same number as rounding v once. Rounding to the nearest float32 first would not: it can produce a number halfway
// between two 16-bit numbers when v is not halfway.
func toOdd(v float64) float32 {
	f := float32(v)
	if float64(f) == v || v != v {
		return f
	}
	bits := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(v) {
		bits-- // towards zero
	}
	return math.Float32frombits(bits | 1)
}

// bfloat16 rounds to the nearest number of 8 significant bits, ties to even; a NaN stays a NaN.
func bfloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
