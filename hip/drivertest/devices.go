package drivertest

import (
	"roclua/hip"
	"roclua/hip/driver"
)

// severalCases need two devices; they leave device 1 as the current one.
var severalCases = []testcase{
	{"memory is allocated on the current device", func(f *fixture) {
		other := f.second()
		const bytes = 64 << 20
		before, _, err := other.MemInfo()
		f.ok(err)
		p, err := other.Malloc(bytes)
		f.ok(err)
		after, _, err := other.MemInfo()
		f.ok(err)
		if before-after < bytes {
			f.Errorf("%d bytes are free after an allocation of %d, before it %d", after, uint64(bytes), before)
		}
		f.ok(f.rt.SetDevice(0))
		f.ok(f.dev.Free(p)) // any device can be current
		f.ok(f.rt.SetDevice(1))
		if free, _, err := other.MemInfo(); err != nil || free < before {
			f.Errorf("%d bytes are free at the end, at the start %d (%v)", free, before, err)
		}
	}},
	{"memory is copied between devices without access", func(f *fixture) {
		p := f.malloc(size)
		other := f.second()
		q, err := other.Malloc(size)
		f.ok(err)
		s, err := other.NewStream(true)
		f.ok(err)
		f.ok(other.FillAsync(q, 5, size, s))
		f.ok(other.CopyAsync(p, q, size, s))
		f.ok(other.FillAsync(q, 6, size, s))
		f.ok(s.Synchronize())
		f.filled(p, size, 5)
		f.ok(other.Copy(p, q, size))
		f.filled(p, size, 6)
		f.ok(f.dev.Fill(p, 7, size))
		f.ok(other.CopyPeer(q, p, size, hip.Peers{Dst: 1, Src: 0}, nil))
		f.filled(q, size, 7)
		f.ok(other.CopyPeer(p, q, size/2, hip.Peers{Dst: 0, Src: 1}, s))
		f.ok(s.Synchronize())
	}},
	{"an event of one device orders a stream of another", func(f *fixture) {
		p, s := f.malloc(size), f.stream(true)
		other := f.second()
		q, err := other.Malloc(size)
		f.ok(err)
		ahead, err := other.NewStream(true)
		f.ok(err)
		done, err := other.NewEvent()
		f.ok(err)
		for i := range 10 {
			f.ok(other.FillAsync(q, byte(i), size, ahead))
		}
		f.ok(done.Record(ahead))
		f.ok(f.rt.SetDevice(0))
		f.ok(s.WaitEvent(done))
		f.ok(f.dev.CopyAsync(p, q, size, s))
		f.ok(s.Synchronize())
		f.filled(p, size, 9)
		f.unordered(0)
	}},
	{"a device synchronizes its own streams", func(f *fixture) {
		other := f.second()
		q, err := other.Malloc(size)
		f.ok(err)
		s, err := other.NewStream(true)
		f.ok(err)
		f.ok(other.FillAsync(q, 3, size, s))
		f.ok(f.rt.Device().Synchronize())
		f.ok(s.Query())
	}},
	{"access to memory of a peer is enabled and disabled once", func(f *fixture) {
		f.needAccess()
		other := f.second()
		if can, err := other.CanAccessPeer(1); can || err != nil {
			f.Errorf("access of device 1 to itself: %v, %v", can, err)
		}
		if code := driver.CodeOf(other.EnablePeerAccess(1)); code != driver.ErrorInvalidDevice &&
			code != driver.ErrorPeerAccess { // the latter in CUDA
			f.Errorf("device 1 enables access to itself: %v", code)
		}
		f.code(other.EnablePeerAccess(f.rt.DeviceCount()), driver.ErrorInvalidDevice)
		f.code(other.DisablePeerAccess(0), driver.ErrorPeerAccessNotOn)
		f.ok(other.EnablePeerAccess(0))
		f.code(other.EnablePeerAccess(0), driver.ErrorPeerAccessEnabled)
		f.ok(other.DisablePeerAccess(0))
		f.code(other.DisablePeerAccess(0), driver.ErrorPeerAccessNotOn)
	}},
	{"with access a kernel uses memory of a peer", func(f *fixture) {
		f.needKernels()
		f.needAccess()
		a, x, y := f.malloc(8192), f.malloc(256), f.malloc(256)
		identity := make([]float64, 32*32)
		for i := range 32 {
			identity[33*i] = 1
		}
		f.ok(f.dev.Write(a, doubles(identity...)))
		f.ok(f.dev.Write(x, doubles(counting(32, 3)...)))
		other := f.second()
		f.ok(other.EnablePeerAccess(0))
		f.ok(other.Execute(nil, f.gemv(a, x, y)))
		f.ok(other.Synchronize())
		f.holds(y, counting(32, 3)...)
		f.ok(other.DisablePeerAccess(0))
	}},
	{"each thread has its own current device", func(f *fixture) {
		f.second()
		f.ok(f.rt.Share())
		defer f.rt.Unshare()
		t := f.rt.NewThread()
		defer t.Close()
		t.Enter()
		defer t.Leave()
		if i := f.rt.Device().Index(); i != 0 {
			f.Errorf("a new thread starts with device %d, want 0", i)
		}
	}},
}

// second makes device 1 the current one. It skips the case if there is only one device.
func (f *fixture) second() *hip.Device {
	f.Helper()
	if f.rt.DeviceCount() < 2 {
		f.Skip("one device")
	}
	f.ok(f.rt.SetDevice(1))
	return f.rt.Device()
}

// needAccess skips the case if kernels of device 1 cannot use memory of device 0.
func (f *fixture) needAccess() {
	f.Helper()
	f.second()
	can, err := f.rt.Device().CanAccessPeer(0)
	if driver.CodeOf(err) != driver.ErrorNotSupported {
		f.ok(err)
	}
	f.ok(f.rt.SetDevice(0))
	if !can {
		f.Skip("no access between devices")
	}
}
