//go:build !(linux || darwin)

package memory

import (
	"math"

	"roclua/hip/driver"
)

// mapMemory allocates from the Go heap, on systems without lazily committed mappings.
func mapMemory(n uint64) ([]byte, error) {
	if n > math.MaxInt {
		return nil, driver.Faultf(driver.ErrorOutOfMemory, "%d bytes are more than the host can address", n)
	}
	return make([]byte, n), nil
}

func unmapMemory([]byte) {}
