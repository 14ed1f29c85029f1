package cpu

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"roclua/hip/driver"
)

// The architecture and the memory of a device for which the configuration gives none.
const (
	defaultArch   = "gfx90a"
	defaultMemory = 64 << 30
)

// model describes the device that is simulated.
type model struct {
	arch   string
	memory uint64
	chip   chip
}

// chip has published properties of a GPU of an architecture.
type chip struct {
	name            string
	multiprocessors int
	clockKHz        int
}

// chips by architecture. Multiprocessors are compute units where HIP counts those, workgroup processors for gfx10 and
// later.
var chips = map[string]chip{
	"gfx906":  {"AMD Instinct MI50", 60, 1725000},
	"gfx908":  {"AMD Instinct MI100", 120, 1502000},
	"gfx90a":  {"AMD Instinct MI210", 104, 1700000},
	"gfx942":  {"AMD Instinct MI300X", 304, 2100000},
	"gfx950":  {"AMD Instinct MI355X", 256, 2400000},
	"gfx1030": {"AMD Radeon RX 6900 XT", 40, 2250000},
	"gfx1100": {"AMD Radeon RX 7900 XTX", 48, 2500000},
	"gfx1201": {"AMD Radeon RX 9070 XT", 32, 2970000},
}

var archPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^gfx[0-9a-f]{3,4}$`)
})

// modelOf returns a model with defaults for what the configuration does not give. Any gfx number is accepted, with or
// without feature flags ("gfx90a:sramecc+:xnack-"). An unknown one has the properties of the default chip.
func modelOf(arch string, memory uint64) (model, error) {
	if arch == "" {
		arch = defaultArch
	}
	if memory == 0 {
		memory = defaultMemory
	}
	base, _, _ := strings.Cut(arch, ":")
	if !archPattern().MatchString(base) {
		return model{}, fmt.Errorf("unknown architecture %q: a simulated HIP device is a gfx number, %s for example",
			arch, defaultArch)
	}
	c, ok := chips[base]
	if !ok {
		c = chips[defaultArch]
		c.name = "AMD " + base
	}
	return model{arch: arch, memory: memory, chip: c}, nil
}

// warp returns the size of a wavefront: 32 from gfx10 on, 64 before.
func (m model) warp() int {
	if base, _, _ := strings.Cut(m.arch, ":"); len(base) == len("gfx1030") {
		return 32
	}
	return 64
}

func (m model) properties(index int) driver.Properties {
	return driver.Properties{
		Name: m.chip.name + " (simulated)", Arch: m.arch, MemoryBytes: m.memory, WarpSize: m.warp(),
		Multiprocessors: m.chip.multiprocessors, MaxThreadsPerBlock: 1024, SharedMemPerBlock: 64 << 10,
		ClockKHz: m.chip.clockKHz, MemoryPoolSupported: true, PCIBusID: index + 1,
	}
}

// attribute returns an attribute that scenarios can query. The simulation has no managed memory.
func (m model) attribute(a driver.Attribute) (int, error) {
	switch a {
	case driver.AttributeEccEnabled, driver.AttributeConcurrentKernels, driver.AttributeMemoryPoolsSupported:
		return 1, nil
	case driver.AttributeIntegrated, driver.AttributeManagedMemory:
		return 0, nil
	case driver.AttributeAsyncEngineCount:
		return 2, nil
	case driver.AttributeClockRate:
		return m.chip.clockKHz, nil
	case driver.AttributeMaxThreadsPerBlock:
		return 1024, nil
	case driver.AttributeMaxThreadsPerMultiProcessor:
		return 2048, nil
	case driver.AttributeMultiprocessorCount:
		return m.chip.multiprocessors, nil
	case driver.AttributeMaxSharedMemoryPerBlock:
		return 64 << 10, nil
	case driver.AttributeTotalGlobalMem:
		return int(min(m.memory, math.MaxInt)), nil
	case driver.AttributeWarpSize:
		return m.warp(), nil
	}
	return 0, driver.Faultf(driver.ErrorInvalidValue, "attribute %d is not known", int(a))
}
