package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	_ "roclua/hip/cpu"
	"roclua/host/applog/analyze"
	"roclua/host/files"
	"roclua/workspace/footprint"
)

// TestSettings makes calls with the settings of their tests: memory of the program, a capture, and modes.
func TestSettings(t *testing.T) {
	const solve = "function: trsm, a_type: f64_r, side: L, uplo: U, transA: N, diag: N, M: 256, N: 256, " +
		"lda: 256, ldb: 256"
	const aborts = "the library would abort the process here: device memory could not be released to the memory " +
		"pool: hipErrorStreamCaptureInvalidated: the capture of stream 1 that hipStreamBeginCapture began was " +
		"invalidated by hipStreamSynchronize"
	for _, test := range []struct{ test, want string }{
		{solve + ", user_allocated_workspace: [0, 64, 263168, 524288]",
			"524288, 524288 memory_error needs 524288 bytes (512.0 KiB), the handle's user_owned workspace has " +
				"64 bytes: its slower form needs 263168 bytes (257.0 KiB), 524288 perf_degraded , 524288"},
		{solve + ", graph_test: true", "524288"},
		{solve + ", graph_test: true, pointer_mode_host: false", "524288 fails rocblas_dtrsm: " + aborts},
		{"function: dot, N: 100, graph_test: true", "64"},
		{"function: dot, N: 100, graph_test: true, pointer_mode_device: false", "64 fails rocblas_sdot: " + aborts},
		{"function: gemv, M: 5, N: 9, transA: T, alpha: 0, beta: 1, pointer_mode_device: false", "0"},
		{"function: gemm, M: 5, N: 5, K: 5, math_mode: 1", ""},
		{"function: dot, N: [3, 3], api: [C, FORTRAN], HMM: [false, true]", "64"},
		{"function: trsv, N: 64, uplo: U, transA: N, diag: N, lda: 64, graph_test: true",
			"64, trsv-graph-stream-order false"},
		{"function: trsv, N: 64, uplo: U, transA: N, diag: N, lda: 64, user_allocated_workspace: 640", "64"},
		{"function: dot, N: 3, atomics_mode: [0, 1]", "64"},
	} {
		l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-7.2")}})
		text := "Defaults: {pointer_mode_host: true, pointer_mode_device: true}\nTests:\n- {" + test.test + "}\n"
		err := l.List(t.Context(), "x.yaml", []byte(text), files.Options{})
		var have []string
		a := l.Answer()
		for _, c := range a.Calls {
			n := c.Needs[0]
			one := fmt.Sprint(n.Bytes)
			if !n.Known() {
				one += " ?"
			}
			if n.Ends != "" {
				one += " " + n.Ends + " " + n.Why
			}
			have = append(have, one)
		}
		for _, h := range a.Targets[0].Defects {
			have = append(have, fmt.Sprint(h.ID, " ", h.Undecided))
		}
		if strings.Join(have, ", ") != test.want || err != nil && test.want != "" {
			t.Errorf("%s:\n%s, %v, want\n%s", test.test, strings.Join(have, ", "), err, test.want)
		}
	}
}
