//go:build race

package load

// raced reports that the race detector makes events slower.
const raced = true
