package cpu

import (
	"math"
	"strings"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestArgumentsThatOverlap gives a kernel all memory of its arguments as one range where they overlap.
func TestArgumentsThatOverlap(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(4096)
	l := b.launch("rocblas_ddot", map[routine.Slot]int64{routine.N: 8, routine.IncX: 1, routine.IncY: 1,
		routine.X: int64(p) + 512, routine.Y: int64(p) + 544, routine.Result: routine.Host})
	l.Work = []driver.Work{{Span: driver.Span{Ptr: p + 1024, Bytes: 64}}, {Span: driver.Span{Ptr: 0, Bytes: 64}},
		{Span: driver.Span{Ptr: p + 2048, Bytes: 0}}}
	l.Result = p + 3072
	ends := map[[2]uint64]bool{{512, 96}: true, {512, 97}: false, {608, 1}: false, {1024, 64}: true, {2048, 1}: false,
		{700, 8}: false, {3072, 8}: true, {math.MaxUint64, 1}: false}
	have := map[[2]uint64]bool{}
	b.rt.execute = func(_ *driver.Launch, v kernel.Memory) error {
		for r := range ends {
			_, err := v.Bytes(uint64(p)+r[0], int64(r[1]))
			have[r] = err == nil
		}
		return nil
	}
	b.ok(b.dev.Execute(b.dev.null, l))
	b.ok(b.dev.Synchronize())
	for r, want := range ends {
		if have[r] != want {
			t.Errorf("%d bytes at %d are usable: %v", r[1], r[0], have[r])
		}
	}
}

// TestStreamsOfOtherDevices queues work in streams of another device and runtime, and in destroyed ones.
func TestStreamsOfOtherDevices(t *testing.T) {
	b, foreign := open(t, driver.Config{Devices: 2}), open(t, driver.Config{})
	other := b.rt.devices[1]
	destroyed := b.stream(true)
	b.ok(destroyed.Destroy())
	p := b.malloc(64)
	for _, test := range []struct {
		name       string
		s          driver.Stream
		copies     driver.Error // of a copy: the stream of any device of the runtime is right
		executes   driver.Error
		explaining string
	}{
		{"its own", b.dev.null, driver.Success, driver.Success, ""},
		{"of another device", other.null, driver.Success, driver.ErrorInvalidHandle,
			"stream 0 belongs to device 1, not to device 0"},
		{"of another runtime", foreign.dev.null, driver.ErrorInvalidHandle, driver.ErrorInvalidHandle, ""},
		{"destroyed", destroyed, driver.ErrorInvalidHandle, driver.ErrorInvalidHandle, ""},
	} {
		b.code(b.dev.Fill(test.s, p, 1, 64), test.copies)
		_, err := b.dev.MallocAsync(test.s, 64)
		b.code(err, test.executes)
		if test.explaining != "" && !strings.Contains(err.Error(), test.explaining) {
			t.Errorf("%s: %v, want %q", test.name, err, test.explaining)
		}
	}
}
