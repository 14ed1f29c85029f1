//go:build linux || darwin || freebsd

package native

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"roclua/hip/driver"
)

// TestOpen opens as many devices as a configuration requests.
func TestOpen(t *testing.T) {
	f := newFake(t)
	f.put(devices, 2)
	for requested, want := range []int{2, 1, 2} {
		if list := f.open(requested); len(list) != want || list[want-1].Index() != want-1 {
			t.Errorf("%d devices are open, want %d", len(list), want)
		}
	}
	for _, test := range []struct {
		devices, requested int
		current            int // the thread's device, which costs no call to select
		failure            driver.Error
		calls              int
		code               driver.Error
		text               string
	}{
		{2, 3, 0, 0, 0, driver.ErrorNoDevice, "3 devices were requested, there are 2"},
		{0, 0, 0, 0, 0, driver.ErrorNoDevice, "finds no device"},
		{2, 0, 0, driver.ErrorNoDevice, 0, driver.ErrorNoDevice, "finds no device"},
		{2, 0, 0, driver.ErrorNotInitialized, 0, driver.ErrorNotInitialized, "testGetDeviceCount"},
		{1, 0, 0, driver.ErrorOutOfMemory, 1, driver.ErrorOutOfMemory, "testMemGetInfo"},
		{2, 0, 1, driver.ErrorOutOfMemory, 2, driver.ErrorOutOfMemory, "testMemGetInfo"},
	} {
		f.put(devices, test.devices)
		f.must(f.api.setCurrent(test.current))
		f.fail(test.failure, test.calls)
		_, err := Open(f.api, driver.Config{Devices: test.requested}, Plain)
		if driver.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	f.api.NameAndArch = func(*API, int) (string, string, error) { return "", "", driver.ErrorUnknown }
	if _, err := Open(f.api, driver.Config{}, Plain); driver.CodeOf(err) != driver.ErrorUnknown {
		t.Errorf("a device without a name: %v", err)
	}
}

// TestIncomplete checks the advice about a runtime that lacks a function, and about one that finds no device.
func TestIncomplete(t *testing.T) {
	const advice = "run on a machine with a GPU"
	f := newFake(t)
	f.put(devices, 0)
	if r := Probe(f.api, driver.Config{}, driver.Report{}, advice); r.Problem == "" || r.Advice != advice {
		t.Errorf("no device: %+v", r)
	}
	f.put(devices, 1)
	f.api.NameAndArch = func(a *API, _ int) (string, string, error) {
		return "", "", a.Call("NoFunction")
	}
	r := Probe(f.api, driver.Config{}, driver.Report{}, advice)
	if !strings.Contains(r.Problem, "has no function testNoFunction") || strings.Contains(r.Advice, "GPU") ||
		!strings.Contains(r.Advice, "install a complete runtime") {
		t.Errorf("a missing function: %+v", r)
	}
}

// TestProperties reads the properties of devices, with the numbers of HIP and with others.
func TestProperties(t *testing.T) {
	f := newFake(t)
	f.put(devices, 2)
	d := f.open(2)[1]
	want := driver.Properties{Name: "gpu 1", Arch: "arch", MemoryBytes: 4001,
		WarpSize:            100*int(driver.AttributeWarpSize) + 1,
		Multiprocessors:     100*int(driver.AttributeMultiprocessorCount) + 1,
		MaxThreadsPerBlock:  100*int(driver.AttributeMaxThreadsPerBlock) + 1,
		ClockKHz:            100*int(driver.AttributeClockRate) + 1,
		SharedMemPerBlock:   uint64(100*int(driver.AttributeMaxSharedMemoryPerBlock) + 1),
		MemoryPoolSupported: true}
	if have := d.Properties(); have != want {
		t.Errorf("properties %+v, want %+v", have, want)
	}
	if v, err := d.Attribute(driver.AttributeTotalGlobalMem); v != 4001 || err != nil {
		t.Errorf("the memory is %d bytes, %v", v, err)
	}
	free, total, err := d.MemInfo()
	if free != 1000 || total != 4001 || err != nil {
		t.Errorf("%d of %d bytes are free, %v", free, total, err)
	}
	if v, err := f.api.Version(); v != 12040 || err != nil {
		t.Errorf("version %d, %v", v, err)
	}
	f.api.Attributes = map[driver.Attribute]int{driver.AttributeWarpSize: 7}
	if v, err := d.Attribute(driver.AttributeWarpSize); v != 701 || err != nil {
		t.Errorf("a translated attribute is %d, %v", v, err)
	}
	if _, err := d.Attribute(driver.AttributeClockRate); driver.CodeOf(err) != driver.ErrorInvalidValue {
		t.Errorf("an unknown attribute: %v", err)
	}
	f.api.Attributes = map[driver.Attribute]int{driver.AttributeMemoryPoolsSupported: 0}
	if d := f.open(1)[0]; d.Properties().MemoryPoolSupported {
		t.Error("a pool is supported when its attribute is 0")
	}
}

// TestKeptErrors checks that an error stays in a runtime whose libraries read it, until the script reads it or another
// case begins.
func TestKeptErrors(t *testing.T) {
	f := newFake(t)
	f.api.Can.KeepsErrors = true
	d := f.open(1)[0]
	f.put(cleared, 0)
	f.fail(driver.ErrorOutOfMemory, 0)
	if err := d.Synchronize(); driver.CodeOf(err) != driver.ErrorOutOfMemory {
		t.Error(err)
	}
	f.want(cleared, 0)
	if code := f.api.LastError(false); code != driver.Success { // the fake runtime lacks the function
		t.Errorf("the last error is %v", code)
	}
	f.want(cleared, 0)
	f.api.LastError(true)
	f.want(cleared, 1)
	f.open(1)
	f.want(cleared, 2)
}

// TestErrors checks how error numbers are translated, and that an error is cleared once.
func TestErrors(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	for number, want := range map[driver.Error]string{
		driver.ErrorOutOfMemory: "testDeviceSynchronize", driver.ErrorIllegalAddress: "testDeviceSynchronize",
		driver.ErrorNotReady: "", 998: "testDeviceSynchronize: error 998",
	} {
		f.put(cleared, 0)
		f.fail(number, 0)
		code, clears := number, 1
		switch number {
		case 998:
			code = driver.ErrorUnknown
		case driver.ErrorNotReady:
			clears = 0
		}
		if err := d.Synchronize(); driver.CodeOf(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("error %d is %v, want %q", number, err, want)
		}
		f.want(cleared, clears)
	}
	f.must(d.Synchronize())
	if err := f.api.Call("Frobnicate"); driver.CodeOf(err) != driver.ErrorNotSupported {
		t.Errorf("an unknown function: %v", err)
	}
	f.must(f.api.Call("SetDevice", 1))
	f.want(current, 1)
	for text, want := range map[string]string{"ab\x00c": "ab", "abc": "abc", "": "", "\x00": ""} {
		if have := CString([]byte(text)); have != want {
			t.Errorf("%q is the string %q", text, have)
		}
	}
}

// TestMemory copies and fills memory, of no bytes too.
func TestMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	p, err1 := d.Malloc(16)
	q, err2 := d.MallocAsync(s, 16)
	f.must(err1, err2)
	f.want(live, 1, pooled, 1)
	in, out := []byte("0123456789abcdef"), make([]byte, 16)
	f.must(d.Write(s, p, in, driver.Row(uint64(len(in)))), d.Copy(s, q, p, driver.Row(16)), d.Fill(s, q+4, 'x', 2))
	f.put(synced, 5)
	f.must(d.Read(s, out, q, driver.Row(uint64(len(out)))))
	f.want(kind, copyDefault, synced, 0)
	if string(out) != "0123xx6789abcdef" {
		t.Errorf("read %q", out)
	}
	rows := driver.Rows{Width: 2, Count: 3, HostPitch: 3, DevicePitch: 5}
	f.must(d.Write(s, q, []byte("AB-CD-EF-"), rows), d.Clear2D(s, q+2, 5, 1, 2), d.Copy2D(s, q+14, 1, p, 2, 1, 2))
	f.put(synced, 5)
	f.must(d.Read(s, out, q, driver.Row(uint64(len(out)))))
	if want := "AB\x003xCD\x0089EFcd02"; string(out) != want {
		t.Errorf("rows are %q, want %q", out, want)
	}
	back := bytes.Repeat([]byte("."), 9)
	f.put(synced, 5)
	f.must(d.Read(s, back, q, rows))
	f.want(synced, 0)
	if string(back) != "AB.CD.EF." {
		t.Errorf("read rows %q", back)
	}
	// Calls with no bytes do not reach the runtime.
	f.fail(driver.ErrorUnknown, 0)
	none, err1 := d.Malloc(0)
	noneAsync, err2 := d.MallocAsync(s, 0)
	nothing := driver.Row(0)
	f.must(err1, err2, d.Write(s, p, nil, nothing), d.Read(s, nil, p, nothing), d.Copy(s, p, q, nothing),
		d.Fill(s, p, 1, 0), d.FreeAsync(s, 0))
	if none != 0 || noneAsync != 0 {
		t.Errorf("allocations of no bytes are at %d and %d", none, noneAsync)
	}
	f.fail(0, 0)
	f.must(d.Free(p), d.FreeAsync(s, q), d.TrimPool(9))
	f.want(live, 0, pooled, 0, pool, 70, kept, 9)
}

