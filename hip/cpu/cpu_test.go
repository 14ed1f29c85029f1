package cpu

import (
	"testing"

	"roclua/hip/driver"
	"roclua/hip/drivertest"
)

func TestPlatform(t *testing.T) {
	drivertest.Run(t, "cpu", driver.Config{Devices: 2, MemoryBytes: 1 << 30})
}
