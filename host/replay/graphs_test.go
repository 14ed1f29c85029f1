package replay_test

import (
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/workspace/status"
)

// TestGraphs launches graphs that other functions made of a captured one, after the workspace of its call was freed.
func TestGraphs(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(*tape) // makes the executable graph 9 of the graph 1
	}{
		{"clone", func(r *tape) {
			r.runtime("hipGraphClone", value('G', 2), value('g', 1))
			r.runtime("hipGraphDestroy", value('g', 1))
			r.runtime("hipGraphInstantiateWithFlags", value('G', 9), value('g', 2), value('l', 0))
		}},
		{"child", func(r *tape) {
			r.runtime("hipGraphCreate", value('G', 2), value('u', 0))
			r.runtime("hipGraphAddChildGraphNode", value('O', 1), value('g', 2), value('p', 0), value('z', 0),
				value('g', 1))
			r.runtime("hipGraphInstantiateWithParams", value('G', 9), value('g', 2), value('p', 1))
		}},
		{"update", func(r *tape) {
			r.runtime("hipGraphCreate", value('G', 2), value('u', 0))
			r.runtime("hipGraphInstantiate", value('G', 9), value('g', 2))
			r.runtime("hipGraphExecUpdate", value('g', 9), value('g', 1), value('p', 0), value('I', 0))
		}},
		{"copy", func(r *tape) {
			r.runtime("hipGraphCreate", value('G', 2), value('u', 0))
			r.runtime("hipGraphAddMemcpyNode1D", value('O', 1), value('g', 2), value('p', 0), value('z', 0),
				value('m', 0x100000), value('m', 0x200000), value('z', 64), value('i', 3))
			r.runtime("hipGraphInstantiate", value('G', 9), value('g', 2))
		}},
		{"into", func(r *tape) {
			r.runtime("hipGraphCreate", value('G', 2), value('u', 0))
			r.runtime("hipStreamBeginCaptureToGraph", value('s', 1), value('g', 2), value('p', 0), value('p', 0),
				value('z', 0), value('i', 2))
			r.solve(1, 1000, 1, 0)
			r.runtime("hipStreamEndCapture", value('s', 1), value('G', 3))
			r.runtime("hipGraphInstantiate", value('G', 9), value('g', 3))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, freed := range []bool{false, true} {
				r := newTape(t)
				r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
				r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
				r.create(1, 0x1000)
				r.handle("rocblas_set_stream", 1, value('s', 1))
				r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 64<<20))
				r.runtime("hipStreamBeginCapture", value('s', 1), value('i', 2))
				r.solve(1, 1000, 1, 0)
				r.runtime("hipStreamEndCapture", value('s', 1), value('G', 1))
				test.make(r)
				if freed {
					r.runtime("hipFree", value('m', 0x100000))
				}
				r.runtime("hipGraphLaunch", value('g', 9), value('s', 1))
				r.runtime("hipGraphExecDestroy", value('g', 9))
				result := r.run()
				found := func(f *replay.Finding) bool { return f.Code == replay.GraphFreed }
				if slices.ContainsFunc(result.Findings, found) != freed || len(result.Failures) > 0 {
					t.Errorf("freed: %v; findings %+v, failures %+v", freed, result.Findings, result.Failures)
				}
			}
		})
	}
}

// TestValues orders streams by values in memory, and by the events of a launch, and maps memory to addresses.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		about   string
		between func(*tape)
		ordered bool
		gap     string
	}{
		{"value", func(r *tape) {
			r.runtime("hipStreamWriteValue32", value('s', 1), value('m', 0x9000), value('u', 7), value('u', 0))
			r.runtime("hipStreamWaitValue32", value('s', 2), value('m', 0x9000), value('u', 5), value('u', 0),
				value('u', 1<<32-1))
		}, true, ""},
		{"other value", func(r *tape) {
			r.runtime("hipStreamWriteValue64", value('s', 1), value('m', 0x9000), value('l', 7), value('u', 0))
			r.runtime("hipStreamWaitValue64", value('s', 2), value('m', 0x9000), value('l', 8), value('u', 1),
				value('l', -1))
		}, false, "1 call of hipStreamWaitValue64 is not followed: no stream has written the value"},
		{"launch", func(r *tape) {
			r.runtime("hipExtModuleLaunchKernel", value('p', 0), value('s', 1), value('e', 0), value('e', 4))
			r.runtime("hipStreamWaitEvent", value('s', 2), value('e', 4), value('u', 0))
		}, true, ""},
		{"batch", func(r *tape) {
			r.runtime("hipStreamBatchMemOp", value('s', 1), value('u', 1), value('p', 0), value('u', 0))
		}, false, "1 call of hipStreamBatchMemOp is not followed: the operations, nodes or arguments are in memory " +
			"that is not recorded"},
		{"copy that waits", func(r *tape) { r.runtime("hipMemcpyToSymbol", value('p', 0), value('p', 0)) }, false, ""},
		{"reset", func(r *tape) { r.runtime("hipDevicePrimaryCtxReset", value('i', 0)) }, true, ""},
	} {
		r := newTape(t)
		r.runtime("hipMemAddressReserve", value('M', 0x100000), value('z', 64<<20))
		r.runtime("hipMemMap", value('m', 0x100000), value('z', 64<<20), value('z', 0), value('m', 0x77))
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
		r.runtime("hipStreamCreateWithFlags", value('S', 2), value('u', 1))
		r.create(1, 0x1000)
		if test.about != "reset" {
			r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 64<<20))
		}
		r.solve(1, 1000, 1, 0)
		test.between(r)
		r.solve(1, 1000, 2, 0)
		if test.about != "reset" {
			r.handle("rocblas_set_workspace", 1, value('m', 0), value('z', 0))
		}
		r.runtime("hipMemUnmap", value('m', 0x100000), value('z', 64<<20))
		result := r.run()
		if test.ordered {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Unordered, 4, "it uses the workspace on stream 2")
		}
		gaps := result.Gaps()
		if test.gap == "" && len(gaps) > 0 || test.gap != "" && !slices.Contains(gaps, test.gap) {
			t.Errorf("%s: gaps %q, want %q", test.about, gaps, test.gap)
		}
		if result.Broken.All > 0 {
			t.Errorf("%s: failures %+v", test.about, result.Failures)
		}
	}
}

// TestCaptureModes exchanges the mode of a thread during a capture: an allocation invalidates the capture unless the
// mode is relaxed. A recording has the mode before each call.
func TestCaptureModes(t *testing.T) {
	const unsupported = 900 // hipErrorStreamCaptureUnsupported
	for mode, want := range map[driver.CaptureMode]status.Status{driver.CaptureThreadLocal: unsupported,
		driver.CaptureRelaxed: 0} {
		r := newTape(t)
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
		r.runtime("hipStreamBeginCapture", value('s', 1), value('i', int64(driver.CaptureGlobal)))
		r.runtime("hipThreadExchangeStreamCaptureMode", value('I', int64(driver.CaptureGlobal)))
		r.add("hipMalloc", "rMz", []recording.Value{value('M', 0x1000), value('z', 64)}, want)
		r.runtime("hipThreadExchangeStreamCaptureMode", value('I', int64(mode)))
		if result := r.run(); result.Agreement().Statuses != (replay.Score{Right: 5, All: 5}) {
			t.Errorf("mode %d: %+v, failures %+v", mode, result.Agreement(), result.Failures)
		}
	}
}
