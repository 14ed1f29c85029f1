package release_test

import (
	"fmt"

	"roclua/hip/release"
)

// Rules check the named behavior of a release.
func Example() {
	r, ok := release.Find("rocm-7.1")
	fmt.Println(r, ok, r.ManagedStreamOrdered)
	r, err := release.Of("4.4.1", "3.28.2")
	fmt.Println(r, err, r.ManagedStreamOrdered)
	// Output:
	// rocm-7.1 true true
	// rocm-6.4 <nil> false
}
