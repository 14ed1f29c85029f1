package config

import (
	"strings"
	"testing"
)

func TestParseAxis(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"64:512:x2", "64 128 256 512"},
		{"64:500:x2", "64 128 256"},
		{"1:4", "1 2 3 4"},
		{"1K:4KiB:x2", "1024 2048 4096"},
		{"0:2K:1K", "0 1024 2048"},
		{"10:20:5", "10 15 20"},
		{"10:21:+5", "10 15 20"},
		{"2:10:x1.5", "2 3 5 7"},
		{"1:3:x1.1", "1 2 3"},
		{"-1:1", "-1 0 1"},
		{"9223372036854775806:9223372036854775807", "9223372036854775806 9223372036854775807"},
		{"none,transpose", "none transpose"},
		{"8, 16:18 ,7", "8 16 17 18 7"},
		{"5:5", "5"},
		{"5:5:2", "5"},
		{"4611686018427387904:9223372036854775807:x2", "4611686018427387904"},
	} {
		have, err := ParseAxis(test.text)
		if err != nil || strings.Join(have, " ") != test.want {
			t.Errorf("%s: %v, %v, want %s", test.text, have, err, test.want)
		}
	}
	for text, want := range map[string]string{
		"":              "has an empty value",
		"1,,2":          "has an empty value",
		"a:b":           "FROM and TO must be integers",
		"8:4":           "FROM is more than TO",
		"1:2:3:4":       "is not a range",
		"1:9:0":         "STEP must be a positive integer",
		"1:9:x1":        "xFACTOR must be a number above 1",
		"0:9:x2":        "and FROM above 0",
		"0:1000000":     "has 1000001 values, at most 1000000",
		"1:99999999999": "has 99999999999 values, at most 1000000 are possible; use a larger step",
		"-9223372036854775808:9223372036854775807": "has 18446744073709551615 values",
		"1:2:x1.0000001":                      "takes more than 1000000 steps; use a larger factor",
		"1:1000000,7":                         "has more than 1000000 values",
		strings.Repeat("1,", 2_000_000) + "1": "has more than 1000000 values",
		strings.Repeat("9", 58) + ":1":        `"` + strings.Repeat("9", 58) + `:1": FROM and TO`,
		strings.Repeat("9", 1000) + ":1":      `"` + strings.Repeat("9", 60) + `"...: FROM and TO`,
	} {
		if have, err := ParseAxis(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, have, err, want)
		}
	}
}

// TestMaxValues expands axes with the maximum number of values.
func TestMaxValues(t *testing.T) {
	for _, text := range []string{"1:1000000", "1:999999,7"} {
		if values, err := ParseAxis(text); err != nil || len(values) != MaxValues {
			t.Errorf("%s has %d values: %v", text, len(values), err)
		}
	}
}

func FuzzParseAxis(f *testing.F) {
	for _, seed := range []string{"64:8192:x2", "1:32", "10:100:+7", "none,T", "1:9:x1.0000001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := ParseAxis(text)
		if err == nil && len(values) == 0 {
			t.Errorf("%q has neither an error nor a value", text)
		}
	})
}
