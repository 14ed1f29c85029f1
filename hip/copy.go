package hip

import (
	"cmp"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// copier copies and sets memory of a device.
type copier struct{ *gpu }

// Write implements hipMemcpy from the host: the host waits until the bytes of src are at dst.
func (d copier) Write(dst driver.Ptr, src []byte) error {
	return d.copyNow("hipMemcpy", dst, uint64(len(src)), func(s driver.Stream) error {
		return d.driver.Write(s, dst, src)
	})
}

// Read implements hipMemcpy to the host: the host waits until dst is filled.
func (d copier) Read(dst []byte, src driver.Ptr) error {
	return d.copyNow("hipMemcpy", src, uint64(len(dst)), func(s driver.Stream) error {
		return d.driver.Read(s, dst, src)
	})
}

// Copy implements hipMemcpy between addresses of any devices.
func (d copier) Copy(dst, src driver.Ptr, n uint64) error {
	return d.copyNow("hipMemcpy", dst, n, func(s driver.Stream) error { return d.driver.Copy(s, dst, src, n) })
}

// Peers are the devices of a copy that names them: hipMemcpyPeer.
type Peers struct{ Dst, Src int }

// CopyPeer implements hipMemcpyPeer, and with a stream hipMemcpyPeerAsync. No peer access is needed.
func (d copier) CopyPeer(dst, src driver.Ptr, n uint64, p Peers, s *Stream) error {
	queue := func(dev driver.Device, s driver.Stream) error {
		if err := cmp.Or(d.host.checkNumber(p.Dst), d.host.checkNumber(p.Src)); err != nil {
			return err
		}
		return dev.Copy(s, dst, src, n)
	}
	if s == nil {
		return d.copyNow("hipMemcpyPeer", dst, n, func(null driver.Stream) error { return queue(d.driver, null) })
	}
	return d.copyLater("hipMemcpyPeerAsync", dst, n, s, queue)
}

// Fill implements hipMemset: it sets n bytes to v, and the host waits for it.
func (d copier) Fill(dst driver.Ptr, v byte, n uint64) error {
	return d.copyNow("hipMemset", dst, n, func(s driver.Stream) error { return d.driver.Fill(s, dst, v, n) })
}

// WriteAsync implements hipMemcpyAsync from the host. The data is copied before the call returns.
func (d copier) WriteAsync(dst driver.Ptr, src []byte, s *Stream) error {
	return d.copyLater("hipMemcpyAsync", dst, uint64(len(src)), s, func(dev driver.Device, s driver.Stream) error {
		return dev.Write(s, dst, src)
	})
}

// ReadAsync implements hipMemcpyAsync to the host: dst is filled when the stream reaches the copy, so the caller waits
// for the stream before it reads dst.
func (d copier) ReadAsync(dst []byte, src driver.Ptr, s *Stream) error {
	return d.copyLater("hipMemcpyAsync", src, uint64(len(dst)), s, func(dev driver.Device, s driver.Stream) error {
		return dev.Read(s, dst, src)
	})
}

// CopyAsync implements hipMemcpyAsync between addresses of any devices.
func (d copier) CopyAsync(dst, src driver.Ptr, n uint64, s *Stream) error {
	return d.copyLater("hipMemcpyAsync", dst, n, s, func(dev driver.Device, s driver.Stream) error {
		return dev.Copy(s, dst, src, n)
	})
}

// FillAsync implements hipMemsetAsync.
func (d copier) FillAsync(dst driver.Ptr, v byte, n uint64, s *Stream) error {
	return d.copyLater("hipMemsetAsync", dst, n, s, func(dev driver.Device, s driver.Stream) error {
		return dev.Fill(s, dst, v, n)
	})
}

// ClearAsync implements hipMemsetAsync to 0 of workspace, whose numbers nothing reads. To save time it sets only the
// first byte, unless it is captured.
func (d copier) ClearAsync(dst driver.Ptr, n uint64, s *Stream) error {
	return d.copyLater("hipMemsetAsync", dst, n, s, func(dev driver.Device, queue driver.Stream) error {
		if s.CaptureStatus() != driver.CaptureNone {
			return dev.Fill(queue, dst, 0, n)
		}
		return dev.Fill(queue, dst, 0, min(n, 1))
	})
}

// FillByKernel sets n bytes to v by a kernel of a library, which counts neither as a kernel nor as a call of HIP.
func (d copier) FillByKernel(dst driver.Ptr, v byte, n uint64, s *Stream) error {
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
func (d copier) Claim(name string, read, written []driver.Span, n uint64, s *Stream, wait bool) error {
	claimer, ok := d.driver.(driver.Claimer)
	if !ok {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s does not claim memory", d.host.platform)
	}
	var p driver.Ptr
	if len(written) > 0 {
		p = written[0].Ptr
	}
	if s == nil && wait {
		return d.copyNow(name, p, n, func(s driver.Stream) error { return claimer.Claim(s, read, written) })
	}
	return d.copyLater(name, p, n, s, func(_ driver.Device, s driver.Stream) error {
		err := claimer.Claim(s, read, written)
		if err == nil && wait {
			err = s.Synchronize()
		}
		return err
	})
}

// WriteRows implements hipMemcpy2D from the host; without a stream the host waits, and with one it is
// hipMemcpy2DAsync. The data is copied before the call returns.
func (d copier) WriteRows(dst driver.Ptr, src []byte, r driver.Rows, s *Stream) error {
	return d.copyRows(dst, r, s, func(dev driver.RowCopier, s driver.Stream) error {
		return dev.WriteRows(s, dst, src, r)
	})
}

// ReadRows implements hipMemcpy2D to the host, with a stream hipMemcpy2DAsync. dst is filled when the stream reaches
// the copy.
func (d copier) ReadRows(dst []byte, src driver.Ptr, r driver.Rows, s *Stream) error {
	return d.copyRows(src, r, s, func(dev driver.RowCopier, s driver.Stream) error {
		return dev.ReadRows(s, dst, src, r)
	})
}

// CopyRows implements hipMemcpy2D between device addresses, with a stream hipMemcpy2DAsync. Rows.HostPitch is the pitch
// of the source.
func (d copier) CopyRows(dst, src driver.Ptr, r driver.Rows, s *Stream) error {
	return d.copyRows(dst, r, s, func(dev driver.RowCopier, s driver.Stream) error {
		return dev.CopyRows(s, dst, src, r)
	})
}

func (d copier) copyRows(p driver.Ptr, r driver.Rows, s *Stream,
	queue func(driver.RowCopier, driver.Stream) error) error {
	on := func(dev driver.Device, s driver.Stream) error {
		copier, ok := dev.(driver.RowCopier)
		if !ok {
			return driver.ErrorNotSupported
		}
		return queue(copier, s)
	}
	if s == nil {
		return d.copyNow("hipMemcpy2D", p, r.Bytes(), func(null driver.Stream) error { return on(d.driver, null) })
	}
	return d.copyLater("hipMemcpy2DAsync", p, r.Bytes(), s, on)
}

// copyNow queues on the null stream, as the synchronous calls of HIP do, and waits for it. A copy of 0 bytes does not
// wait.
func (d copier) copyNow(name string, p driver.Ptr, n uint64, queue func(driver.Stream) error) error {
	return d.call(&trace.Call{Name: name, Ptr: p, Bytes: n, HasBytes: true, Synchronizing: n > 0}, func() error {
		if err := d.checkHostCopy(); err != nil {
			return err
		}
		null := d.null.driver
		if err := queue(null); err != nil || n == 0 {
			return err
		}
		return null.Synchronize()
	})
}

// copyLater queues on a stream. The stream's device does the work, no matter which device is current, as in HIP.
func (d copier) copyLater(name string, p driver.Ptr, n uint64, s *Stream,
	queue func(driver.Device, driver.Stream) error) error {
	c := &trace.Call{Name: name, Ptr: p, Bytes: n, HasBytes: true}
	return d.call(c, func() error {
		s, err := d.stream(s)
		if err != nil {
			return err
		}
		s.named(c)
		return queue(s.device.driver, s.driver)
	})
}

// checkHostCopy returns the error of a synchronous copy while a stream is captured.
func (d copier) checkHostCopy() error {
	if !d.Capturing() {
		return nil
	}
	c, err := d.capturer()
	if err != nil {
		return err
	}
	return c.CheckHostCopy()
}
