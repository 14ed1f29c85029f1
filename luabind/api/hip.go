package api

import (
	"maps"
	"math"
	"slices"
	"strings"

	"roclua/hip/driver"
)

func hip() *Module {
	return &Module{
		Name:  "hip",
		About: "memory, streams, events, graphs and devices, as in the C API of HIP; and records of the calls",
		Functions: slices.Concat(inHIP(hipMemory()), hipSizes(), inHIP(hipCopies()), hipArrays(),
			inHIP(hipStreams(), hipEvents(), hipGraphs(), hipDevices()), hipRecords()),
		Constants: hipConstants(),
	}
}

// inHIP completes the declarations of functions of the C API.
func inHIP(groups ...[]*Function) []*Function {
	list := slices.Concat(groups...)
	for _, f := range list {
		f.C, f.Status = "hip", HIPStatus
		for word := range strings.SplitSeq(f.Name, "_") {
			f.C += strings.ToUpper(word[:1]) + strings.ReplaceAll(word[1:], "2d", "2D")
		}
	}
	return list
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

func hipMemory() []*Function {
	return []*Function{
		declare("malloc", "allocates device memory; the host waits until the device is idle",
			bytes("size", "size in bytes")).
			returns("ptr", "roclua.pointer?", "address of the allocation; nil for 0 bytes").raises(outOfMemory),
		declare("free", "frees device memory; the host waits until the device is idle",
			pointer("ptr", "address that hip.malloc returned")).
			fails("hip.error_invalid_value", "no live allocation begins at the address"),
		declare("malloc_async", "allocates device memory from the memory pool of the device, in stream order; the "+
			"host does not wait",
			bytes("size", "size in bytes"), stream()).
			returns("ptr", "roclua.pointer?", "address of the allocation; nil for 0 bytes").raises(outOfMemory).
			fails("hip.error_not_supported", "the device has no memory pool"),
		declare("free_async", "returns device memory to the memory pool, in stream order; the host does not wait",
			pointer("ptr", "address that hip.malloc_async returned"), stream()).
			fails("hip.error_invalid_value", "no live allocation begins at the address"),
		declare("mem_get_info", "returns the free and the total memory of the current device").
			returns("free", "integer", "free memory in bytes").returns("total", "integer", "total memory in bytes"),
		declare("mem_pool_trim_to", "releases unused memory of the memory pool to the device",
			bytes("min_bytes_to_hold", "size in bytes that the pool may keep")).
			fails("hip.error_not_supported", "the device has no memory pool"),
		declare("malloc_managed", "allocates memory that the device and the host can access; array.view makes "+
			"an array of it",
			bytes("size", "size in bytes"),
			withDefault(integer("flags", memAttachGlobal, memAttachGlobal,
				"hip.mem_attach_global"), int64(memAttachGlobal))).
			returns("ptr", "roclua.pointer?", "address of the allocation; nil for 0 bytes").raises(outOfMemory).
			fails("hip.error_not_supported", "the platform has no managed memory"),
		declare("mem_pool_set_attribute", "sets an attribute of the memory pool of the device", poolAttribute(),
			bytes("value", "the value: bytes of hip.mem_pool_attr_release_threshold, 0 to reset a high-water mark, 0 "+
				"or 1 for a permission to reuse memory")).raises(wrongPoolAttribute).
			fails("hip.error_not_supported", "the device has no memory pool"),
		declare("mem_pool_get_attribute", "returns an attribute of the memory pool of the device", poolAttribute()).
			returns("value", "integer", "value of the attribute").raises(wrongPoolAttribute).
			fails("hip.error_not_supported", "the device has no memory pool"),
	}
}

// hipSizes and hipArrays return functions that are not in the C API.
func hipSizes() []*Function {
	return []*Function{
		declare("bytes", "returns the number of bytes of a size with a suffix; K and KiB are 1024, likewise M, G and T",
			text("size", "the size, such as \"48MiB\", \"48M\" or \"1.5 GiB\"")).
			returns("bytes", "integer", "size in bytes"),
	}
}

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

func peerParams() []Param {
	return []Param{pointer("dst", "destination"), deviceNamed("dst_device", "number of its device"),
		pointer("src", "source"), deviceNamed("src_device", "number of its device"), bytes("size", "size in bytes")}
}

func rowParams() []Param {
	return []Param{filled(memory("dst", "destination")), bytes("dpitch", "bytes between rows of the destination"),
		memory("src", "source"), bytes("spitch", "bytes between rows of the source"), bytes("width", "bytes of a row"),
		bytes("height", "number of rows"), copyKind(aboutKind)}
}

var wrongPitch = Cause{"hip.error_invalid_pitch_value", "the width is larger than a pitch"}

var wrongDirection = Cause{"hip.error_invalid_memcpy_direction", "the kind does not match destination and source"}

func hipCopies() []*Function {
	return []*Function{
		declare("memcpy", "copies bytes between host arrays and device memory; the host waits until the copy is done",
			copyParams(copyKind(aboutKind))...).raises(wrongDirection),
		declare("memcpy_async", "copies bytes between host arrays and device memory, in stream order; the host does "+
			"not wait",
			copyParams(copyKind(aboutKind), optional(stream(), ""))...).raises(wrongDirection),
		declare("memcpy_peer", "copies bytes between two devices; the host waits until the copy is done",
			peerParams()...).raises(noDevice),
		declare("memcpy_peer_async", "copies bytes between two devices, in stream order; the host does not wait",
			append(peerParams(), optional(stream(), ""))...).raises(noDevice),
		declare("memcpy2d", "copies rows of bytes, whose starts are a pitch apart; the host waits until the copy is "+
			"done",
			rowParams()...).raises(wrongDirection, wrongPitch),
		declare("memcpy2d_async", "copies rows of bytes, whose starts are a pitch apart, in stream order; the host "+
			"does not wait",
			append(rowParams(), optional(stream(), ""))...).raises(wrongDirection, wrongPitch),
		declare("memset", "sets each byte of device memory to a value; the host waits until it is done",
			pointer("dst", "device memory"), integer("value", math.MinInt8, math.MaxUint8, byteValue),
			bytes("size", "size in bytes")),
		declare("memset_async", "sets each byte of device memory to a value, in stream order; the host does not wait",
			pointer("dst", "device memory"), integer("value", math.MinInt8, math.MaxUint8, byteValue),
			bytes("size", "size in bytes"), stream()),
	}
}

func hipArrays() []*Function {
	return []*Function{
		declare("upload", "allocates device memory for an array and copies the array to it",
			Param{Name: "array", Kind: Array, About: "host array"}).
			returns("ptr", "roclua.pointer?", "address of the copy, to be freed by hip.free; nil for an empty array"),
		declare("download", "fills an array from device memory; the host waits until the copy is done",
			Param{Name: "array", Kind: Array, About: "host array to fill", Filled: true},
			pointer("ptr", "device memory")).returns("array", "roclua.array", "the same array"),
		declare("reinterpret", "declares the type of the elements that device memory holds, for code that reads it "+
			"as another type than was written; the memory stays as it is",
			pointer("ptr", "device memory"), bytes("size", "size in bytes"), elementType),
	}
}
