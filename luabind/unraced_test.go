//go:build !race

package luabind_test

// raced tells whether the race detector watches the tests.
const raced = false
