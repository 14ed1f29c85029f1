//go:build race

package nvidia

// raced is how many allocations more the race detector causes, because it makes a pool drop some of its memory.
const raced = 1
