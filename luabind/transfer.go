package luabind

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
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
	captured := capturedBy(stream) != 0 // what memory holds when the graph is launched is not known
	if err := checkKind(kind, dst, src); err != nil {
		return err
	}
	checkFits(c, "dst", dst, size)
	checkFits(c, "src", src, size)
	if dst.array == nil && src.array != nil {
		c.s.vm.Meter().Reserve(c.l, size) // the device keeps a copy until the stream reads it
	}
	if err := checkElements(c, dst.array, src.ptr, driver.Rows{Width: size, Count: 1}); err != nil && !captured {
		return err
	}
	if dst.array != nil {
		if src.array != nil {
			dst.array.beforeUse(c.fn.Title())
		} else {
			dst.array.beforeFilling(c.fn.C, stream)
		}
	}
	if err := transfer(dev, stream, dst, src, size); err != nil {
		return err
	}
	if dst.array != nil && src.array == nil {
		c.filled(dst.array, stream, size)
	}
	if !captured {
		setElements(c, dst.ptr, src.array, driver.Rows{Width: size, Count: 1})
	}
	return nil
}

// checkKind returns an error if the kind of a copy does not match destination and source.
func checkKind(kind int64, dst, src hostOrDevice) error {
	needed := kindOf(dst, src)
	if kind == copyDefault || kind == needed {
		return nil
	}
	return driver.Faultf(driver.ErrorInvalidMemcpyDir,
		"the kind is hip.%s, but the destination is %s and the source is %s: hip.%s", api.CopyKinds[kind], dst, src,
		api.CopyKinds[needed])
}

// String describes the side of a copy in messages.
func (m hostOrDevice) String() string {
	if m.array != nil {
		return "a host array"
	}
	return "device memory"
}

// checkElements returns an error if device memory holds elements of another type than the array that they are copied
// to. An array of i8 takes any bytes. The array is nil for a copy on the device.
func checkElements(c *call, dst *Array, src driver.Ptr, r driver.Rows) error {
	if dst == nil || dst.kind == "i8" || src == 0 {
		return nil
	}
	return c.s.device(c.l).CheckElementRows(src, r, driver.ElementNamed(dst.kind), c.fn.Title())
}

// setElements declares what device memory holds after a copy from an array, which is nil for a copy on the device.
func setElements(c *call, dst driver.Ptr, src *Array, r driver.Rows) {
	if src != nil && dst != 0 {
		c.s.device(c.l).SetElementRows(dst, r, driver.ElementNamed(src.kind))
	}
}

// hipReinterpret declares the type of what device memory holds.
func hipReinterpret(c *call, p driver.Ptr, size uint64, kind elementKind) error {
	c.s.device(c.l).SetElement(p, size, driver.ElementNamed(kind.name))
	return nil
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
	if err == nil {
		setElements(c, p, a, driver.Rows{Width: uint64(len(a.raw)), Count: 1})
	}
	c.out(c.s.pointers.value(p))
	return err
}

func hipDownload(c *call, a *Array, p driver.Ptr) error {
	c.out(c.l.Get(1))
	if err := checkElements(c, a, p, driver.Rows{Width: uint64(len(a.raw)), Count: 1}); err != nil {
		return err
	}
	a.beforeFilling(c.fn.Title(), nil)
	return c.s.device(c.l).Read(a.raw, p)
}
