package luabind

import (
	"errors"
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
)

// hip returns the module hip: device memory, streams, events and devices, named as in C less the prefix, and what only
// this program can show: hip.stats, hip.trace and hip.hazards.
func (s *State) hip() *module {
	if s.modHip != nil {
		return s.modHip
	}
	m := s.newModule("hip", append(hipMemory(), hipOrder()...))
	for _, e := range driver.Errors() {
		name := driver.ScriptName(e.Error())
		m.values[name] = s.hipStatus(e)
	}
	for name, value := range driver.Constants() {
		m.values[name] = lua.LNumber(value)
	}
	for name, fn := range map[string]func(*lua.LState) int{"stats": s.hipStats, "trace": s.hipTrace, "hazards": s.hipHazards,
		"upload": s.hipUpload, "download": s.hipDownload} {
		m.values[name] = s.vm.Function("hip."+name, fn)
	}
	s.modHip = m
	return m
}

func hipBinding(name string, outputs int, cName string, run func(c *call) error) *binding {
	return &binding{name: name, outputs: outputs, cName: cName, hip: true, run: run}
}

func hipMemory() []*binding {
	return []*binding{
		hipBinding("malloc", 1, "hipMalloc", func(c *call) error {
			bytes := c.size("size")
			c.end()
			p, err := c.s.device(c.l).Malloc(bytes)
			c.out(c.s.pointer(p))
			return err
		}),
		hipBinding("free", 0, "hipFree", func(c *call) error {
			p := c.pointer("ptr")
			c.end()
			return c.s.device(c.l).Free(p)
		}),
		hipBinding("malloc_async", 1, "hipMallocAsync", func(c *call) error {
			bytes, stream := c.size("size"), c.stream("stream")
			c.end()
			p, err := c.s.device(c.l).MallocAsync(bytes, stream)
			c.out(c.s.pointer(p))
			return err
		}),
		hipBinding("free_async", 0, "hipFreeAsync", func(c *call) error {
			p, stream := c.pointer("ptr"), c.stream("stream")
			c.end()
			return c.s.device(c.l).FreeAsync(p, stream)
		}),
		hipBinding("memcpy", 0, "hipMemcpy", func(c *call) error { return c.memcpy(false) }),
		hipBinding("memcpy_async", 0, "hipMemcpyAsync", func(c *call) error { return c.memcpy(true) }),
		hipBinding("memset", 0, "hipMemset", func(c *call) error { return c.memset(false) }),
		hipBinding("memset_async", 0, "hipMemsetAsync", func(c *call) error { return c.memset(true) }),
		hipBinding("mem_get_info", 2, "hipMemGetInfo", func(c *call) error {
			c.end()
			free, total, err := c.s.device(c.l).MemInfo()
			c.out(lua.LNumber(free))
			c.out(lua.LNumber(total))
			return err
		}),
		hipBinding("mem_pool_trim_to", 0, "hipMemPoolTrimTo", func(c *call) error {
			keep := c.size("min_bytes_to_hold")
			c.end()
			return c.s.device(c.l).TrimPool(keep)
		}),
	}
}

