// Package bytecount formats numbers of bytes for people.
package bytecount

import "fmt"

// Format returns n with its unit and a rounded value, such as "4732160 bytes (4.5 MiB)".
func Format(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes%s", n, rounded(n))
}

// Short is like Format but omits the word bytes: "4732160 (4.5 MiB)".
func Short(n uint64) string { return fmt.Sprintf("%d%s", n, rounded(n)) }

func rounded(n uint64) string {
	if n < 1024 {
		return ""
	}
	value, names := float64(n), []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := -1
	for value >= 1024 && i < len(names)-1 {
		value /= 1024
		i++
	}
	return fmt.Sprintf(" (%.1f %s)", value, names[i])
}
