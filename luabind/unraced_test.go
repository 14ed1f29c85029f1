//go:build !race

package luabind_test

// raced reports whether the race detector is on.
const raced = false
