// Package units reads numbers with a suffix for a power of 1024 and times, and writes numbers of bytes:
//
//	n, err := units.Parse("1.5GiB") // 1610612736
//	text := units.FormatBytes(4732160) // "4732160 bytes (4.5 MiB)"
//
// K, M, G and T are 1024, 1024², 1024³ and 1024⁴; the longer forms KiB, MiB, GiB and TiB are the same. KB, MB, GB and
// TB are not accepted, because some programs use them for powers of 1000.
package units

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// suffixes with their factors. A suffix precedes shorter ones that it ends with.
var suffixes = []struct {
	name   string
	factor float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40},
	{"", 1},
}

// ErrInexact reports a whole number that a float64, and so Lua, does not represent.
var ErrInexact = errors.New("is a whole number that Lua cannot represent: above 2^53 not all are")

// Parse reads a number such as 1024, 1e-3, 0x40, 1K, 1KiB or 1.5 GiB. A whole number that would be rounded is an error
// that wraps ErrInexact.
func Parse(text string) (float64, error) {
	trimmed := strings.TrimSpace(text)
	for _, s := range suffixes {
		digits, ok := strings.CutSuffix(trimmed, s.name)
		if !ok {
			continue
		}
		digits = strings.TrimSpace(digits)
		n, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			var i int64
			i, err = strconv.ParseInt(digits, 0, 64) // 0x40
			n = float64(i)
		}
		switch {
		case err != nil || math.IsNaN(n):
		case !isExact(digits, n):
			return 0, fmt.Errorf("%q %w", text, ErrInexact)
		default:
			return n * s.factor, nil
		}
		break
	}
	return 0, fmt.Errorf("%q is not a number; a suffix K, M, G or T (KiB, MiB, GiB, TiB) multiplies by powers of 1024",
		text)
}

// isExact reports whether n is the number with some digits, if these are a whole number.
func isExact(digits string, n float64) bool {
	if math.Abs(n) <= 1<<53-1 {
		return true
	}
	i, whole := new(big.Int).SetString(digits, 10)
	if !whole {
		i, whole = new(big.Int).SetString(digits, 0)
	}
	return !whole || new(big.Float).SetInt(i).Cmp(big.NewFloat(n)) == 0
}

// IsExact reports whether a float64, and so Lua, represents a whole number.
func IsExact(n int64) bool { return isExact(strconv.FormatInt(n, 10), float64(n)) }

// CheckTolerance returns an error for a number that cannot be the largest permitted difference of two values.
func CheckTolerance(v float64) error {
	if v >= 0 && !math.IsInf(v, 1) {
		return nil
	}
	return fmt.Errorf("%v is not a tolerance, which is a finite number of 0 or more", v)
}

// ParseInt reads a number as Parse does, which must be an integer.
func ParseInt(text string) (int64, error) {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 0, 64); err == nil {
		return n, nil // exact above 2^53
	}
	n, err := Parse(text)
	if err != nil {
		return 0, err
	}
	if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return 0, fmt.Errorf("%q is not an integer, or not exact: %v", text, n)
	}
	return int64(n), nil
}

// FormatBytes returns n with its unit and a rounded value, such as "4732160 bytes (4.5 MiB)".
func FormatBytes(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes%s", n, rounded(n))
}

// Count returns a number of things: "1 buffer", "2 buffers".
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// rounded returns " (4.5 MiB)", or "" for less than 1 KiB.
func rounded(n uint64) string {
	const kibi = 1024
	if n < kibi {
		return ""
	}
	value, unit := float64(n)/kibi, 0
	for ; value >= kibi; unit++ {
		value /= kibi
	}
	return fmt.Sprintf(" (%.1f %ciB)", value, "KMGTPE"[unit])
}

// Thousands writes a number with commas: "491,680,000".
func Thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// FormatSeconds writes seconds in the unit that fits: "1.25 ms".
func FormatSeconds(seconds float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= unit.of {
			return strconv.FormatFloat(seconds/unit.of, 'g', 4, 64) + " " + unit.name
		}
	}
	return strconv.FormatFloat(seconds/1e-9, 'f', 0, 64) + " ns"
}

// times are the units of time. One precedes shorter ones that it ends with. A number is divided, not multiplied by a
// power of ten that a float64 does not represent.
var times = []struct {
	name                string
	multiplied, divided float64
}{
	{"ns", 1, 1e9}, {"us", 1, 1e6}, {"µs", 1, 1e6}, {"μs", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {"min", 60, 1},
	{"h", 3600, 1},
}

// ParseTime reads a time such as 5ms or 1.5 s as seconds, and reports whether text is one.
func ParseTime(text string) (seconds float64, ok bool) {
	for _, unit := range times {
		digits, found := strings.CutSuffix(strings.TrimSpace(text), unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		n = n * unit.multiplied / unit.divided
		return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}
