package sequence

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// MemoryCalls returns the HIP calls since the runtime's trace was last read, in the form "hipMalloc 64 0": the name,
// the bytes of an allocation, and the result. A call for another device than the first has its number,
// "hipMalloc[1] 64 0". Changes of the device are only listed when a library makes them.
func MemoryCalls(rt *hip.Runtime) []string {
	var list []string
	for _, c := range rt.Trace() {
		if c.Name == "hipSetDevice" && c.Cause == trace.CauseScript {
			continue
		}
		if c.Device > 0 {
			c.Name += fmt.Sprintf("[%d]", c.Device)
		}
		list = append(list, fmt.Sprintf("%s %d %d", c.Name, c.Bytes, c.Result))
	}
	return list
}

// notReady is the result of querying a stream with pending work.
var notReady = fmt.Sprint(int(driver.ErrorNotReady))

// compared lists the compared HIP calls: of memory, copies and fills of it, waits, queries and changes of the device.
var compared = []string{"hipMalloc", "hipMallocAsync", "hipFree", "hipFreeAsync", "hipMemPoolTrimTo",
	"hipMemcpy", "hipMemcpyAsync", "hipMemcpy2D", "hipMemcpy2DAsync", "hipMemcpyWithStream", "hipMemcpyPeerAsync",
	"hipMemcpyToSymbol", "hipMemcpyFromSymbol", "hipMemset", "hipMemsetAsync",
	"hipStreamSynchronize", "hipDeviceSynchronize", "hipStreamQuery", "hipStreamIsCapturing", "hipSetDevice"}

// IsCopy reports whether a call, in the form of MemoryCalls, copies or fills memory.
func IsCopy(call string) bool {
	return strings.HasPrefix(call, "hipMemcpy") || strings.HasPrefix(call, "hipMemset")
}

// comparable returns the HIP calls that must be the same on both sides. How often an iterative solver copies to the
// host and waits depends on the data, so its pairs in a row are one.
func (op *Operation) comparable(calls []string) []string {
	if op.takesRoom() {
		return nil
	}
	iterates := op.Call != nil && op.Call.Routine.Family.Iterates
	var list []string
	for _, call := range calls {
		on, rest, _ := strings.Cut(call, " ")
		name, _, _ := strings.Cut(on, "[")
		if !slices.Contains(compared, name) {
			continue
		}
		switch _, result, _ := strings.Cut(rest, " "); {
		case name == "hipStreamIsCapturing": // its bytes are not an allocation
			call = on + " 0 " + result
		case name == "hipStreamQuery" && result == notReady: // only a device that computes has pending work
			call = on + " 0 0"
		}
		list = append(list, call)
		if n := len(list); iterates && n >= 4 && slices.Equal(list[n-4:n-2], list[n-2:]) && IsCopy(list[n-2]) {
			list = list[:n-2]
		}
	}
	return list
}
