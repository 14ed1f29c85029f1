//go:build linux || darwin

package memory

import (
	"math"
	"syscall"

	"roclua/hip/driver"
)

// mapMemory maps anonymous pages without a reservation of swap, so that a device may be larger than the host.
func mapMemory(n uint64) ([]byte, error) {
	if n > math.MaxInt {
		return nil, driver.Faultf(driver.ErrorOutOfMemory, "%d bytes are more than the host can address", n)
	}
	data, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, driver.Faultf(driver.ErrorOutOfMemory,
			"the host has no %d bytes for a block of the simulated device: %v", n, err)
	}
	return data, nil
}

func unmapMemory(data []byte) {
	// Munmap fails only for a slice that mapMemory did not return.
	if err := syscall.Munmap(data); err != nil {
		panic(err)
	}
}
