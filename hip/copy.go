package hip

import (
	"cmp"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// transfer queues a copy in a stream of a device.
type transfer func(driver.Device, driver.Stream) error

func write(dst driver.Ptr, src []byte, r driver.Rows) transfer {
	return func(d driver.Device, s driver.Stream) error { return d.Write(s, dst, src, r) }
}

func read(dst []byte, src driver.Ptr, r driver.Rows) transfer {
	return func(d driver.Device, s driver.Stream) error { return d.Read(s, dst, src, r) }
}

func move(dst, src driver.Ptr, r driver.Rows) transfer {
	return func(d driver.Device, s driver.Stream) error { return d.Copy(s, dst, src, r) }
}

func fill(dst driver.Ptr, v byte, n uint64) transfer {
	return func(d driver.Device, s driver.Stream) error { return d.Fill(s, dst, v, n) }
}

// Write implements hipMemcpy from the host: the host waits until the bytes of src are at dst.
func (d *Device) Write(dst driver.Ptr, src []byte) error {
	n := uint64(len(src))
	return d.copyNow("hipMemcpy", dst, n, write(dst, src, driver.Row(n)))
}

// Read implements hipMemcpy to the host: the host waits until dst is filled.
func (d *Device) Read(dst []byte, src driver.Ptr) error {
	n := uint64(len(dst))
	return d.copyNow("hipMemcpy", src, n, read(dst, src, driver.Row(n)))
}

// Copy implements hipMemcpy between addresses of any devices.
func (d *Device) Copy(dst, src driver.Ptr, n uint64) error {
	return d.copyNow("hipMemcpy", dst, n, move(dst, src, driver.Row(n)))
}

// Peers are the devices of a copy that names them: hipMemcpyPeer.
type Peers struct{ Dst, Src int }

// CopyPeer implements hipMemcpyPeer, and with a stream hipMemcpyPeerAsync. No peer access is needed.
func (d *Device) CopyPeer(dst, src driver.Ptr, n uint64, p Peers, s *Stream) error {
	queue := func(dev driver.Device, s driver.Stream) error {
		if err := cmp.Or(d.host.checkNumber(p.Dst), d.host.checkNumber(p.Src)); err != nil {
			return err
		}
		return dev.Copy(s, dst, src, driver.Row(n))
	}
	if s == nil {
		return d.copyNow("hipMemcpyPeer", dst, n, queue)
	}
	return d.copyLater("hipMemcpyPeerAsync", dst, n, s, queue)
}

// Fill implements hipMemset: it sets n bytes to v, and the host waits for it.
func (d *Device) Fill(dst driver.Ptr, v byte, n uint64) error {
	return d.copyNow("hipMemset", dst, n, fill(dst, v, n))
}

// WriteAsync implements hipMemcpyAsync from the host. The data is copied before the call returns.
func (d *Device) WriteAsync(dst driver.Ptr, src []byte, s *Stream) error {
	n := uint64(len(src))
	return d.copyLater("hipMemcpyAsync", dst, n, s, write(dst, src, driver.Row(n)))
}

// ReadAsync implements hipMemcpyAsync to the host: dst is filled when the stream reaches the copy, so the caller waits
// for the stream before it reads dst.
func (d *Device) ReadAsync(dst []byte, src driver.Ptr, s *Stream) error {
	n := uint64(len(dst))
	return d.copyLater("hipMemcpyAsync", src, n, s, read(dst, src, driver.Row(n)))
}

// CopyAsync implements hipMemcpyAsync between addresses of any devices.
func (d *Device) CopyAsync(dst, src driver.Ptr, n uint64, s *Stream) error {
	return d.copyLater("hipMemcpyAsync", dst, n, s, move(dst, src, driver.Row(n)))
}

// FillAsync implements hipMemsetAsync.
func (d *Device) FillAsync(dst driver.Ptr, v byte, n uint64, s *Stream) error {
	return d.copyLater("hipMemsetAsync", dst, n, s, fill(dst, v, n))
}

// ClearAsync implements hipMemsetAsync to 0 of workspace, whose numbers nothing reads. To save time it sets only the
// first byte, unless it is captured.
func (d *Device) ClearAsync(dst driver.Ptr, n uint64, s *Stream) error {
	return d.copyLater("hipMemsetAsync", dst, n, s, func(dev driver.Device, queue driver.Stream) error {
		if s.CaptureStatus() != driver.CaptureNone {
			return dev.Fill(queue, dst, 0, n)
		}
		return dev.Fill(queue, dst, 0, min(n, 1))
	})
}

// FillByKernel sets n bytes to v by a kernel of a library, which counts neither as a kernel nor as a HIP call.
func (d *Device) FillByKernel(dst driver.Ptr, v byte, n uint64, s *Stream) error {
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	err = s.device.driver.Fill(s.driver, dst, v, n)
	d.host.collectHazards()
	d.host.noteResult(driver.CodeOf(err))
	return err
}

// Claim makes a copy or a fill of a recorded program, by its name: n bytes in all, which it reads and writes in memory.
// With wait the host waits for it. A nil stream is the null stream.
func (d *Device) Claim(name string, read, written []driver.Span, n uint64, s *Stream, wait bool) error {
	var p driver.Ptr
	if len(written) > 0 {
		p = written[0].Ptr
	}
	if s == nil && wait {
		return d.copyNow(name, p, n, func(d driver.Device, s driver.Stream) error { return d.Claim(s, read, written) })
	}
	return d.copyLater(name, p, n, s, func(_ driver.Device, s driver.Stream) error {
		err := d.driver.Claim(s, read, written)
		if err == nil && wait {
			err = s.Synchronize()
		}
		return err
	})
}

// WriteRows implements hipMemcpy2D from the host; without a stream the host waits, and with one it is
// hipMemcpy2DAsync. The data is copied before the call returns.
func (d *Device) WriteRows(dst driver.Ptr, src []byte, r driver.Rows, s *Stream) error {
	return d.copyRows(dst, r, s, write(dst, src, r))
}

// ReadRows implements hipMemcpy2D to the host, with a stream hipMemcpy2DAsync. dst is filled when the stream reaches
// the copy.
func (d *Device) ReadRows(dst []byte, src driver.Ptr, r driver.Rows, s *Stream) error {
	return d.copyRows(src, r, s, read(dst, src, r))
}

// CopyRows implements hipMemcpy2D between device addresses, with a stream hipMemcpy2DAsync. Rows.HostPitch is the pitch
// of the source.
func (d *Device) CopyRows(dst, src driver.Ptr, r driver.Rows, s *Stream) error {
	return d.copyRows(dst, r, s, move(dst, src, r))
}

func (d *Device) copyRows(p driver.Ptr, r driver.Rows, s *Stream, queue transfer) error {
	if s == nil {
		return d.copyNow("hipMemcpy2D", p, r.Bytes(), queue)
	}
	return d.copyLater("hipMemcpy2DAsync", p, r.Bytes(), s, queue)
}

// copyNow queues on the null stream, as the synchronous HIP calls do, and waits for it. A copy of 0 bytes does not
// wait.
func (d *Device) copyNow(name string, p driver.Ptr, n uint64, queue transfer) error {
	return d.call(&trace.Call{Name: name, Ptr: p, Bytes: n, HasBytes: true, Synchronizing: n > 0}, func() error {
		if d.Capturing() {
			if err := d.driver.CheckHostCopy(); err != nil {
				return err
			}
		}
		null := d.null.driver
		if err := queue(d.driver, null); err != nil || n == 0 {
			return err
		}
		return null.Synchronize()
	})
}

// copyLater queues on a stream. The stream's device does the work, no matter which device is current, as in HIP.
func (d *Device) copyLater(name string, p driver.Ptr, n uint64, s *Stream, queue transfer) error {
	c := &trace.Call{Name: name, Ptr: p, Bytes: n, HasBytes: true}
	return d.call(c, func() error { return d.onStream(c, s, queue) })
}

// HostCopy is a copy to host memory that was queued on a stream. Until the host has waited for it, a use of the memory
// by the host is a hazard.
type HostCopy struct {
	host   *host
	thread *Thread // that queued it, and uses the memory
	copy   driver.HostCopy
	use    driver.Use
	bytes  uint64
}

// LastHostCopy returns the copy of n bytes to host memory that the last call queued on a stream. If the stream is
// captured, that is the copy of the latest launch: see LaunchedOn. It returns nil if the platform does not detect
// hazards of host memory.
func (d *Device) LastHostCopy(s *Stream, n uint64) *HostCopy {
	s, err := d.stream(s)
	if err != nil || n == 0 {
		return nil
	}
	last := s.device.driver.LastCopy(s.driver)
	if last == nil {
		return nil
	}
	site := d.host.site
	return &HostCopy{host: d.host, thread: d.host.Thread, copy: last, bytes: n,
		use: driver.Use{Call: site.Call, Stream: s.ID(), Write: true, Origin: site.Origin}}
}

// LaunchedOn returns a captured copy after its graph was launched on a stream. c may be nil; then the result is nil.
func (c *HostCopy) LaunchedOn(s *Stream) *HostCopy {
	if c == nil {
		return nil
	}
	launched := *c
	launched.use.Call, launched.use.Stream, launched.use.Origin = c.host.site.Call, s.ID(), c.host.site.Origin
	return &launched
}

// Bytes returns the size of the copy, from the begin of the memory.
func (c *HostCopy) Bytes() uint64 { return c.bytes }

// BeforeHostUse reports a hazard unless the host has waited for the copy. call names the use, which may begin when
// BeforeHostUse returns: the copy is done, or waits for the function of LaunchHostFunc that runs now. It reports
// whether the copy concerns no later use.
func (c *HostCopy) BeforeHostUse(call string) (settled bool) {
	c.thread.Enter()
	defer c.thread.Leave()
	conflict := c.copy.Conflicts(nil)
	if conflict {
		c.hazard(driver.Use{Call: call, Host: true, Origin: c.host.origin()})
	}
	return conflict || c.host.hostFunc == nil
}

// BeforeCopy reports a hazard unless another copy to the memory, to be queued on a stream, is ordered after the copy. A
// nil stream is the null stream.
func (c *HostCopy) BeforeCopy(call string, s *Stream) {
	stream, err := c.host.current.stream(s)
	if err == nil && c.copy.Conflicts(stream.driver) {
		c.hazard(driver.Use{Call: call, Stream: stream.ID(), Write: true, Origin: c.host.origin()})
	}
}

func (c *HostCopy) hazard(later driver.Use) {
	c.host.addHazard(driver.Hazard{Bytes: c.bytes, Earlier: c.use, Later: later})
}
