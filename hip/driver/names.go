package driver

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Errors lists the error codes that have a name, by number.
func Errors() []Error { return slices.Sorted(maps.Keys(errorTable)) }

// Attributes returns the device attributes by their C names.
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

// Constants returns the constants of the module hip in scripts: kinds of copies, flags of streams, attributes.
func Constants() map[string]int {
	list := map[string]int{
		"memcpy_host_to_host": 0, "memcpy_host_to_device": 1, "memcpy_device_to_host": 2, "memcpy_device_to_device": 3,
		"memcpy_default": 4,
		"stream_default": 0, "stream_non_blocking": 1, "mem_attach_global": 1,
		"stream_legacy": StreamLegacy, "stream_per_thread": StreamPerThread,
		"stream_capture_mode_global": int(CaptureGlobal), "stream_capture_mode_thread_local": int(CaptureThreadLocal),
		"stream_capture_mode_relaxed": int(CaptureRelaxed), "stream_capture_status_none": int(CaptureNone),
		"stream_capture_status_active":      int(CaptureActive),
		"stream_capture_status_invalidated": int(CaptureInvalidated),
	}
	for name, a := range Attributes() {
		list[ScriptName(name)] = int(a)
	}
	for n, name := range nodeNames {
		list[ScriptName(name)] = int(n)
	}
	for a, name := range poolNames {
		list[ScriptName(name)] = int(a)
	}
	return list
}

// ScriptName converts a name of HIP's C interface to the name in scripts: hipErrorOutOfMemory becomes
// error_out_of_memory.
func ScriptName(cName string) string {
	var b strings.Builder
	for i, r := range strings.TrimPrefix(cName, "hip") {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
