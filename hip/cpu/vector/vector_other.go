//go:build !amd64 && !arm64

package vector

// sets returns the instruction sets of this processor, the fastest first.
func sets() []*set { return []*set{&portable} }