func hipOrder() []*binding {
	return []*binding{
		hipBinding("stream_create", 1, "hipStreamCreate", func(c *call) error { return c.streamCreate(0) }),
		hipBinding("stream_create_with_flags", 1, "hipStreamCreateWithFlags", func(c *call) error {
			return c.streamCreate(c.integer("flags", 0, 1))
		}),
		hipBinding("stream_destroy", 0, "hipStreamDestroy", onStream((*hip.Stream).Destroy)),
		hipBinding("stream_synchronize", 0, "hipStreamSynchronize", onStream((*hip.Stream).Synchronize)),
		hipBinding("stream_query", 0, "hipStreamQuery", onStream((*hip.Stream).Query)),
		hipBinding("stream_wait_event", 0, "hipStreamWaitEvent", func(c *call) error {
			stream, event := c.stream("stream"), c.event("event")
			if c.next <= c.l.GetTop() {
				c.integer("flags", 0, 0)
			}
			c.end()
			return stream.WaitEvent(event)
		}),
		hipBinding("device_synchronize", 0, "hipDeviceSynchronize", func(c *call) error {
			c.end()
			return c.s.device(c.l).Synchronize()
		}),
		hipBinding("event_create", 1, "hipEventCreate", func(c *call) error {
			c.end()
			e, err := c.s.device(c.l).NewEvent()
			c.out(c.s.vm.Object(eventType, &eventBox{e}))
			return err
		}),
		hipBinding("event_record", 0, "hipEventRecord", func(c *call) error {
			event, stream := c.event("event"), c.stream("stream")
			c.end()
			return event.Record(stream)
		}),
		hipBinding("event_synchronize", 0, "hipEventSynchronize", onEvent((*hip.Event).Synchronize)),
		hipBinding("event_query", 0, "hipEventQuery", onEvent((*hip.Event).Query)),
		hipBinding("event_destroy", 0, "hipEventDestroy", onEvent((*hip.Event).Destroy)),
		hipBinding("event_elapsed_time", 1, "hipEventElapsedTime", func(c *call) error {
			start, stop := c.event("start"), c.event("stop")
			c.end()
			ms, err := hip.Elapsed(start, stop)
			c.out(lua.LNumber(ms))
			return err
		}),
		hipBinding("get_device_count", 1, "hipGetDeviceCount", func(c *call) error {
			c.end()
			c.s.needRuntime(c.l)
			c.out(lua.LNumber(c.s.opts.Runtime.DeviceCount()))
			return nil
		}),
		hipBinding("get_device", 1, "hipGetDevice", func(c *call) error {
			c.end()
			c.out(lua.LNumber(c.s.device(c.l).Index()))
			return nil
		}),
		hipBinding("set_device", 0, "hipSetDevice", func(c *call) error {
			i := c.integer("device", math.MinInt32, math.MaxInt32)
			c.end()
			c.s.needRuntime(c.l)
			return c.s.opts.Runtime.SetDevice(int(i))
		}),
		hipBinding("get_device_properties", 1, "hipGetDeviceProperties", deviceProperties),
		hipBinding("device_get_attribute", 1, "hipDeviceGetAttribute", func(c *call) error {
			attribute := c.integer("attribute", math.MinInt32, math.MaxInt32)
			if c.next <= c.l.GetTop() {
				if err := c.checkDevice(); err != nil {
					return err
				}
			}
			c.end()
			value, err := c.s.device(c.l).Attribute(driver.Attribute(attribute))
			c.out(lua.LNumber(value))
			return err
		}),
	}
}

// notReady makes hipErrorNotReady an answer instead of an error: it is what a query is asked for.
func (c *call) notReady(err error) error {
	if errors.Is(err, driver.ErrorNotReady) {
		c.status = c.s.hipStatus(driver.ErrorNotReady)
		return nil
	}
	return err
}

func onStream(do func(*hip.Stream) error) func(c *call) error {
	return func(c *call) error {
		stream := c.stream("stream")
		c.end()
		return c.notReady(do(stream))
	}
}

func onEvent(do func(*hip.Event) error) func(c *call) error {
	return func(c *call) error {
		event := c.event("event")
		c.end()
		return c.notReady(do(event))
	}
}

func (c *call) streamCreate(flags int64) error {
	c.end()
	stream, err := c.s.device(c.l).NewStream(flags == 1)
	if err == nil {
		c.out(c.s.streamObject(stream))
	}
	return err
}

// checkDevice reads a device number and makes sure that there is one.
func (c *call) checkDevice() error {
	c.s.needRuntime(c.l)
	if i := c.integer("device", math.MinInt32, math.MaxInt32); i < 0 || int(i) >= c.s.opts.Runtime.DeviceCount() {
		return driver.ErrorInvalidDevice
	}
	return nil
}

func deviceProperties(c *call) error {
	if c.next <= c.l.GetTop() {
		if err := c.checkDevice(); err != nil {
			return err
		}
	}
	c.end()
	p := c.s.device(c.l).Properties()
	t := c.l.NewTable()
	t.RawSetString("name", lua.LString(p.Name))
	t.RawSetString("gcn_arch_name", lua.LString(p.Arch))
	t.RawSetString("total_global_mem", lua.LNumber(p.MemoryBytes))
	t.RawSetString("warp_size", lua.LNumber(p.WarpSize))
	t.RawSetString("multi_processor_count", lua.LNumber(p.Multiprocessors))
	t.RawSetString("max_threads_per_block", lua.LNumber(p.MaxThreadsPerBlock))
	t.RawSetString("shared_mem_per_block", lua.LNumber(p.SharedMemPerBlock))
	t.RawSetString("clock_rate", lua.LNumber(p.ClockKHz))
	c.out(t)
	return nil
}
