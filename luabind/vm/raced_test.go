//go:build race

package vm_test

// raced reports whether the race detector is on.
const raced = true
