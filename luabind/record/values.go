package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MarshalJSON writes the metric by its tags.
func (m Metric) MarshalJSON() ([]byte, error) {
	type tagged Metric
	m.Value = Finite(m.Value)
	return Encode(tagged(m))
}

// Encode encodes a value for a MarshalJSON. Whether characters are escaped for HTML is for its caller to decide.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// UnmarshalJSON reads a metric. Whole numbers stay whole.
func (m *Metric) UnmarshalJSON(text []byte) error {
	type tagged Metric
	value := struct {
		*tagged
		Value json.RawMessage `json:"value"`
	}{tagged: (*tagged)(m)}
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	var err error
	if m.Value, err = parseValue(value.Value); err != nil {
		return fmt.Errorf("metric %s: %w", m.Name, err)
	}
	return nil
}

// Finite returns the value, or for NaN and the infinities, which JSON cannot represent, their names.
func Finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return fmt.Sprint(f)
	}
	return v
}

// notFinite is the inverse of Finite.
var notFinite = map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)}

// ExactNumbers bounds the whole numbers that Lua represents exactly.
const ExactNumbers = 1 << 53

// parseValue reads a number, a string or a boolean.
func parseValue(text json.RawMessage) (any, error) {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && -ExactNumbers < n && n < ExactNumbers {
		return n, nil
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string:
		if f, ok := notFinite[v]; ok {
			return f, nil
		}
		return v, nil
	case float64, bool:
		return v, nil
	}
	return nil, fmt.Errorf("%v is a %T, want a number, a string or a boolean", v, v)
}
