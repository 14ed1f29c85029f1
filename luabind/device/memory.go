package device

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/units"
	"roclua/luabind/engine"
)

func hipMalloc(c *engine.Call, size uint64) error {
	p, err := c.Device().Malloc(size)
	return c.Return(err, c.Pointer(p))
}

func hipFree(c *engine.Call, p driver.Ptr) error { return c.Device().Free(p) }

func hipMallocAsync(c *engine.Call, size uint64, stream *hip.Stream) error {
	p, err := c.Device().MallocAsync(size, stream)
	return c.Return(err, c.Pointer(p))
}

func hipFreeAsync(c *engine.Call, p driver.Ptr, stream *hip.Stream) error {
	return c.Device().FreeAsync(p, stream)
}

func hipMemGetInfo(c *engine.Call) error {
	free, total, err := c.Device().MemInfo()
	return c.Return(err, lua.LNumber(free), lua.LNumber(total))
}

func hipMemPoolTrimTo(c *engine.Call, keep uint64) error { return c.Device().TrimPool(keep) }

func hipBytes(c *engine.Call, text string) error {
	n, err := units.ParseInt(text)
	if err == nil && n < 0 {
		err = errors.New("the size is negative")
	}
	if err != nil {
		c.Bad("size", "%s", err)
	}
	return c.Return(nil, lua.LNumber(n))
}

func hipMallocManaged(c *engine.Call, size uint64, _ int64) error {
	p, err := c.Device().MallocManaged(size)
	return c.Return(err, c.Pointer(p))
}

func hipMemPoolSetAttribute(c *engine.Call, attribute int64, value uint64) error {
	return c.Device().SetPoolAttribute(driver.PoolAttribute(attribute), value)
}

func hipMemPoolGetAttribute(c *engine.Call, attribute int64) error {
	value, err := c.Device().PoolAttribute(driver.PoolAttribute(attribute))
	return c.Return(err, lua.LNumber(value))
}

func hipMemset(c *engine.Call, dst driver.Ptr, value int64, size uint64) error {
	return c.Device().Fill(dst, byte(value), size)
}

func hipMemsetAsync(c *engine.Call, dst driver.Ptr, value int64, size uint64, stream *hip.Stream) error {
	return c.Device().FillAsync(dst, byte(value), size, stream)
}
