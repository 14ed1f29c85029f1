package workspace_test

import (
	"fmt"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// TestRepeatedCalls makes a call twice in an invalidated capture, without another HIP call between. The statuses are
// the library's: rocBLAS of rocm-6.4 ignores an error of a launch that was the result of the HIP call before it.
func TestRepeatedCalls(t *testing.T) {
	const failed, ignored = "internal_error", "success"
	for _, test := range []struct {
		call     string
		n        int64
		onDevice bool
		second   string // of rocm-6.4
	}{
		{"rocblas_daxpy", 100, false, ignored},
		{"rocblas_dgemv_batched", 100, true, ignored},
		{"rocblas_dasum", 100, false, failed}, // the copy of the result fails
		{"rocblas_dasum", 100, true, ignored},
		{"rocblas_idamax_64", 100, false, failed},
		{"rocblas_dtrsv", 100, false, failed}, // it queries the device first
		{"rocblas_dgemm", 1, false, failed},
		{"rocblas_dgemm", 1, true, failed}, // the copy of alpha fails
		{"rocblas_dsymm", 32, false, ignored},
		{"rocblas_dsymm", 33, false, failed},
		{"rocblas_dsyrk", 32, false, ignored},
		{"rocblas_dsyrk", 33, false, failed},
		{"rocblas_dsyrk_batched", 16, false, ignored},
		{"rocblas_dsyrk_batched", 17, false, failed},
		{"rocblas_zherk", 128, false, ignored},
		{"rocblas_zherk", 129, false, failed},
		{"rocblas_dsyr2k", 17, false, failed},
		{"rocblas_dtrmm_batched", 33, false, failed},
		{"rocblas_dtrsm", 32, false, ignored},
		{"rocblas_dtrsm", 65, false, failed}, // by substitution
		{"rocblas_dtrsm", 129, false, ignored},
		{"rocblas_dtrtri_batched", 100, false, ignored},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			second := test.second
			if name == "rocm-7.2" {
				second = failed
			}
			c, side := squareCall(test.call, test.n, nil), waitingSide(t, profile)
			mode := &sequence.Operation{Name: "set_pointer_mode"}
			if test.onDevice {
				mode.Size = routine.PointerModeDevice
			}
			for i, step := range []struct {
				op   *sequence.Operation
				want string
			}{
				{sequence.CreateHandle(nil), "success"}, {mode, "success"}, {sequence.SetStream(2), "success"},
				{sequence.BeginCapture(2, driver.CaptureRelaxed), "hipSuccess"},
				{&sequence.Operation{Name: "event_record", Stream: 3}, "hipSuccess"},
				{&sequence.Operation{Name: "stream_wait_event", Stream: 2}, "hipErrorStreamCaptureIsolation"},
				{&sequence.Operation{Call: c, Direct: true}, failed},
				{&sequence.Operation{Call: c}, second},
				{&sequence.Operation{Call: c}, failed}, // after a call that succeeds
			} {
				if have, err := side.Run(step.op); err != nil || have.Status != step.want {
					t.Errorf("%s, %s of order %d, operation %d: %s, %v, want %s", name, test.call, test.n, i, have, err,
						step.want)
				}
			}
		}
	}
}

// TestScalarsOf8BitProducts checks that a product of 8-bit factors copies its scalars in float, whatever it computes
// in. In an invalidated capture the first copy fails, before a wait.
func TestScalarsOf8BitProducts(t *testing.T) {
	for compute := int64(routine.ComputeF32); compute <= routine.ComputeBF8BF8; compute++ {
		side := waitingSideOn(t, profile(t, "rocm-6.4"), "gfx942")
		c := squareCall("rocblas_gemm_ex3", 64, map[routine.Slot]int64{routine.ComputeType: compute})
		for i, step := range []struct {
			op   *sequence.Operation
			want string
		}{
			{sequence.CreateHandle(nil), ""}, {&sequence.Operation{Name: "set_pointer_mode", Size: 1}, ""},
			{sequence.SetStream(2), ""}, {sequence.BeginCapture(2, driver.CaptureRelaxed), ""},
			{&sequence.Operation{Call: c, Direct: true}, "[hipMemcpyAsync 4 0 hipStreamSynchronize 0 900]"},
			{&sequence.Operation{Call: c}, "[hipMemcpyAsync 4 901]"},
		} {
			have, err := side.Run(step.op)
			if text := fmt.Sprint(have.Calls); err != nil || step.want != "" && text != step.want {
				t.Errorf("type %d, operation %d: %s, %v, want %s", compute, i, have, err, step.want)
			}
		}
	}
}

// TestFailedWaitIsNoRepeatedError makes a small inverse twice. Its wait, after which it launches nothing, invalidates
// the capture, and the error of the second call's kernel is another one, which both libraries return.
func TestFailedWaitIsNoRepeatedError(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		side, c := waitingSide(t, profile(t, name)), squareCall("rocblas_dtrtri_batched", 33, nil)
		for i, step := range []struct {
			op   *sequence.Operation
			want string
		}{
			{sequence.CreateHandle(nil), "success"}, {sequence.SetStream(2), "success"},
			{sequence.BeginCapture(2, driver.CaptureRelaxed), "hipSuccess"},
			{&sequence.Operation{Call: c, Direct: true}, "success"}, {&sequence.Operation{Call: c}, "internal_error"},
		} {
			if have, err := side.Run(step.op); err != nil || have.Status != step.want {
				t.Errorf("%s, operation %d: %s, %v, want %s", name, i, have, err, step.want)
			}
		}
	}
}

// TestFailedCopyOfFactor checks that trmm ignores that B cannot be copied to C. The null stream may not be used while a
// blocking stream is captured; the attempt ends the capture, so that the kernels after it run.
func TestFailedCopyOfFactor(t *testing.T) {
	for _, test := range []struct {
		call  string
		batch int64
		want  string
	}{
		{"rocblas_ztrmm", 1, "success"}, {"rocblas_ztrmm_strided_batched", 1, "success"},
		{"rocblas_ztrmm_strided_batched", 2, "internal_error"}, {"rocblas_ztrmm_batched", 1, "internal_error"},
	} {
		for _, n := range []int64{20, 600} {
			side := waitingSide(t, workspace.Profiles()[0])
			c := squareCall(test.call, n, map[routine.Slot]int64{routine.BatchCount: test.batch})
			have := run(t, side, []*sequence.Operation{sequence.BeginCapture(1, driver.CaptureRelaxed), {Call: c},
				sequence.EndCapture(1)})
			if have.Status != test.want {
				t.Errorf("%s of order %d, batch %d: %s, want %s", test.call, n, test.batch, have, test.want)
			}
		}
	}
}

// TestClearingInQuery checks that trsm with an alpha of 0 launches its kernel in a size query also without B: on the
// null stream this invalidates the capture of a blocking stream.
func TestClearingInQuery(t *testing.T) {
	for call, want := range map[string]string{"rocblas_strsm": "internal_error", "rocblas_strsm_64": "internal_error",
		"rocblas_strsm_batched": "success", "rocblas_strsm_strided_batched": "internal_error"} {
		c := squareCall(call, 100, nil)
		c.Scalars[routine.Alpha], c.Null[routine.B] = 0, true
		have := lastResult(t, "rocm-7.2", sequence.CreateHandle(nil),
			&sequence.Operation{Name: "start_device_memory_size_query"},
			sequence.BeginCapture(1, driver.CaptureRelaxed), &sequence.Operation{Call: c})
		if have.Status != want || have.States != "2 0 0" {
			t.Errorf("%s: %s, want %s and an invalidated capture", call, have, want)
		}
	}
}
