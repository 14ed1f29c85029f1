package api

import (
	"maps"
	"math"
	"slices"

	"roclua/hip/driver"
)

var hip = Module{
	Name:  "hip",
	About: "memory, streams, events, graphs and devices, as in the C API of HIP; and records of the calls",
}

// hipFunctions lists the functions of the module.
func hipFunctions() []*Function {
	return slices.Concat(hipMemory, hipCopies, hipStreams, hipEvents, hipGraphs, hipDevices, hipRecords)
}

// memAttachGlobal is the only flag of hipMallocManaged that scripts can pass: every stream can use the memory.
const memAttachGlobal = 1

// hipConstants lists the errors of HIP, then the other constants by name.
func hipConstants() []Constant {
	var list []Constant
	for _, e := range driver.Errors() {
		list = append(list, Constant{driver.ScriptName(e.Error()), int64(e), string(HIPStatus), e.Meaning()})
	}
	constants := driver.Constants()
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		list = append(list, Constant{name, int64(constants[name]), "integer", ""})
	}
	return list
}

var outOfMemory = Cause{"hip.error_out_of_memory", "the device has less free memory than the size"}

var hipMemory = []*Function{{
	Name: "malloc", C: "hipMalloc", Status: HIPStatus,
	About:   "allocates device memory; the host waits until the device is idle",
	Params:  []Param{bytes("size", "size in bytes")},
	Results: []Result{pointerResult("address of the allocation; nil for 0 bytes")},
	Errors:  []Cause{outOfMemory},
}, {
	Name: "free", C: "hipFree", Status: HIPStatus,
	About:  "frees device memory; the host waits until the device is idle",
	Params: []Param{pointer("ptr", "address that hip.malloc returned")},
	Errors: []Cause{{"hip.error_invalid_value", "no live allocation begins at the address"}},
}, {
	Name: "malloc_async", C: "hipMallocAsync", Status: HIPStatus,
	About:   "allocates device memory from the memory pool of the device, in stream order; the host does not wait",
	Params:  []Param{bytes("size", "size in bytes"), stream()},
	Results: []Result{pointerResult("address of the allocation; nil for 0 bytes")},
	Errors:  []Cause{outOfMemory, {"hip.error_not_supported", "the device has no memory pool"}},
}, {
	Name: "free_async", C: "hipFreeAsync", Status: HIPStatus,
	About:  "returns device memory to the memory pool, in stream order; the host does not wait",
	Params: []Param{pointer("ptr", "address that hip.malloc_async returned"), stream()},
	Errors: []Cause{{"hip.error_invalid_value", "no live allocation begins at the address"}},
}, {
	Name: "mem_get_info", C: "hipMemGetInfo", Status: HIPStatus,
	About:   "returns the free and the total memory of the current device",
	Results: []Result{integerResult("free", "free memory in bytes"), integerResult("total", "total memory in bytes")},
}, {
	Name: "mem_pool_trim_to", C: "hipMemPoolTrimTo", Status: HIPStatus,
	About:  "releases unused memory of the memory pool to the device",
	Params: []Param{bytes("min_bytes_to_hold", "size in bytes that the pool may keep")},
	Errors: []Cause{{"hip.error_not_supported", "the device has no memory pool"}},
}, {
	Name: "malloc_managed", C: "hipMallocManaged", Status: HIPStatus,
	About: "allocates memory that the host and the device can access in HIP; a script accesses it as device memory, " +
		"by copies",
	Params: []Param{bytes("size", "size in bytes"),
		withDefault(integer("flags", memAttachGlobal, memAttachGlobal, "hip.mem_attach_global"),
			int64(memAttachGlobal))},
	Results: []Result{pointerResult("address of the allocation; nil for 0 bytes")},
	Errors:  []Cause{outOfMemory, {"hip.error_not_supported", "the platform has no managed memory"}},
}, {
	Name: "mem_pool_set_attribute", C: "hipMemPoolSetAttribute", Status: HIPStatus,
	About: "sets an attribute of the memory pool of the device",
	Params: []Param{poolAttribute(), bytes("value", "the value: bytes of hip.mem_pool_attr_release_threshold, 0 to "+
		"reset a high-water mark, 0 or 1 for a permission to reuse memory")},
	Errors: []Cause{wrongPoolAttribute, {"hip.error_not_supported", "the device has no memory pool"}},
}, {
	Name: "mem_pool_get_attribute", C: "hipMemPoolGetAttribute", Status: HIPStatus,
	About:   "returns an attribute of the memory pool of the device",
	Params:  []Param{poolAttribute()},
	Results: []Result{integerResult("value", "value of the attribute")},
	Errors:  []Cause{wrongPoolAttribute, {"hip.error_not_supported", "the device has no memory pool"}},
}, {
	Name:    "bytes",
	About:   "returns the number of bytes of a size with a suffix; K and KiB are 1024, likewise M, G and T",
	Params:  []Param{text("size", "the size, such as \"48MiB\", \"48M\" or \"1.5 GiB\"")},
	Results: []Result{integerResult("bytes", "size in bytes")},
}}

