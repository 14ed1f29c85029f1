//go:build !race

package dl

const raced = false
