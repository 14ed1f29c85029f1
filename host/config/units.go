package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written as 1048576, "48MiB" or "1.5 GiB".
type Size uint64

var sizeUnits = []struct {
	suffix string
	bytes  float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

// UnmarshalText reads a size; the decoder passes bare integers as well.
func (s *Size) UnmarshalText(text []byte) error {
	value := strings.TrimSpace(string(text))
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(value, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		bytes := n * u.bytes
		if err != nil || n < 0 || bytes != math.Trunc(bytes) || bytes > 1<<53 {
			break
		}
		*s = Size(bytes)
		return nil
	}
	return fmt.Errorf("%q is not a size; write a number of bytes, or one with KiB, MiB, GiB or TiB", value)
}

// Duration is a time, written as "30s" or "1m30s".
type Duration time.Duration

// UnmarshalText reads a duration. A bare number is an error: its unit would be ambiguous.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a time; write a number with a unit, such as \"30s\" or \"2m\"", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes the duration in the form that UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
