package device

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
)

// copyDefault is hipMemcpyDefault: destination and source determine the direction.
const copyDefault = 4

func hipMemcpy(c *engine.Call, dst, src HostOrDevice, size uint64, kind int64) error {
	return copyMemory(c, memoryCopy{dst, src, size, size, size, 1, kind, nil, true})
}

func hipMemcpyAsync(c *engine.Call, dst, src HostOrDevice, size uint64, kind int64, stream *hip.Stream) error {
	return copyMemory(c, memoryCopy{dst, src, size, size, size, 1, kind, stream, true})
}

// hipMemcpy2D is the body of hip.memcpy2d, and of hip.memcpy2d_async, which has a stream.
func hipMemcpy2D(ps *engine.Parameters) func(*engine.Call) error {
	dst, dstPitch := engine.Argument[HostOrDevice](ps), engine.Argument[uint64](ps)
	src, srcPitch := engine.Argument[HostOrDevice](ps), engine.Argument[uint64](ps)
	width, height, kind := engine.Argument[uint64](ps), engine.Argument[uint64](ps), engine.Argument[int64](ps)
	stream := func(*engine.Call) *hip.Stream { return nil }
	if ps.Next < len(ps.List) {
		stream = engine.Argument[*hip.Stream](ps)
	}
	return func(c *engine.Call) error {
		return copyMemory(c, memoryCopy{dst: dst(c), dstPitch: dstPitch(c), src: src(c), srcPitch: srcPitch(c),
			width: width(c), height: height(c), kind: kind(c), stream: stream(c)})
	}
}

// memoryCopy is a copy of rows. The host waits for a copy without a stream.
type memoryCopy struct {
	dst, src           HostOrDevice
	dstPitch, srcPitch uint64
	width, height      uint64
	kind               int64
	stream             *hip.Stream
	flat               bool // one row, by the functions without pitches
}

// extent returns the bytes from the first row to the end of the last one, at a pitch.
func (m *memoryCopy) extent(pitch uint64) uint64 { return (m.height-1)*pitch + m.width }

// copyMemory makes a copy, whose kind must match destination and source.
func copyMemory(c *engine.Call, m memoryCopy) error {
	if err := checkKind(c, m.kind, m.dst, m.src); err != nil {
		return err
	}
	switch {
	case m.flat:
	case m.width > m.dstPitch || m.width > m.srcPitch:
		return driver.Faultf(driver.ErrorInvalidPitch, "the width %d is larger than a pitch, %d and %d", m.width,
			m.dstPitch, m.srcPitch)
	case m.width == 0 || m.height == 0:
		return nil
	case m.height > uint64(vm.MaxExact)/max(m.dstPitch, m.srcPitch):
		return driver.Faultf(driver.ErrorInvalidValue, "%d rows exceed the address space", m.height)
	}
	checkFits(c, "dst", m.dst, m.extent(m.dstPitch))
	checkFits(c, "src", m.src, m.extent(m.srcPitch))
	if m.dst.Array != nil && m.src.Array != nil {
		m.dst.Array.BeforeUse(c.Fn.Title())
		for i := range m.height {
			copy(m.dst.Array.Raw[i*m.dstPitch:][:m.width], m.src.Array.Raw[i*m.srcPitch:])
		}
		return nil
	}
	return m.run(c)
}

// run makes a copy that the device takes part in.
func (m *memoryCopy) run(c *engine.Call) error {
	captured := CapturedBy(m.stream) != 0 // the content of memory at the launch of the graph is not known
	rows := driver.Rows{Width: m.width, Count: m.height, HostPitch: m.srcPitch, DevicePitch: m.dstPitch}
	if m.dst.Array != nil {
		rows.HostPitch, rows.DevicePitch = m.dstPitch, m.srcPitch
		if err := CheckElements(c, m.dst.Array, m.src.Ptr, rows); err != nil && !captured {
			return err
		}
		m.dst.Array.BeforeFilling(c.Fn.C, m.stream)
	} else if m.src.Array != nil {
		c.VM.Meter().Reserve(c.L, rows.Bytes()) // the device keeps a copy until the stream reads it
	}
	if err := m.transfer(c.Device(), rows); err != nil {
		return err
	}
	if m.dst.Array != nil {
		Filled(c, m.dst.Array, m.stream, m.extent(m.dstPitch))
	} else if !captured {
		SetElements(c, m.dst.Ptr, m.src.Array, rows)
	}
	return nil
}

