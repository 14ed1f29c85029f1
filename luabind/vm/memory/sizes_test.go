package memory_test

import (
	"testing"

	"roclua/luabind/vm/memory"
)

// TestListBytes compares sizes for Meter.Reserve.
func TestListBytes(t *testing.T) {
	if memory.ListBytes(0) != 0 || memory.ListBytes(1000) != 1000*memory.ListBytes(1) || memory.ListBytes(1) < 16 {
		t.Errorf("%d and %d bytes", memory.ListBytes(1), memory.ListBytes(1000))
	}
}
