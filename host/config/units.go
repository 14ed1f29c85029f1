package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"roclua/internal/units"
)

// Size is a number of bytes, written as 1048576, "48MiB", "48M" or "1.5 GiB".
type Size uint64

// UnmarshalText reads a size; the decoder passes bare integers as well.
func (s *Size) UnmarshalText(text []byte) error {
	value := strings.TrimSpace(string(text))
	number, err := units.Parse(value)
	if digits, ok := strings.CutSuffix(value, "B"); ok && err != nil {
		number, err = parsePlain(digits)
	}
	if err != nil || number < 0 || number != math.Trunc(number) || number > 1<<53 {
		return fmt.Errorf("%q is not a size; write a number of bytes, or one with a suffix K, M, G or T "+
			"(KiB, MiB, GiB, TiB)", value)
	}
	*s = Size(number)
	return nil
}

// parsePlain reads the number before the unit B.
func parsePlain(digits string) (float64, error) {
	return strconv.ParseFloat(strings.TrimSpace(digits), 64)
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

// MarshalText writes the duration in the format of UnmarshalText.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