// TestFailedMemory checks that a failed call changes nothing, and that a failed copy is not waited for.
func TestFailedMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	p, err := d.Malloc(8)
	q, err2 := d.MallocAsync(s, 8)
	f.must(err, err2)
	out := make([]byte, 8)
	f.put(synced, 5)
	for name, do := range map[string]func() error{
		"Malloc":      func() error { p, err := d.Malloc(8); return zero(p, err) },
		"MallocAsync": func() error { p, err := d.MallocAsync(s, 8); return zero(p, err) },
		"Free":        func() error { return d.Free(p) },
		"FreeAsync":   func() error { return d.FreeAsync(s, q) },
		"Read":        func() error { return d.Read(s, out, p, driver.Row(uint64(len(out)))) },
		"ReadRows":    func() error { return d.Read(s, out, p, rowOf8) },
		"TrimPool":    func() error { return d.TrimPool(0) },
		"NewStream":   func() error { s, err := d.NewStream(false); return isNil(s == nil, err) },
		"NewEvent":    func() error { e, err := d.NewEvent(); return isNil(e == nil, err) },
	} {
		f.fail(driver.ErrorLaunchFailure, 0)
		if err := do(); driver.CodeOf(err) != driver.ErrorLaunchFailure {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.want(live, 1, pooled, 1, synced, 5)
	f.must(d.Free(p), d.FreeAsync(s, q))
}

// zero returns an error if the result of a failed allocation is not 0.
func zero(p driver.Ptr, err error) error { return isNil(p == 0, err) }

func isNil(isNil bool, err error) error {
	if !isNil {
		return errors.New("a failed call has a result")
	}
	return err
}

// TestClose frees the objects that a case left open, and returns the first error.
func TestClose(t *testing.T) {
	f := newFake(t)
	for _, test := range []struct {
		calls   int // before the call that fails; -1 for none
		trimmed bool
	}{{-1, true}, {1, false}} {
		rt, err := Open(f.api, driver.Config{Devices: 1}, Plain)
		f.must(err)
		d := rt.devices[0]
		_, err1 := d.Malloc(8)
		_, err2 := d.MallocAsync(d.NullStream(), 8)
		_, err3 := d.NewStream(true)
		_, err4 := d.NewEvent()
		f.must(err1, err2, err3, err4)
		f.want(live, 1, pooled, 1, streams, 1, events, 1)
		f.put(pool, 0)
		if test.calls == 1 {
			f.fail(driver.ErrorLaunchFailure, 0)
		}
		if err := rt.Close(); (err == nil) != test.trimmed {
			t.Errorf("closing: %v", err)
		}
		f.want(live, 0, pooled, 0, streams, 0, events, 0)
		if have := f.get(pool) != 0; have != test.trimmed {
			t.Errorf("the pool is trimmed: %t", have)
		}
		f.fail(driver.ErrorLaunchFailure, 0)
		f.must(rt.Close())
		f.fail(0, 0)
	}
	// An error of freeing is returned, too.
	f.put(devices, 2)
	rt, err := Open(f.api, driver.Config{Devices: 2}, Plain)
	f.must(err)
	_, err = rt.devices[0].Malloc(8)
	f.must(err)
	f.fail(driver.ErrorIllegalAddress, 3) // after SetDevice, DeviceSynchronize, SetDevice
	if err := rt.Close(); driver.CodeOf(err) != driver.ErrorIllegalAddress {
		t.Errorf("an error of freeing: %v", err)
	}
}

// TestMemoryOfAnotherDevice frees memory while another device is current. Close does not free it again.
func TestMemoryOfAnotherDevice(t *testing.T) {
	f := newFake(t)
	f.put(devices, 2)
	rt, err := Open(f.api, driver.Config{Devices: 2}, Plain)
	f.must(err)
	first, second := rt.devices[0], rt.devices[1]
	p, err1 := second.Malloc(8)
	q, err2 := second.MallocAsync(second.NullStream(), 8)
	f.must(err1, err2, first.Free(p), first.FreeAsync(first.NullStream(), q))
	f.want(live, 0, pooled, 0)
	f.must(rt.Close())
	f.want(live, 0, pooled, 0)
}

// TestStreamsAndEvents checks the handles that calls pass.
func TestStreamsAndEvents(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	a, err1 := d.NewStream(false)
	f.want(flags, 0)
	b, err2 := d.NewStream(true)
	f.want(flags, 1)
	first, err3 := d.NewEvent()
	last, err4 := d.NewEvent()
	f.must(err1, err2, err3, err4)
	if a.ID() != 1 || b.ID() != 2 || a.(*Stream).Handle() != 501 || d.NullStream().ID() != 0 {
		t.Errorf("streams %d and %d with the handle %d", a.ID(), b.ID(), a.(*Stream).Handle())
	}
	f.must(first.Record(a))
	f.want(waited, 501701)
	f.must(b.WaitEvent(first))
	f.want(waited, 502701)
	f.must(b.Synchronize())
	f.want(synced, 502)
	f.must(last.Synchronize(), a.Query(), first.Query())
	f.want(synced, 702)
	if took, err := last.Since(first); took != 1500*time.Microsecond || err != nil {
		t.Errorf("the time between events is %s, %v", took, err)
	}
	f.fail(driver.ErrorNotReady, 0)
	if err := a.Query(); err != driver.ErrorNotReady {
		t.Errorf("a query of a busy stream: %v", err)
	}
	f.must(a.Destroy(), b.Destroy(), first.Destroy(), last.Destroy())
	f.want(streams, 0, events, 0)
}

// TestCurrentDevice checks that calls choose their device when there are several.
func TestCurrentDevice(t *testing.T) {
	f := newFake(t)
	only := f.open(1)[0]
	f.must(only.Synchronize())
	f.want(set, 0)
	f.put(devices, 2)
	two := f.open(2)
	f.must(two[0].Synchronize())
	f.put(set, 0)
	f.must(two[1].Synchronize())
	f.want(set, 1, current, 1)
	f.must(two[1].Synchronize())
	f.want(set, 1) // the thread has the device already
	first := f.open(1)[0]
	f.want(current, 0)
	f.must(two[1].Synchronize(), first.Synchronize())
	f.want(current, 0)
	f.must(two[0].WithDevice(func() error { f.want(current, 0); return nil }))
	f.fail(driver.ErrorInvalidDevice, 0)
	err := two[1].WithDevice(func() error { t.Error("the call runs on another device"); return nil })
	if driver.CodeOf(err) != driver.ErrorInvalidDevice {
		t.Errorf("a device that cannot be chosen: %v", err)
	}
	f.must(two[1].TrimPool(3))
	f.want(pool, 71, kept, 3)
	f.must(two[0].rt.SetDevice(1), two[0].Synchronize(), two[0].Current().WithDevice(func() error { return nil }))
	f.want(current, 1)
	f.must(two[1].rt.SetDevice(0), two[1].Current().OnDevice(func() error { return nil }))
	f.want(current, 0)
}

// TestChosenDevices opens devices of the machine by their numbers. Their numbers in the runtime begin at 0.
func TestChosenDevices(t *testing.T) {
	f := newFake(t)
	f.put(devices, 4)
	rt, err := Open(f.api, driver.Config{IDs: []int{3, 1}}, Plain)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	first, second := rt.devices[0], rt.devices[1]
	f.must(first.Synchronize())
	f.want(current, 3)
	if first.Index() != 0 || second.Index() != 1 || first.NumberOf(1) != 1 || first.NumberOf(0) != 0 {
		t.Errorf("numbers %d, %d", first.Index(), second.Index())
	}
	if value, err := second.Attribute(driver.AttributeWarpSize); err != nil || value%100 != 1 {
		t.Errorf("attribute %d, %v; want the one of device 1 of the machine", value, err)
	}
	can, err := first.CanAccessPeer(1)
	f.must(err, second.EnablePeerAccess(0))
	f.want(current, 1, peer, 3)
	if !can {
		t.Error("device 3 cannot access device 1")
	}
	if err := second.EnablePeerAccess(0); driver.CodeOf(err) != driver.ErrorPeerAccessEnabled {
		t.Errorf("second access: %v", err)
	}
	f.must(rt.Close())
	f.want(peer, 0)
	if _, err := Open(f.api, driver.Config{IDs: []int{0, 4}}, Plain); driver.CodeOf(err) != driver.ErrorNoDevice ||
		!strings.Contains(err.Error(), "device 4 was requested, the devices are 0 to 3") {
		t.Errorf("a device that does not exist: %v", err)
	}
}
