//go:build !(linux || darwin)

package cpu

import (
	"math"

	"roclua/hip/driver"
)

// mapMemory takes memory from the Go heap where no lazily committed mapping is at hand.
func mapMemory(n uint64) ([]byte, error) {
	if n > math.MaxInt {
		return nil, driver.Faultf(driver.ErrorOutOfMemory, "%d bytes are more than the host can address", n)
	}
	return make([]byte, n), nil
}

func unmapMemory([]byte) {}
