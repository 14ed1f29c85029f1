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
