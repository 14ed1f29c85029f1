//go:build race

package lualib_test

// raced reports whether the race detector is on.
const raced = true
