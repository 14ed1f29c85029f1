package units_test

import (
	"math"
	"testing"

	"roclua/internal/units"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 buffers", 1: "1 buffer", 2: "2 buffers"} {
		if have := units.Count(n, "buffer"); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[uint64]string{
		0:              "0 bytes",
		1:              "1 byte",
		2:              "2 bytes",
		1023:           "1023 bytes",
		1024:           "1024 bytes (1.0 KiB)",
		1536:           "1536 bytes (1.5 KiB)",
		1<<20 - 1:      "1048575 bytes (1024.0 KiB)",
		1 << 20:        "1048576 bytes (1.0 MiB)",
		5 << 30:        "5368709120 bytes (5.0 GiB)",
		math.MaxUint64: "18446744073709551615 bytes (16.0 EiB)",
	} {
		if have := units.FormatBytes(n); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}
