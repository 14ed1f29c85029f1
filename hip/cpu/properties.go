package cpu

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"roclua/hip/arch"
	"roclua/hip/driver"
)

// defaultMemory is the memory of a device without a size in the configuration.
const defaultMemory = 64 << 30

// model describes the device that is simulated.
type model struct {
	name   string // of the architecture, with its features
	arch   *arch.Arch
	chip   arch.Chip
	memory uint64
	pools  bool // it supports memory pools
}

// modelsOf returns the model of each device of a configuration.
func modelsOf(cfg driver.Config) ([]model, error) {
	archs := cfg.Archs
	if archs == nil {
		archs = slices.Repeat([]string{cfg.Arch}, max(1, cfg.Devices))
	}
	if len(archs) > driver.MaxDevices {
		return nil, fmt.Errorf("a runtime has at most %d devices, %d were requested", driver.MaxDevices, len(archs))
	}
	var list []model
	for i, name := range archs {
		cfg.Arch = name
		m, err := modelOf(cfg)
		if err != nil {
			return nil, err
		}
		if i < len(cfg.Memories) {
			m.memory = cmp.Or(cfg.Memories[i], m.memory)
		}
		list = append(list, m)
	}
	return list, nil
}

// modelOf returns a model with defaults for what the configuration does not give. Any gfx number is accepted, with or
// without feature flags ("gfx90a:sramecc+:xnack-"). An unknown one has the properties of the default chip.
func modelOf(cfg driver.Config) (model, error) {
	name := cmp.Or(cfg.Arch, arch.Default().Name)
	if !arch.Valid(name) {
		return model{}, fmt.Errorf("unknown architecture %q: a simulated HIP device is a gfx number, %s for example",
			name, arch.Default())
	}
	on := arch.Of(name)
	return model{name: name, arch: on, chip: on.Model(), memory: cmp.Or(cfg.MemoryBytes, defaultMemory),
		pools: !cfg.NoPools}, nil
}

func (m model) properties(index int) driver.Properties {
	return driver.Properties{
		Name: m.chip.Name + " (simulated)", Arch: m.name, MemoryBytes: m.memory, WarpSize: m.arch.Wavefront,
		Multiprocessors: m.chip.Multiprocessors, MaxThreadsPerBlock: 1024, SharedMemPerBlock: 64 << 10,
		ClockKHz: m.chip.ClockKHz, MemoryPoolSupported: m.pools, PCIBusID: index + 1,
	}
}

// attribute returns an attribute that scenarios can query.
func (m model) attribute(a driver.Attribute) (int, error) {
	switch a {
	case driver.AttributeMemoryPoolsSupported:
		if !m.pools {
			return 0, nil
		}
		return 1, nil
	case driver.AttributeEccEnabled, driver.AttributeConcurrentKernels, driver.AttributeManagedMemory:
		return 1, nil
	case driver.AttributeIntegrated:
		return 0, nil
	case driver.AttributeAsyncEngineCount:
		return 2, nil
	case driver.AttributeClockRate:
		return m.chip.ClockKHz, nil
	case driver.AttributeMaxThreadsPerBlock:
		return 1024, nil
	case driver.AttributeMaxThreadsPerMultiProcessor:
		return 2048, nil
	case driver.AttributeMultiprocessorCount:
		return m.chip.Multiprocessors, nil
	case driver.AttributeMaxSharedMemoryPerBlock:
		return 64 << 10, nil
	case driver.AttributeTotalGlobalMem:
		return int(min(m.memory, math.MaxInt)), nil
	case driver.AttributeWarpSize:
		return m.arch.Wavefront, nil
	}
	return 0, driver.Faultf(driver.ErrorInvalidValue, "attribute %d is not known", int(a))
}
