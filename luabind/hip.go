package luabind

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/units"
)

// hipFunctions are the functions of the module hip.
var hipFunctions = bodies{
	"malloc":                              takes1(hipMalloc),
	"free":                                takes1(hipFree),
	"malloc_async":                        takes2(hipMallocAsync),
	"free_async":                          takes2(hipFreeAsync),
	"mem_get_info":                        takes0(hipMemGetInfo),
	"mem_pool_trim_to":                    takes1(hipMemPoolTrimTo),
	"bytes":                               takes1(hipBytes),
	"memcpy":                              takes4(hipMemcpy),
	"memcpy_async":                        takes5(hipMemcpyAsync),
	"memset":                              takes3(hipMemset),
	"memset_async":                        takes4(hipMemsetAsync),
	"upload":                              takes1(hipUpload),
	"download":                            takes2(hipDownload),
	"reinterpret":                         takes3(hipReinterpret),
	"stream_create":                       takes0(hipStreamCreate),
	"stream_create_with_flags":            takes1(hipStreamCreateWithFlags),
	"stream_destroy":                      takes1(destroyStream),
	"stream_synchronize":                  takes1(onStream((*hip.Stream).Synchronize)),
	"stream_query":                        takes1(onStream((*hip.Stream).Query)),
	"stream_wait_event":                   takes3(hipStreamWaitEvent),
	"event_create":                        takes0(hipEventCreate),
	"event_record":                        takes2(hipEventRecord),
	"event_synchronize":                   takes1(onEvent((*hip.Event).Synchronize)),
	"event_query":                         takes1(onEvent((*hip.Event).Query)),
	"event_destroy":                       takes1(onEvent((*hip.Event).Destroy)),
	"event_elapsed_time":                  takes2(hipEventElapsedTime),
	"stream_begin_capture":                takes2(hipStreamBeginCapture),
	"stream_end_capture":                  takes1(hipStreamEndCapture),
	"stream_is_capturing":                 takes1(hipStreamIsCapturing),
	"stream_get_capture_info":             takes1(hipStreamGetCaptureInfo),
	"thread_exchange_stream_capture_mode": takes1(hipThreadExchangeStreamCaptureMode),
	"launch_host_func":                    takes3(hipLaunchHostFunc),
	"graph_get_nodes":                     takes1(hipGraphGetNodes),
	"graph_instantiate":                   takes1(hipGraphInstantiate),
	"graph_launch":                        takes2(hipGraphLaunch),
	"graph_destroy":                       takes1(hipGraphDestroy),
	"graph_exec_destroy":                  takes1(hipGraphExecDestroy),
	"malloc_managed":                      takes2(hipMallocManaged),
	"mem_pool_set_attribute":              takes2(hipMemPoolSetAttribute),
	"mem_pool_get_attribute":              takes1(hipMemPoolGetAttribute),
	"memcpy2d":                            takes7(hipMemcpy2D),
	"memcpy2d_async":                      takes8(hipMemcpy2DAsync),
	"get_last_error":                      takes0(hipGetLastError),
	"peek_at_last_error":                  takes0(hipPeekAtLastError),
	"device_synchronize":                  takes0(hipDeviceSynchronize),
	"get_device_count":                    takes0(hipGetDeviceCount),
	"get_device":                          takes0(hipGetDevice),
	"set_device":                          takes1(hipSetDevice),
	"get_device_properties":               takes1(hipGetDeviceProperties),
	"device_get_attribute":                takes2(hipDeviceGetAttribute),
	"stats":                               takes0(hipStats),
	"trace":                               takes0(hipTrace),
	"hazards":                             takes0(hipHazards),
	"unwritten_reads":                     takes0(hipUnwrittenReads),
}

func hipMalloc(c *call, size uint64) error {
	p, err := c.s.device(c.l).Malloc(size)
	c.out(c.s.pointers.value(p))
	return err
}

func hipFree(c *call, p driver.Ptr) error { return c.s.device(c.l).Free(p) }

func hipMallocAsync(c *call, size uint64, stream *hip.Stream) error {
	p, err := c.s.device(c.l).MallocAsync(size, stream)
	c.out(c.s.pointers.value(p))
	return err
}

func hipFreeAsync(c *call, p driver.Ptr, stream *hip.Stream) error {
	return c.s.device(c.l).FreeAsync(p, stream)
}

func hipMemGetInfo(c *call) error {
	free, total, err := c.s.device(c.l).MemInfo()
	c.out(lua.LNumber(free))
	c.out(lua.LNumber(total))
	return err
}

func hipMemPoolTrimTo(c *call, keep uint64) error { return c.s.device(c.l).TrimPool(keep) }

func hipBytes(c *call, text string) error {
	n, err := units.ParseInt(text)
	if err == nil && n < 0 {
		err = errors.New("the size is negative")
	}
	if err != nil {
		c.bad("size", "%s", err)
	}
	c.out(lua.LNumber(n))
	return nil
}

func hipDeviceSynchronize(c *call) error { return c.s.device(c.l).Synchronize() }

func hipGetDeviceCount(c *call) error {
	c.s.needRuntime(c.l)
	c.out(lua.LNumber(c.s.opts.Runtime.DeviceCount()))
	return nil
}

func hipGetDevice(c *call) error {
	c.out(lua.LNumber(c.s.device(c.l).Index()))
	return nil
}

func hipSetDevice(c *call, device int64) error {
	c.s.needRuntime(c.l)
	return c.s.opts.Runtime.SetDevice(int(device))
}

// checkDevice returns an error if there is no device of a number. Properties and attributes are those of the current
// device, which all devices share.
func (c *call) checkDevice(device option[int64]) error {
	c.s.needRuntime(c.l)
	if !device.given {
		return nil
	}
	return c.s.opts.Runtime.CheckDevice(int(device.value))
}

func hipDeviceGetAttribute(c *call, attribute int64, device option[int64]) error {
	if err := c.checkDevice(device); err != nil {
		return err
	}
	value, err := c.s.device(c.l).Attribute(driver.Attribute(attribute))
	c.out(lua.LNumber(value))
	return err
}

func hipGetDeviceProperties(c *call, device option[int64]) error {
	if err := c.checkDevice(device); err != nil {
		return err
	}
	p := c.s.device(c.l).Properties()
	t := c.s.record("properties")
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
