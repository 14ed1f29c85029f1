// Package device has the module hip of scripts: memory, streams, events and graphs of a device, copies to and from host
// arrays, and records of the calls that were made.
package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/engine"
)

// Extension adds the module hip to the engine.
func Extension() engine.Extension {
	return engine.Extension{
		Functions: map[string]engine.Bodies{"hip.": hipFunctions()},
		Readers: map[api.Kind][]any{
			api.Stream:    {readStream},
			api.Event:     {readEvent},
			api.Graph:     {readGraph},
			api.GraphExec: {readGraphExec},
			api.Memory:    {readMemory},
		},
		Types: map[string]func(*engine.Engine){streamType: openStreams, eventType: openStreams, graphType: openGraphs,
			graphExecType: openGraphs},
	}
}

// hipFunctions are the functions of the module hip.
func hipFunctions() engine.Bodies {
	return engine.Bodies{
		"malloc":                              engine.Takes1(hipMalloc),
		"free":                                engine.Takes1(hipFree),
		"malloc_async":                        engine.Takes2(hipMallocAsync),
		"free_async":                          engine.Takes2(hipFreeAsync),
		"mem_get_info":                        engine.Takes0(hipMemGetInfo),
		"mem_pool_trim_to":                    engine.Takes1(hipMemPoolTrimTo),
		"bytes":                               engine.Takes1(hipBytes),
		"memcpy":                              engine.Takes4(hipMemcpy),
		"memcpy_async":                        engine.Takes5(hipMemcpyAsync),
		"memset":                              engine.Takes3(hipMemset),
		"memset_async":                        engine.Takes4(hipMemsetAsync),
		"upload":                              engine.Takes1(hipUpload),
		"download":                            engine.Takes2(hipDownload),
		"reinterpret":                         engine.Takes3(hipReinterpret),
		"stream_create":                       engine.Takes0(hipStreamCreate),
		"stream_create_with_flags":            engine.Takes1(hipStreamCreateWithFlags),
		"stream_destroy":                      engine.Takes1(destroyStream),
		"stream_synchronize":                  polling((*hip.Stream).Synchronize),
		"stream_query":                        polling((*hip.Stream).Query),
		"stream_wait_event":                   engine.Takes3(hipStreamWaitEvent),
		"event_create":                        engine.Takes0(hipEventCreate),
		"event_record":                        engine.Does2((*hip.Event).Record),
		"event_synchronize":                   polling((*hip.Event).Synchronize),
		"event_query":                         polling((*hip.Event).Query),
		"event_destroy":                       polling((*hip.Event).Destroy),
		"event_elapsed_time":                  engine.Takes2(hipEventElapsedTime),
		"stream_begin_capture":                engine.Takes2(hipStreamBeginCapture),
		"stream_end_capture":                  engine.Takes1(hipStreamEndCapture),
		"stream_is_capturing":                 engine.Takes1(hipStreamIsCapturing),
		"stream_get_capture_info":             engine.Takes1(hipStreamGetCaptureInfo),
		"thread_exchange_stream_capture_mode": engine.Takes1(hipThreadExchangeStreamCaptureMode),
		"launch_host_func":                    engine.Takes3(hipLaunchHostFunc),
		"graph_get_nodes":                     engine.Takes1(hipGraphGetNodes),
		"graph_instantiate":                   engine.Takes1(hipGraphInstantiate),
		"graph_launch":                        engine.Takes2(hipGraphLaunch),
		"graph_destroy":                       engine.Takes1(hipGraphDestroy),
		"graph_exec_destroy":                  engine.Takes1(hipGraphExecDestroy),
		"malloc_managed":                      engine.Takes2(hipMallocManaged),
		"mem_pool_set_attribute":              engine.Takes2(hipMemPoolSetAttribute),
		"mem_pool_get_attribute":              engine.Takes1(hipMemPoolGetAttribute),
		"memcpy2d":                            hipMemcpy2D,
		"memcpy2d_async":                      hipMemcpy2D,
		"get_last_error":                      engine.Takes0(hipGetLastError),
		"peek_at_last_error":                  engine.Takes0(hipPeekAtLastError),
		"device_synchronize":                  engine.Takes0(hipDeviceSynchronize),
		"get_device_count":                    engine.Takes0(hipGetDeviceCount),
		"get_device":                          engine.Takes0(hipGetDevice),
		"set_device":                          engine.Takes1(hipSetDevice),
		"get_device_properties":               engine.Takes1(hipGetDeviceProperties),
		"device_get_attribute":                engine.Takes2(hipDeviceGetAttribute),
		"device_can_access_peer":              engine.Takes2(hipDeviceCanAccessPeer),
		"device_enable_peer_access":           engine.Takes2(hipDeviceEnablePeerAccess),
		"device_disable_peer_access":          engine.Takes1(hipDeviceDisablePeerAccess),
		"memcpy_peer":                         engine.Takes5(hipMemcpyPeer),
		"memcpy_peer_async":                   engine.Takes6(hipMemcpyPeerAsync),
		"stats":                               engine.Takes0(hipStats),
		"trace":                               engine.Takes0(hipTrace),
		"hazards":                             engine.Takes0(hipHazards),
		"unwritten_reads":                     engine.Takes0(hipUnwrittenReads),
	}
}

// State is the data of the module hip for one engine.
type State struct {
	streams map[*hip.Stream]*lua.LUserData // userdata of open streams
	fills   map[uint64][]fill              // captured copies to arrays, by the number of the capture
}

// NewState returns the data of an engine whose scripts have not run.
func NewState() *State {
	return &State{streams: map[*hip.Stream]*lua.LUserData{}, fills: map[uint64][]fill{}}
}

func of(c *engine.Call) *State { return c.DeviceState.(*State) }

// Watch returns a function that reports whether device memory, a stream or an event was released since. Memory that was
// allocated at the same address later is other memory.
func Watch(e *engine.Engine, v lua.LValue) (released func() bool) {
	switch o := v.(*lua.LUserData).Value.(type) {
	case *streamBox:
		return o.stream.Destroyed
	case *eventBox:
		return o.event.Destroyed
	case engine.DevicePtr:
		allocation := 0
		e.During(func() { allocation = e.Device().AllocationNumber(driver.Ptr(o)) })
		return func() (gone bool) {
			e.During(func() { gone = e.Device().AllocationNumber(driver.Ptr(o)) != allocation })
			return gone
		}
	}
	panic("device: neither memory, nor a stream, nor an event")
}
