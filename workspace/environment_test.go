package workspace

import (
	"math"
	"testing"
)

func TestNumberReadsAsStrtoul(t *testing.T) {
	for _, test := range []struct {
		text string
		want uint64
	}{
		{"", 0}, {"0", 0}, {"abc", 0}, {"1000", 1000}, {"0x100000", 1 << 20}, {"0XfF", 255}, {"010", 8}, {"08",
			0}, {"64MB", 64},
		{"0b11", 3}, {"0B101", 5}, {"0b", 0}, {"0b2", 0}, {"-0b1", math.MaxUint64}, {"-18446744073709551615", 1},
		{"-18446744073709551616", math.MaxUint64},
		{"0xa", 10}, {"0xA", 10}, {"0xz", 0}, {"1a", 1}, {"18446744073709551614", math.MaxUint64 - 1},
		{" \t64", 64}, {"+7", 7}, {"-1", math.MaxUint64}, {"-64", math.MaxUint64 - 63}, {"0x", 0}, {"0xg", 0}, {"1e6",
			1},
		{"18446744073709551615", math.MaxUint64}, {"18446744073709551616", math.MaxUint64}, {"99999999999999999999",
			math.MaxUint64},
	} {
		if have := wholeNumber(test.text); have != test.want {
			t.Errorf("%q: %d, want %d", test.text, have, test.want)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"", "0x", "-0x1", "  +010", "99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := wholeNumber(text); n != wholeNumber(" "+text) {
			t.Errorf("%q: a leading blank changes %d", text, n)
		}
	})
}

// TestDecimalNumberReadsAsScanf has the results of sscanf with %zu.
func TestDecimalNumberReadsAsScanf(t *testing.T) {
	for _, test := range []struct {
		text string
		want uint64
		ok   bool
	}{
		{"", 0, false}, {"x", 0, false}, {"a", 0, false}, {"A1", 0, false},
		{" ", 0, false}, {"-", 0, false}, {"--5", 0, false}, {",", 0, false},
		{"0", 0, true}, {"-0", 0, true}, {" \t7", 7, true}, {"+7x", 7, true}, {"1e9", 1, true}, {"0x10", 0, true},
		{"010", 10, true}, {"0.5", 0, true}, {"9", 9, true}, {"-5", math.MaxUint64 - 4, true},
		{"18446744073709551615", math.MaxUint64, true}, {"18446744073709551616", math.MaxUint64, true},
	} {
		if have, ok := decimalNumber(test.text); have != test.want || ok != test.ok {
			t.Errorf("%q: %d, %v, want %d, %v", test.text, have, ok, test.want, test.ok)
		}
	}
}

// TestTrsmLimit compares with the library: 0 is a limit, text without a number is none.
func TestTrsmLimit(t *testing.T) {
	for text, want := range map[string]uint64{"": 0, "x": 0, "0": 1, "0x7fffffff": 1, "99999999": 99999999} {
		have := trsmLimit(func(string) (string, bool) { return text, true })
		if have != want {
			t.Errorf("%q: %d, want %d", text, have, want)
		}
	}
}

// TestNumericsMode has the low 32 bits of strtol's result.
func TestNumericsMode(t *testing.T) {
	for text, want := range map[string]int32{"": 0, "x": 0, "4": 4, "0x4": 4, "0b100": 4, "-1": -1, "4294967296": 0,
		"4294967300": 4, "9223372036854775807": -1, "9223372036854775808": -1, "-9223372036854775809": 0} {
		if have := numericsMode(func(string) (string, bool) { return text, true }); have != want {
			t.Errorf("%q: %d, want %d", text, have, want)
		}
	}
}
