package config

import (
	"bytes"
	"encoding/json"
	"fmt"
)

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

// UnmarshalJSON reads a size: a number of bytes, or text.
func (s *Size) UnmarshalJSON(text []byte) error {
	var number uint64
	if json.Unmarshal(text, &number) == nil {
		*s = Size(number)
		return nil
	}
	var quoted string
	if err := json.Unmarshal(text, &quoted); err != nil {
		return fmt.Errorf("%s is not a size", text)
	}
	return s.UnmarshalText([]byte(quoted))
}