func poolAttribute() Param {
	return integer("attribute", math.MinInt32, math.MaxInt32,
		"a constant hip.mem_pool_attr_... or hip.mem_pool_reuse_...")
}

var wrongPoolAttribute = Cause{"hip.error_invalid_value", "the pool has no such attribute, or it cannot have the value"}

func copyParams(kind Param, more ...Param) []Param {
	params := []Param{filled(memory("dst", "destination")), memory("src", "source"), bytes("size", "size in bytes"),
		kind}
	return append(params, more...)
}

const copyDefault = 4 // hipMemcpyDefault

// CopyKinds are the constants of hipMemcpyKind, by their values.
var CopyKinds = []string{"memcpy_host_to_host", "memcpy_host_to_device", "memcpy_device_to_host",
	"memcpy_device_to_device", "memcpy_default"}

func copyKind(about string) Param {
	p := withDefault(constant("kind", about, CopyKinds...), int64(copyDefault))
	p.Else = "the direction that follows from destination and source"
	return p
}

const (
	aboutKind = "hip.memcpy_host_to_device and so on; it must match destination and source"
	byteValue = "value of each byte"
)

func rowParams() []Param {
	return []Param{filled(memory("dst", "destination")), bytes("dpitch", "bytes between rows of the destination"),
		memory("src", "source"), bytes("spitch", "bytes between rows of the source"), bytes("width", "bytes of a row"),
		bytes("height", "number of rows"), copyKind(aboutKind)}
}

var wrongPitch = Cause{"hip.error_invalid_pitch_value", "the width is larger than a pitch"}

var wrongDirection = Cause{"hip.error_invalid_memcpy_direction", "the kind does not match destination and source"}

var hipCopies = []*Function{{
	Name: "memcpy", C: "hipMemcpy", Status: HIPStatus,
	About:  "copies bytes between host arrays and device memory; the host waits until the copy is done",
	Params: copyParams(copyKind(aboutKind)),
	Errors: []Cause{wrongDirection},
}, {
	Name: "memcpy_async", C: "hipMemcpyAsync", Status: HIPStatus,
	About:  "copies bytes between host arrays and device memory, in stream order; the host does not wait",
	Params: copyParams(copyKind(aboutKind), optional(stream(), "")),
	Errors: []Cause{wrongDirection},
}, {
	Name: "memcpy2d", C: "hipMemcpy2D", Status: HIPStatus,
	About:  "copies rows of bytes, whose starts are a pitch apart; the host waits until the copy is done",
	Params: rowParams(),
	Errors: []Cause{wrongDirection, wrongPitch},
}, {
	Name: "memcpy2d_async", C: "hipMemcpy2DAsync", Status: HIPStatus,
	About:  "copies rows of bytes, whose starts are a pitch apart, in stream order; the host does not wait",
	Params: append(rowParams(), optional(stream(), "")),
	Errors: []Cause{wrongDirection, wrongPitch},
}, {
	Name: "memset", C: "hipMemset", Status: HIPStatus,
	About: "sets each byte of device memory to a value; the host waits until it is done",
	Params: []Param{pointer("dst", "device memory"), integer("value", math.MinInt8, math.MaxUint8, byteValue),
		bytes("size", "size in bytes")},
}, {
	Name: "memset_async", C: "hipMemsetAsync", Status: HIPStatus,
	About: "sets each byte of device memory to a value, in stream order; the host does not wait",
	Params: []Param{pointer("dst", "device memory"), integer("value", math.MinInt8, math.MaxUint8, byteValue),
		bytes("size", "size in bytes"), stream()},
}, {
	Name:    "upload",
	About:   "allocates device memory for an array and copies the array to it",
	Params:  []Param{{Name: "array", Kind: Array, About: "host array"}},
	Results: []Result{pointerResult("address of the copy, to be freed by hip.free; nil for an empty array")},
}, {
	Name:  "download",
	About: "fills an array from device memory; the host waits until the copy is done",
	Params: []Param{{Name: "array", Kind: Array, About: "host array to fill", Filled: true},
		pointer("ptr", "device memory")},
	Results: []Result{{"array", "roclua.array", "the same array"}},
}, {
	Name: "reinterpret",
	About: "declares the type of the elements that device memory holds, for code that reads it as another type than " +
		"was written; the memory stays as it is",
	Params: []Param{pointer("ptr", "device memory"), bytes("size", "size in bytes"), elementType},
}}
