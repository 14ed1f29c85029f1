package replay_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"roclua/hip"
	"roclua/host/recording"
	"roclua/host/replay"
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
	r.runtime("hipFree", value('m', 0x100000))
	r.handle("rocblas_destroy_handle", 1)
	whole := r.w.Bytes()
	chunk := whole[recording.HeaderBytes:]
	used := int(binary.LittleEndian.Uint32(chunk[4:]))
	random := rand.New(rand.NewPCG(1, 2))
	count := 4000
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
			rt, err := hip.Open("cpu", replay.Config([]string{"gfx90a"}))
			if err != nil {
				t.Fatal(err)
			}
			o := replay.Options{Profile: profile, Recorded: name == "rocm-7.2"}
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
