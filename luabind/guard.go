package luabind

import (
	"bytes"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/units"
	"roclua/luabind/engine"
)

// testGuard checks at the end of the case that nothing has written a part of device memory since.
func testGuard(c *engine.Call, t *test, ptr driver.Ptr, size uint64, text string) error {
	if size == 0 {
		c.Bad("size", "got 0, want the size in bytes of a part of memory")
	}
	c.VM.Meter().Reserve(c.L, 2*size)
	before, err := t.peek(ptr, size)
	if err != nil {
		return err
	}
	declared, device := c.Fn, t.s.Device()
	check := t.s.VM.Function("t:guard", func(l *lua.LState) int {
		t.s.VM.Meter().Reserve(l, size)
		if t.s.Device() != device {
			t.s.VM.Raisef(l, "t:guard: another device is current, set the first one again")
		}
		after, err := t.peek(ptr, size)
		if err != nil {
			t.s.Raise(l, err)
		}
		have := changed(before, after)
		addCheck(&engine.Call{Engine: t.s.Engine, L: l, Fn: declared}, t, have == "", text, have, "not written")
		return 0
	})
	t.s.VM.Keep(check)
	t.defers = append(t.defers, deferred{fn: check, made: t.s.Where(c.L)})
	return nil
}

// peek waits for the device and reads its memory. The calls are not recorded.
func (t *test) peek(ptr driver.Ptr, size uint64) (b []byte, err error) {
	b = make([]byte, size)
	t.s.During(func() {
		_, restore := t.s.Runtime.Recorder().Unrecord()
		defer restore()
		if err = t.s.Device().Synchronize(); err == nil {
			err = t.s.Device().Read(b, ptr)
		}
	})
	return b, err
}

// changed describes how memory has changed; it is empty if it has not.
func changed(before, after []byte) string {
	if bytes.Equal(before, after) {
		return ""
	}
	first, n := -1, uint64(0)
	for i := range before {
		if before[i] != after[i] {
			if n++; first < 0 {
				first = i
			}
		}
	}
	return fmt.Sprintf("%s changed, the first is byte %d", units.FormatBytes(n), first)
}
