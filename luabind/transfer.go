package luabind

import (
	"roclua/hip"
	"roclua/hip/driver"
)

// hostOrDevice is the source or the destination of a copy: a host array, or an address on the device.
type hostOrDevice struct {
	array *Array
	ptr   driver.Ptr
}

// copyDefault is hipMemcpyDefault: the direction follows from destination and source.
const copyDefault = 4

func hipMemcpy(c *call, dst, src hostOrDevice, size uint64, kind int64) error {
	return copyMemory(c, dst, src, size, kind, nil)
}

func hipMemcpyAsync(c *call, dst, src hostOrDevice, size uint64, kind int64, stream *hip.Stream) error {
	return copyMemory(c, dst, src, size, kind, stream)
}

// copyMemory copies in a stream, or waits for the copy if the stream is nil. A kind must match destination and source.
func copyMemory(c *call, dst, src hostOrDevice, size uint64, kind int64, stream *hip.Stream) error {
	dev := c.s.device(c.l)
	if kind != copyDefault && kind != kindOf(dst, src) {
		return driver.Faultf(driver.ErrorInvalidMemcpyDir, "the kind does not match destination and source")
	}
	checkFits(c, "dst", dst, size)
	checkFits(c, "src", src, size)
	if dst.array == nil && src.array != nil {
		c.s.vm.Meter().Reserve(c.l, size) // the device keeps a copy until the stream reads it
	}
	return transfer(dev, stream, dst, src, size)
}

// checkFits raises an error if a copy is larger than an array.
func checkFits(c *call, param string, m hostOrDevice, size uint64) {
	if m.array != nil && size > uint64(len(m.array.raw)) {
		c.bad(param, "the array has %d bytes, fewer than the size %d", len(m.array.raw), size)
	}
}

// kindOf returns the hipMemcpyKind of a copy.
func kindOf(dst, src hostOrDevice) int64 {
	kind := int64(0)
	if dst.array == nil {
		kind = 1
	}
	if src.array == nil {
		kind += 2
	}
	return kind
}

func transfer(dev *hip.Device, stream *hip.Stream, dst, src hostOrDevice, bytes uint64) error {
	switch {
	case dst.array != nil && src.array != nil:
		copy(dst.array.raw[:bytes], src.array.raw[:bytes])
		return nil
	case dst.array != nil && stream != nil:
		return dev.ReadAsync(dst.array.raw[:bytes], src.ptr, stream)
	case dst.array != nil:
		return dev.Read(dst.array.raw[:bytes], src.ptr)
	case src.array != nil && stream != nil:
		return dev.WriteAsync(dst.ptr, src.array.raw[:bytes], stream)
	case src.array != nil:
		return dev.Write(dst.ptr, src.array.raw[:bytes])
	case stream != nil:
		return dev.CopyAsync(dst.ptr, src.ptr, bytes, stream)
	}
	return dev.Copy(dst.ptr, src.ptr, bytes)
}

func hipMemset(c *call, dst driver.Ptr, value int64, size uint64) error {
	return c.s.device(c.l).Fill(dst, byte(value), size)
}

func hipMemsetAsync(c *call, dst driver.Ptr, value int64, size uint64, stream *hip.Stream) error {
	return c.s.device(c.l).FillAsync(dst, byte(value), size, stream)
}

func hipUpload(c *call, a *Array) error {
	dev := c.s.device(c.l)
	p, err := dev.Malloc(uint64(len(a.raw)))
	if err == nil {
		err = dev.Write(p, a.raw)
	}
	c.out(c.s.pointers.value(p))
	return err
}

func hipDownload(c *call, a *Array, p driver.Ptr) error {
	c.out(c.l.Get(1))
	return c.s.device(c.l).Read(a.raw, p)
}
