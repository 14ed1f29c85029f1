package arch_test

import (
	"fmt"

	"roclua/hip/arch"
	"roclua/hip/release"
)

// Rules check facts. Some of them depend on the release.
func Example() {
	a := arch.Of("gfx950:sramecc+:xnack-")
	for _, r := range release.All() {
		fmt.Println(r, a, a.DefaultBytes(r)>>20, "MiB, wavefronts of", a.Wavefront)
	}
	// Output:
	// rocm-6.4 gfx950 32 MiB, wavefronts of 64
	// rocm-7.1 gfx950 128 MiB, wavefronts of 64
	// rocm-7.2 gfx950 128 MiB, wavefronts of 64
}
