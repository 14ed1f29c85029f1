package config

import (
	"bytes"
	"encoding/json"
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
		number, err = strconv.ParseFloat(strings.TrimSpace(digits), 64)
	}
	if err != nil || number < 0 || number != math.Trunc(number) || number > 1<<53 {
		return fmt.Errorf("%q is not a size; write a number of bytes, or one with a suffix K, M, G or T "+
			"(KiB, MiB, GiB, TiB)", value)
	}
	*s = Size(number)
	return nil
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

// FromJSON restores a configuration from JSON decoded with numbers kept as text. The sources of values and the folder
// of the file are lost.
func FromJSON(value any) (*Config, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var c Config
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&c); err != nil {
		return nil, err
	}
	c.folder = "."
	return &c, nil
}

// UnmarshalJSON reads a number of bytes.
func (s *Size) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*uint64)(s)) }
