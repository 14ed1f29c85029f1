package workspace

import (
	"math"
	"strings"

	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/tuning"
)

// The environment variables that the library reads when a handle is created.
const (
	EnvDeviceMemorySize = "ROCBLAS_DEVICE_MEMORY_SIZE"
	EnvStreamOrderAlloc = "ROCBLAS_STREAM_ORDER_ALLOC"
	EnvAtomicsMode      = "ROCBLAS_DEFAULT_ATOMICS_MODE"
	EnvTrsmMemoryLimit  = "ROCBLAS_INTERNAL_TRSM_REG_KERNEL_MEM_LIMIT"
	EnvCheckNumerics    = "ROCBLAS_CHECK_NUMERICS"
)

// EnvLayerBytes makes all functions of hipSOLVER count the sizes of buffers in bytes. The library reads it in each
// call.
const EnvLayerBytes = "HIPSOLVER_BUFFERSIZE_RETURN_BYTES"

// Config decides how a handle is created.
type Config struct {
	Profile     *Profile
	Environment map[string]string // at creation

	// DefaultBytes is the first memory of a handle whose size the environment does not set; 0 and nil mean the default
	// of the architecture. It is for one handle: a handle that uses it, or could, sets it to 0.
	DefaultBytes *uint64

	// Tuning has the tuning files of architectures. Without files the kernels of products are unknown.
	Tuning tuning.Libraries

	// Found, if not nil, gets the known defects of the libraries that concern a call that succeeded, also one that
	// hipBLAS or hipSOLVER makes, and the name of its routine.
	Found    func(defects []defect.Finding, name string)
	Versions *release.Versions // whose defects are meant; nil for the ones of the release
}

// takeDefault returns the size for one handle, and 0 if the environment sets the size.
func (c Config) takeDefault() uint64 {
	if _, set := c.getenv(EnvDeviceMemorySize); set || c.DefaultBytes == nil {
		return 0
	}
	bytes := *c.DefaultBytes
	*c.DefaultBytes = 0
	return bytes
}

func (c Config) getenv(name string) (value string, set bool) {
	value, set = c.Environment[name]
	return value, set
}

// lookup looks up an environment variable, as os.LookupEnv does.
type lookup func(name string) (value string, set bool)

// wholeNumber reads a variable as the library does, by C's strtoul with automatic base: leading blanks and a sign, 0x
// for hexadecimal, 0b for binary (since glibc 2.38), 0 for octal, then the longest run of digits. Without digits the
// value is 0, beyond 64 bits it is the largest number, and a minus sign wraps around. No input is an error.
func wholeNumber(text string) uint64 {
	negative, text := sign(text)
	value, ok := magnitude(text)
	if negative && ok {
		return -value
	}
	return value
}

// magnitude reads a number without a sign. ok is false beyond 64 bits.
func magnitude(text string) (value uint64, ok bool) {
	base, prefix := uint64(10), strings.ToLower(text[:min(len(text), 2)])
	switch {
	case prefix == "0x":
		base, text = 16, text[2:]
	case prefix == "0b":
		base, text = 2, text[2:]
	case strings.HasPrefix(text, "0"):
		base = 8
	}
	return digits(text, base)
}

// decimalNumber reads a variable as C's sscanf does with %zu: as wholeNumber, but always to base 10. ok is false
// without digits.
func decimalNumber(text string) (value uint64, ok bool) {
	negative, text := sign(text)
	value, fits := digits(text, 10)
	if negative && fits {
		value = -value
	}
	return value, text != "" && digit(text[0]) < 10
}

// sign removes leading blanks and a sign.
func sign(text string) (negative bool, rest string) {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	if strings.HasPrefix(text, "-") {
		return true, text[1:]
	}
	return false, strings.TrimPrefix(text, "+")
}

// digits reads the longest run of digits. Beyond 64 bits the value is the largest number, and ok is false.
func digits(text string, base uint64) (value uint64, ok bool) {
	for i := 0; i < len(text) && digit(text[i]) < base; i++ {
		d := digit(text[i])
		if value > (math.MaxUint64-d)/base {
			return math.MaxUint64, false
		}
		value = value*base + d
	}
	return value, true
}

// trsmLimit returns the limit of the environment, or 0 for the library's own. A limit of 0 bytes is returned as 1:
// every solve needs more than either. The library reads the variable when it is loaded, the model for each handle.
func trsmLimit(getenv lookup) uint64 {
	text, _ := getenv(EnvTrsmMemoryLimit)
	limit, ok := decimalNumber(text)
	if !ok {
		return 0
	}
	return max(limit, 1)
}

// initialAtomicsMode returns the mode of a new handle: the default of the release, unless the environment has a number.
func initialAtomicsMode(r *release.Release, getenv lookup) int64 {
	allowed := r.AtomicsAllowed
	if text, set := getenv(EnvAtomicsMode); set {
		allowed = wholeNumber(text) != 0
	}
	if allowed {
		return routine.AtomicsAllowed
	}
	return routine.AtomicsNotAllowed
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
