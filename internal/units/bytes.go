package units

import (
	"fmt"
	"strconv"
)

// FormatBytes returns n with its unit and a rounded value, such as "4732160 bytes (4.5 MiB)".
func FormatBytes(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes%s", n, rounded(n))
}

// Count returns a number of things: "1 buffer", "2 buffers".
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// rounded returns " (4.5 MiB)", or "" for less than 1 KiB.
func rounded(n uint64) string {
	const kibi = 1024
	if n < kibi {
		return ""
	}
	value, unit := float64(n)/kibi, 0
	for ; value >= kibi; unit++ {
		value /= kibi
	}
	return fmt.Sprintf(" (%.1f %ciB)", value, "KMGTPE"[unit])
}

// Thousands writes a number with commas: "491,680,000".
func Thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
