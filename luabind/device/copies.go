package device

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
)

// copyDefault is hipMemcpyDefault: destination and source determine the direction.
const copyDefault = 4

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
