package luabind_test

import (
	"context"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
)

// runOnDevices runs a script on devices of two architectures.
func runOnDevices(t *testing.T, source string, c record.Case) *record.Record {
	t.Helper()
	script, err := luabind.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return runOn(t, context.Background(), script, c,
		driver.Config{Archs: []string{"gfx90a", "gfx942"}, MemoryBytes: 1 << 30})
}

// ofDevices begins scripts: eight numbers on device 0, and room for them on each device.
const ofDevices = `
	local numbers = array.zeros("d", 8)
	numbers:fill(3)
	local have = array.zeros("d", 8)
	local a = hip.upload(numbers)
	local room = { [0] = hip.malloc(64) }
	hip.set_device(1)
	room[1] = hip.malloc(64)
	hip.set_device(0)
`

// TestDevices runs scripts on two devices. An error of a script starts with what it wants.
func TestDevices(t *testing.T) {
	for _, test := range []struct{ name, script, err, problem string }{
		{name: "properties", script: `
			assert(hip.get_device_count() == 2 and hip.get_device() == 0)
			assert(hip.get_device_properties().gcn_arch_name == "gfx90a")
			assert(hip.get_device_properties(1).gcn_arch_name == "gfx942")
			local units = hip.device_attribute_multiprocessor_count
			assert(hip.device_get_attribute(units, 1) == hip.get_device_properties(1).multi_processor_count)
			assert(hip.device_get_attribute(units) ~= hip.device_get_attribute(units, 1))
			hip.set_device(1)
			assert(hip.get_device_properties().gcn_arch_name == "gfx942" and hip.get_device() == 1)`},
		{name: "no device", script: `hip.get_device_properties(2)`,
			err: "hipGetDeviceProperties: hipErrorInvalidDevice: there is no device 2, the devices are 0 to 1"},
		{name: "last error", script: `
			local _, status = hip.try.device_get_attribute(hip.device_attribute_warp_size, -1)
			assert(status == hip.error_invalid_device and hip.get_last_error() == status)`},
		{name: "set_device", script: `hip.set_device(2)`, err: "hipSetDevice: hipErrorInvalidDevice"},
		{name: "memory", script: `
			hip.set_device(1)
			local free, total = hip.mem_get_info()
			local p = hip.malloc(total - 2^20)
			assert(hip.mem_get_info() == free - (total - 2^20))
			hip.set_device(0)
			assert(hip.mem_get_info() == total)
			hip.free(p) -- of the other device
			hip.set_device(1)
			assert(hip.mem_get_info() == free)`},
		{name: "capacity", script: `
			local _, total = hip.mem_get_info()
			local p = hip.malloc(total)
			local _, status, details = hip.try.malloc(1)
			assert(status == hip.error_out_of_memory)
			hip.set_device(1)
			local q = hip.malloc(total)
			hip.free(p)
			hip.malloc(1)`, err: "hipMalloc: hipErrorOutOfMemory: hipMalloc of 1 bytes: device 1 has 0 of 1073741824"},
		{name: "copies", script: ofDevices + `
			assert(hip.memcpy(room[1], a, 64) == hip.success)
			assert(hip.download(have, room[1])[8] == 3)
			hip.memcpy_peer(room[0], 0, room[1], 1, 64)
			assert(hip.download(have, room[0])[1] == 3)
			hip.set_device(1)
			local s = hip.stream_create_with_flags(hip.stream_non_blocking)
			hip.memset_async(room[1], 0, 64, s)
			hip.memcpy_peer_async(room[0], 0, room[1], 1, 64, s)
			hip.memcpy(have, room[0], 64) -- does not wait for the stream
			hip.stream_destroy(s)
			hip.free(a) hip.free(room[0]) hip.free(room[1])`,
			problem: "hazard: hipMemcpy in stream 0 of device 1"},
		{name: "a peer that does not exist", script: ofDevices + `hip.memcpy_peer(room[1], 1, a, 2, 64)`,
			err: "hipMemcpyPeer: hipErrorInvalidDevice: there is no device 2"},
		{name: "a copy after a blocking stream of the other device", script: ofDevices + `
			hip.set_device(1)
			local s = hip.stream_create()
			hip.memset_async(room[1], 0, 64, s)
			hip.set_device(0)
			hip.memcpy(room[0], room[1], 64)
			hip.set_device(1)
			hip.memset_async(room[1], 1, 64, s)
			hip.stream_synchronize(s)
			hip.stream_destroy(s)
			hip.free(a) hip.free(room[0]) hip.free(room[1])`},
		{name: "a copy after a non-blocking stream of the other device", script: ofDevices + `
			hip.set_device(1)
			local s = hip.stream_create_with_flags(hip.stream_non_blocking)
			hip.memset_async(room[1], 0, 64, s)
			hip.set_device(0)
			hip.memcpy(room[0], room[1], 64)
			hip.stream_destroy(s)
			hip.free(a) hip.free(room[0]) hip.free(room[1])`,
			problem: "hazard: hipMemcpy in stream 0 (test.lua:15) uses memory that hipMemsetAsync"},
		{name: "events order devices", script: ofDevices + `
			local s = hip.stream_create_with_flags(hip.stream_non_blocking)
			hip.set_device(1)
			local r = hip.stream_create_with_flags(hip.stream_non_blocking)
			local e = hip.event_create()
			hip.memset_async(room[1], 0, 64, r)
			hip.event_record(e, r)
			hip.set_device(0)
			hip.stream_wait_event(s, e)
			hip.memcpy_async(room[0], room[1], 64, hip.memcpy_default, s)
			hip.stream_synchronize(s)
			hip.stream_destroy(s) hip.stream_destroy(r) hip.event_destroy(e)
			hip.free(a) hip.free(room[0]) hip.free(room[1])`},
		{name: "an event in a stream of another device", script: `
			local e = hip.event_create()
			hip.set_device(1)
			hip.event_record(e, hip.stream_create())`,
			err: "hipEventRecord: hipErrorInvalidHandle: an event of device 0 cannot be recorded in stream 1"},
		{name: "times of two devices", script: `
			local e = hip.event_create()
			hip.event_record(e)
			hip.set_device(1)
			local f = hip.event_create()
			hip.event_record(f)
			hip.event_elapsed_time(e, f)`,
			err: "hipEventElapsedTime: hipErrorInvalidHandle: the events belong to devices 0 and 1"},
		{name: "device_synchronize", script: ofDevices + `
			hip.set_device(1)
			local s = hip.stream_create()
			hip.memset_async(room[1], 0, 64, s)
			hip.set_device(0)
			hip.device_synchronize() -- not for device 1
			hip.memset(room[1], 0, 64)
			hip.set_device(1)
			hip.device_synchronize()
			hip.stream_destroy(s)
			hip.free(a) hip.free(room[0]) hip.free(room[1])`},
		{name: "pools", script: `
			hip.set_device(1)
			local s = hip.stream_create()
			hip.set_device(0)
			local p = hip.malloc_async(64, s) -- from the pool of the stream's device
			local stats = hip.stats()
			assert(stats.live_bytes == 64 and stats.devices[1].live_bytes == 64 and stats.devices[0].live_bytes == 0)
			hip.free_async(p, s)
			hip.stream_destroy(s)`},
		{name: "a kernel with memory of another device", script: ofDevices + `
			hip.set_device(1)
			local h = rocblas.create_handle()
			rocblas.dscal(h, 8, 2, a, 1)
			hip.device_synchronize()`,
			err: "hipDeviceSynchronize: hipErrorIllegalAddress: rocblas_dscal at test.lua:13 on device 1 needs"},
		{name: "peer access", script: ofDevices + `
			assert(hip.device_can_access_peer(0, 1) and not hip.device_can_access_peer(1, 1))
			hip.set_device(1)
			hip.device_enable_peer_access(0)
			assert(hip.try.device_enable_peer_access(0) == hip.error_peer_access_already_enabled)
			assert(hip.try.device_enable_peer_access(1) == hip.error_invalid_device)
			assert(hip.try.device_enable_peer_access(2) == hip.error_invalid_device)
			local h = rocblas.create_handle()
			rocblas.dscal(h, 8, 2, a, 1)
			assert(hip.download(have, a)[1] == 6)
			hip.device_disable_peer_access(0)
			assert(hip.try.device_disable_peer_access(0) == hip.error_peer_access_not_enabled)
			rocblas.dscal(h, 8, 2, a, 1)
			hip.device_synchronize()`, err: "hipDeviceSynchronize: hipErrorIllegalAddress"},
		{name: "peer access to a pool", script: `
			local p = hip.malloc_async(64, nil)
			hip.memset(p, 0, 64)
			hip.set_device(1)
			hip.device_enable_peer_access(0)
			local h = rocblas.create_handle()
			rocblas.dscal(h, 8, 2, p, 1)
			hip.device_synchronize()`, err: "hipDeviceSynchronize: hipErrorIllegalAddress"},
		{name: "managed memory", script: `
			local p = hip.malloc_managed(64)
			hip.memset(p, 0, 64)
			hip.set_device(1)
			local h = rocblas.create_handle()
			rocblas.dscal(h, 8, 2, p, 1)
			hip.device_synchronize()
			rocblas.destroy_handle(h) hip.free(p)`},
		{name: "results of Jacobi's method", script: `
			local hipsolver = require "hipsolver"
			local h, info = rocblas.create_handle(), hipsolver.CreateSyevjInfo()
			hip.set_device(1)
			local p = hip.malloc(2^20)
			hip.memset(p, 0, 2^20)
			local before = hip.stats().devices
			hipsolver.DnDsyevjBatched(h, 201, 121, 2, p, 2, p + 1024, p + 4096, 2^18, p + 2048, info, 1)
			local after = hip.stats().devices
			for d, want in pairs { [0] = 0, 1 } do
				assert(after[d].calls.hipMalloc - before[d].calls.hipMalloc == want)
			end
			hipsolver.DestroySyevjInfo(info)
			rocblas.destroy_handle(h)
			hip.free(p)`},
		{name: "counts", script: ofDevices + `
			local stats = hip.stats()
			assert(stats.calls.hipMalloc == 3)
			assert(stats.devices[0].calls.hipMalloc == 2 and stats.devices[1].calls.hipMalloc == 1)
			assert(stats.devices[0].peak_bytes == 128 and stats.devices[1].live_bytes == 64)
			local calls = hip.trace()
			assert(calls[#calls].call == "hipSetDevice" and calls[#calls].device == 0) -- the new one
			hip.free(a) hip.free(room[0])`, problem: "leak: 64 bytes of device memory on device 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := runOnDevices(t, prelude+test.script, record.Case{})
			have := ""
			if rec.End != nil {
				have = rec.End.Message
			}
			if test.err == "" && have != "" || !strings.HasPrefix(have, test.err) {
				t.Errorf("ended by %q, want %q", have, test.err)
			}
			problems := strings.Join(rec.Problems, "\n")
			if test.err == "" && (problems != "") != (test.problem != "") || !strings.Contains(problems, test.problem) {
				t.Errorf("problems %q, want %q", problems, test.problem)
			}
		})
	}
}
