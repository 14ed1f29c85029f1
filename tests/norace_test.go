//go:build !race

package tests

// raceEnabled reports whether the race detector is on.
const raceEnabled = false
