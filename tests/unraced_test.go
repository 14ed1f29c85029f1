//go:build !race

package tests

// raced tells whether the race detector watches the tests.
const raced = false
