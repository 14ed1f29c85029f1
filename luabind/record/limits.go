package record

import "time"

// Limits bound one case. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time, without teardown
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values, and host values behind them, may hold at a time
	Output       uint64        // bytes of text: what is printed, metrics and checks; and again of all other messages
	DeviceMemory uint64        // bytes of device memory that may be allocated at a time
}
