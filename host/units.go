package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written 1048576, "48MiB" or "1.5 GiB".
type Size uint64

var sizeUnits = []struct {
	suffix string
	bytes  float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

// UnmarshalText reads a size; the decoder hands it bare integers as well.
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
	return fmt.Errorf("%q is no size; write a number of bytes, or one with KiB, MiB, GiB or TiB", value)
}

// Duration is a time, written "30s" or "1m30s".
type Duration time.Duration

// UnmarshalText reads a duration. A bare number is refused: nobody can tell its unit.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no time; write a number with its unit, such as \"30s\" or \"2m\"", text)
	}
	*d = Duration(v)
	return nil
}

func durationText(d Duration) string { return time.Duration(d).String() }

// MarshalText writes the duration as it is read.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
