package replay_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"roclua/hip"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/internal/randomtest"
	"roclua/workspace"
)

// TestMutations replays damaged recordings on the recorded release and on another one. Nothing panics, and what could
// not be read is not passed over.
func TestMutations(t *testing.T) {
	r := newTape(t)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
	r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
	r.create(1, 0x1000)
	r.handle("rocblas_set_stream", 1, value('s', 1))
	r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 32<<20))
	r.runtime("hipStreamBeginCapture", value('s', 1), value('i', 0))
	r.arrays = map[string]int64{"A": 0x2100000, "B": 0x3100000}
	r.solve(1, 500, 1, 0)
	r.runtime("hipStreamEndCapture", value('s', 1), value('G', 1))
	r.runtime("hipGraphInstantiate", value('G', 2), value('g', 1))
	r.runtime("hipGraphLaunch", value('g', 2), value('s', 1))
	r.in("hipblasDtrsm", func() { r.solve(1, 600, 1, 0) })
	r.runtime("hipEventRecord", value('e', 1), value('s', 1))
	r.runtime("hipMemcpyAsync", value('m', 0x100000), value('m', 0x200000), value('z', 64), value('i', 3),
		value('s', 1))
	r.runtime("hipEventSynchronize", value('e', 1))
	r.routine("rocblas_ddot", 1, 100, 1, 0)
	r.runtime("hipGraphCreate", value('G', 3), value('u', 0))
	r.runtime("hipGraphAddChildGraphNode", value('O', 1), value('g', 3), value('p', 0), value('z', 0), value('g', 1))
	r.runtime("hipGraphAddMemcpyNode1D", value('O', 1), value('g', 3), value('p', 0), value('z', 0),
		value('m', 0x100000), value('m', 0x200000), value('z', 64), value('i', 3))
	r.runtime("hipGraphClone", value('G', 4), value('g', 3))
	r.runtime("hipGraphExecUpdate", value('g', 2), value('g', 4), value('p', 0), value('I', 0))
	r.runtime("hipGraphLaunch", value('g', 2), value('s', 1))
	r.runtime("hipGraphDestroy", value('g', 3))
	r.runtime("hipStreamWriteValue32", value('s', 1), value('m', 0x9000), value('u', 7), value('u', 0))
	r.runtime("hipStreamWaitValue32", value('s', 0), value('m', 0x9000), value('u', 5), value('u', 0), value('u', 255))
	r.runtime("hipExtModuleLaunchKernel", value('p', 0), value('s', 1), value('e', 2), value('e', 4))
	r.runtime("hipMemMap", value('m', 0x8000000), value('z', 1<<20), value('z', 0), value('m', 0x77))
	r.runtime("hipMemset2DAsync", value('m', 0x8000000), value('z', 512), value('i', 0), value('z', 100), value('z', 8),
		value('s', 1))
	r.runtime("hipMemUnmap", value('m', 0x8000000), value('z', 1<<20))
	r.in("hipsolverDgeqrf_bufferSize", func() {}, value('h', 1), value('i', 500), value('i', 500), value('m', 0),
		value('i', 500), value('I', 263168))
	r.in("hipsolverDgeqrf", func() {
		r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 263168))
		r.routine("rocsolver_dgeqrf", 1, 500, 1, 0)
	}, value('h', 1), value('i', 500), value('i', 500), value('m', 0), value('i', 500), value('m', 0),
		value('m', 0x100000), value('i', 263168), value('m', 0))
	r.in("hipblasDtrsm", func() {
		r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 263168))
	})
	r.runtime("hipFree", value('m', 0x100000))
	r.handle("rocblas_destroy_handle", 1)
	r.runtime("hipDeviceReset")
	whole := r.w.Bytes()
	chunk := whole[recording.HeaderBytes:]
	used := int(binary.LittleEndian.Uint32(chunk[4:]))
	random := randomtest.New(t)
	count := 800
	if testing.Short() {
		count = 400
	}
	for range count {
		data := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			at := recording.HeaderBytes + random.IntN(used)
			data[at] = byte(random.IntN(256))
		}
		if random.IntN(8) == 0 {
			data = data[:recording.HeaderBytes+random.IntN(used)]
		}
		f, err := recording.New(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			continue
		}
		for _, name := range []string{"rocm-7.2", "rocm-6.4"} {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			devices := replay.Config([]string{"gfx90a"})
			if name == "rocm-6.4" {
				devices = replay.Devices(f, config.Target{DeviceMemory: config.DefaultDeviceMemory()}, false)
			}
			rt, err := hip.Open("cpu", devices)
			if err != nil {
				t.Fatal(err)
			}
			o := replay.Options{Profile: profile, Recorded: name == "rocm-7.2"}
			if random.IntN(4) == 0 {
				o.Recorded, o.Scheme = false, workspace.Schemes[random.IntN(len(workspace.Schemes))]
			}
			result, err := replay.Run(t.Context(), f, rt, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Problems) > 0 && len(result.Gaps()) == 0 {
				t.Errorf("problems %q are not reported", f.Problems)
			}
			rt.Close()
		}
	}
}
