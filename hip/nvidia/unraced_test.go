//go:build !race

package nvidia

const raced = 0
