package units

import (
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "12": 12, "-3": -3, "1.5": 1.5, "1e-10": 1e-10, "0x40": 64, "0b11": 3,
		"1K": 1024, "1k": -1, "2M": 2 << 20, "3G": 3 << 30, "1T": 1 << 40,
		"1Ki": 1024, "1KiB": 1024, "48MiB": 48 << 20,
		"1.5 GiB": 3 << 29, "2TiB": 2 << 40, " 7 ": 7, "0.5K": 512, "inf": math.Inf(1),
		"1KB": -1, "1MB": -1, "B": -1, "7B": -1, "K": -1, "": -1, "x": -1, "1KK": -1, "nan": -1,
		"9007199254740992": 1 << 53, "9007199254740993": -1, "-9007199254740993": -1, "0x20000000000001": -1,
		"9007199254740993K": -1, "9007199254740994": 1<<53 + 2, "1152921504606846976": 1 << 60, "1e30": 1e30,
		"0x20000000000002": 1<<53 + 2, "36893488147419103232": 1 << 65, "36893488147419103233": -1,
		"1e400": -1, "1 2": -1, "--1": -1,
	} {
		have, err := Parse(text)
		if want == -1 {
			if err == nil {
				t.Errorf("%q: %v, want an error", text, have)
			}
		} else if err != nil || have != want {
			t.Errorf("%q: %v, %v, want %v", text, have, err, want)
		}
	}
}

func TestParseInt(t *testing.T) {
	for text, want := range map[string]int64{
		"12": 12, "-1": -1, "1K": 1024, "1.5K": 1536, "1e3": 1000, "0x10": 16, "9223372036854775807": 1<<63 - 1,
		"8192T": 1 << 53, "-8192T": -1 << 53,
	} {
		if have, err := ParseInt(text); err != nil || have != want {
			t.Errorf("%q: %v, %v, want %v", text, have, err, want)
		}
	}
	for _, text := range []string{"", "1.5", "0.3K", "1e300", "100000T", "8193T", "-8193T", "x", "1KB"} {
		if have, err := ParseInt(text); err == nil {
			t.Errorf("%q: %v, want an error", text, have)
		}
	}
}
