package device

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
)

func hipMemcpy2D(c *engine.Call, dst HostOrDevice, dpitch uint64, src HostOrDevice, spitch, width, height uint64,
	kind int64) error {
	return copyRows(c, rowCopy{dst, src, dpitch, spitch, width, height, kind, nil})
}

func hipMemcpy2DAsync(c *engine.Call, dst HostOrDevice, dpitch uint64, src HostOrDevice, spitch, width, height uint64,
	kind int64, stream *hip.Stream) error {
	return copyRows(c, rowCopy{dst, src, dpitch, spitch, width, height, kind, stream})
}

// rowCopy is a copy of rows. The host waits for a copy without a stream.
type rowCopy struct {
	dst, src           HostOrDevice
	dstPitch, srcPitch uint64
	width, height      uint64
	kind               int64
	stream             *hip.Stream
}

// extent returns the bytes from the first row to the end of the last one, at a pitch.
func (r *rowCopy) extent(pitch uint64) uint64 { return (r.height-1)*pitch + r.width }

func copyRows(c *engine.Call, r rowCopy) error {
	if err := checkKind(c, r.kind, r.dst, r.src); err != nil {
		return err
	}
	switch {
	case r.width > r.dstPitch || r.width > r.srcPitch:
		return driver.Faultf(driver.ErrorInvalidPitch, "the width %d is larger than a pitch, %d and %d", r.width,
			r.dstPitch, r.srcPitch)
	case r.width == 0 || r.height == 0:
		return nil
	case r.height > uint64(vm.MaxExact)/max(r.dstPitch, r.srcPitch):
		return driver.Faultf(driver.ErrorInvalidValue, "%d rows exceed the address space", r.height)
	}
	checkFits(c, "dst", r.dst, r.extent(r.dstPitch))
	checkFits(c, "src", r.src, r.extent(r.srcPitch))
	return r.run(c)
}

func (r *rowCopy) run(c *engine.Call) error {
	dev := c.Device()
	captured := CapturedBy(r.stream) != 0
	rows := driver.Rows{Width: r.width, Count: r.height, HostPitch: r.dstPitch, DevicePitch: r.srcPitch}
	switch {
	case r.dst.Array != nil && r.src.Array != nil:
		r.dst.Array.BeforeUse(c.Fn.Title())
		for i := range r.height {
			copy(r.dst.Array.Raw[i*r.dstPitch:][:r.width], r.src.Array.Raw[i*r.srcPitch:])
		}
		return nil
	case r.dst.Array != nil:
		if err := CheckElements(c, r.dst.Array, r.src.Ptr, rows); err != nil && !captured {
			return err
		}
		r.dst.Array.BeforeFilling(c.Fn.C, r.stream)
		err := dev.ReadRows(r.dst.Array.Raw, r.src.Ptr, rows, r.stream)
		if err == nil {
			Filled(c, r.dst.Array, r.stream, r.extent(r.dstPitch))
		}
		return err
	case r.src.Array == nil:
		rows.HostPitch, rows.DevicePitch = r.srcPitch, r.dstPitch
		return dev.CopyRows(r.dst.Ptr, r.src.Ptr, rows, r.stream)
	}
	rows.HostPitch, rows.DevicePitch = r.srcPitch, r.dstPitch
	c.VM.Meter().Reserve(c.L, rows.Bytes())
	err := dev.WriteRows(r.dst.Ptr, r.src.Array.Raw, rows, r.stream)
	if err == nil && !captured {
		SetElements(c, r.dst.Ptr, r.src.Array, rows)
	}
	return err
}
