//go:build race

package kernel_test

// raced reports whether the race detector is on.
const raced = true
