package release_test

import (
	"fmt"

	"roclua/hip/release"
)

// Rules check the named behaviour of a release.
func Example() {
	for _, r := range release.All() {
		fmt.Println(r, r.ManagedStreamOrdered)
	}
	r, ok := release.OfRocBLAS("4.4.1")
	fmt.Println(r, ok)
	// Output:
	// rocm-6.4 false
	// rocm-7.1 true
	// rocm-7.2 false
	// rocm-6.4 true
}