func (m *memoryCopy) transfer(dev *hip.Device, rows driver.Rows) error {
	to, from := m.dst.Array, m.src.Array
	switch {
	case to != nil && !m.flat:
		return dev.ReadRows(to.Raw, m.src.Ptr, rows, m.stream)
	case to != nil && m.stream != nil:
		return dev.ReadAsync(to.Raw[:m.width], m.src.Ptr, m.stream)
	case to != nil:
		return dev.Read(to.Raw[:m.width], m.src.Ptr)
	case from != nil && !m.flat:
		return dev.WriteRows(m.dst.Ptr, from.Raw, rows, m.stream)
	case from != nil && m.stream != nil:
		return dev.WriteAsync(m.dst.Ptr, from.Raw[:m.width], m.stream)
	case from != nil:
		return dev.Write(m.dst.Ptr, from.Raw[:m.width])
	case !m.flat:
		return dev.CopyRows(m.dst.Ptr, m.src.Ptr, rows, m.stream)
	case m.stream != nil:
		return dev.CopyAsync(m.dst.Ptr, m.src.Ptr, m.width, m.stream)
	}
	return dev.Copy(m.dst.Ptr, m.src.Ptr, m.width)
}

// checkKind returns an error if the kind of a copy does not match destination and source. Managed memory is memory of
// the host and of the device.
func checkKind(c *engine.Call, kind int64, dst, src HostOrDevice) error {
	needed := kindOf(dst, src)
	differs := kind ^ needed
	if kind == copyDefault || (differs&1 == 0 || c.Device().IsManaged(dst.Ptr)) &&
		(differs&2 == 0 || c.Device().IsManaged(src.Ptr)) {
		return nil
	}
	return driver.Faultf(driver.ErrorInvalidMemcpyDir,
		"the kind is hip.%s, but the destination is %s and the source is %s: hip.%s", api.CopyKinds[kind], dst, src,
		api.CopyKinds[needed])
}

// kindOf returns the hipMemcpyKind of a copy.
func kindOf(dst, src HostOrDevice) int64 {
	kind := int64(0)
	if dst.Array == nil {
		kind = 1
	}
	if src.Array == nil {
		kind += 2
	}
	return kind
}

func hipUpload(c *engine.Call, a *array.Array) error {
	dev := c.Device()
	p, err := dev.Malloc(uint64(len(a.Raw)))
	if err == nil {
		err = dev.Write(p, a.Raw)
	}
	if err == nil {
		SetElements(c, p, a, driver.Rows{Width: uint64(len(a.Raw)), Count: 1})
	}
	return c.Return(err, c.Pointer(p))
}

func hipDownload(c *engine.Call, part array.InPart, p driver.Ptr) error {
	a := part.Array
	c.Out(c.L.Get(1))
	if to := a.Managed(); to != 0 {
		return c.Device().Copy(to, p, uint64(len(a.Raw)))
	}
	a.CheckWritable(c, "array")
	if err := CheckElements(c, a, p, driver.Rows{Width: uint64(len(a.Raw)), Count: 1}); err != nil {
		return err
	}
	a.BeforeFilling(c.Fn.Title(), nil)
	return c.Device().Read(a.Raw, p)
}

// hipReinterpret sets the type of the elements of device memory.
func hipReinterpret(c *engine.Call, p driver.Ptr, size uint64, kind array.ElementKind) error {
	c.Device().SetElement(p, driver.Row(size), driver.ElementNamed(kind.Name))
	return nil
}

func hipMemcpyPeer(c *engine.Call, dst driver.Ptr, dstDevice int64, src driver.Ptr, srcDevice int64,
	size uint64) error {
	return c.Device().CopyPeer(dst, src, size, hip.Peers{Dst: int(dstDevice), Src: int(srcDevice)}, nil)
}

func hipMemcpyPeerAsync(c *engine.Call, dst driver.Ptr, dstDevice int64, src driver.Ptr, srcDevice int64, size uint64,
	stream *hip.Stream) error {
	return c.Device().CopyPeer(dst, src, size, hip.Peers{Dst: int(dstDevice), Src: int(srcDevice)}, stream)
}
