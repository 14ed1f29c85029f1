package record

import "time"

// Limits bound one case. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time, without teardown
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values and their host values may hold at a time
	Output       uint64        // bytes of printed text, metrics and checks together; and of all other messages together
	DeviceMemory uint64        // bytes of device memory that may be allocated at a time
}
