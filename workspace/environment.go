package workspace

import (
	"math"
	"strings"
)

// The environment variables that the library reads when a handle is created.
const (
	EnvDeviceMemorySize = "ROCBLAS_DEVICE_MEMORY_SIZE"
	EnvStreamOrderAlloc = "ROCBLAS_STREAM_ORDER_ALLOC"
	EnvTrsmMemoryLimit  = "ROCBLAS_INTERNAL_TRSM_REG_KERNEL_MEM_LIMIT"
)

// lookup looks up an environment variable, as os.LookupEnv does.
type lookup func(name string) (value string, set bool)

// wholeNumber reads a variable as the library does, by C's strtoul with automatic base: leading blanks and a sign, 0x
// for hexadecimal, 0 for octal, then the longest run of digits. Without digits the value is 0, beyond 64 bits it is the
// largest number, and a minus sign wraps around. No input is an error.
func wholeNumber(text string) uint64 {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	base := uint64(10)
	switch {
	case len(text) > 2 && (text[:2] == "0x" || text[:2] == "0X") && digit(text[2]) < 16:
		base, text = 16, text[2:]
	case strings.HasPrefix(text, "0"):
		base = 8
	}
	value := uint64(0)
	for i := 0; i < len(text) && digit(text[i]) < base; i++ {
		d := digit(text[i])
		if value > (math.MaxUint64-d)/base {
			return math.MaxUint64
		}
		value = value*base + d
	}
	if negative {
		return -value
	}
	return value
}

// digit returns the value of a digit of any base up to 16, or 16 for anything else.
func digit(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 16
}
