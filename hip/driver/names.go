package driver

import (
	"maps"
	"slices"
)

// Errors lists the error codes that have a name here, in the order of their numbers.
func Errors() []Error { return slices.Sorted(maps.Keys(errorNames)) }

// Attributes gives the device attributes by their C names.
func Attributes() map[string]Attribute {
	return map[string]Attribute{
		"hipDeviceAttributeEccEnabled":                  AttributeEccEnabled,
		"hipDeviceAttributeAsyncEngineCount":            AttributeAsyncEngineCount,
		"hipDeviceAttributeClockRate":                   AttributeClockRate,
		"hipDeviceAttributeConcurrentKernels":           AttributeConcurrentKernels,
		"hipDeviceAttributeIntegrated":                  AttributeIntegrated,
		"hipDeviceAttributeManagedMemory":               AttributeManagedMemory,
		"hipDeviceAttributeMaxThreadsPerBlock":          AttributeMaxThreadsPerBlock,
		"hipDeviceAttributeMaxThreadsPerMultiProcessor": AttributeMaxThreadsPerMultiProcessor,
		"hipDeviceAttributeMultiprocessorCount":         AttributeMultiprocessorCount,
		"hipDeviceAttributeMaxSharedMemoryPerBlock":     AttributeMaxSharedMemoryPerBlock,
		"hipDeviceAttributeTotalGlobalMem":              AttributeTotalGlobalMem,
		"hipDeviceAttributeWarpSize":                    AttributeWarpSize,
		"hipDeviceAttributeMemoryPoolsSupported":        AttributeMemoryPoolsSupported,
	}
}
