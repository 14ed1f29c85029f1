//go:build race

package dl

// raced reports whether the race detector runs, which makes a pool drop some of its memory.
const raced = true
