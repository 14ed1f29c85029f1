package importing

import (
	"strings"
	"testing"

	"roclua/host/files"
	"roclua/luabind"
)

// TestAxes checks the values of options, and their combinations in order.
func TestAxes(t *testing.T) {
	for text, want := range map[string]string{
		"rocblas-bench -f dot -r d -n [3,1:2]":                   "ddot_n3 ddot_n1 ddot_n2",
		"rocblas-bench -f dot -r d -a n[pow2]=[3:5:2]":           "ddot_n8 ddot_n32",
		"rocblas-bench -f dot -r [s,d] --axis 'n=[5:9:3]'":       "sdot_n5 sdot_n8 ddot_n5 ddot_n8",
		"rocblas-bench --function=dot --precision=f64_r -n=7":    "ddot_n7",
		"rocblas-bench -f dot -r d -n 7\n\nrocblas-bench -f dot": "ddot_n7 sdot_n128",
		"cd x; ls": "",
		"/opt/rocm/bin/rocblas-bench -f dot -r d -n 2 -i 7 | tail":             "ddot_n2",
		"rocblas-bench -f dot -r d \\\n  -n 2\nrocblas-bench -f dot -r d -n 2": "ddot_n2 ddot_n2_2",
		"- {rocblas_function: 'rocblas_ddot', N: [1, 2], incx: 1, iters: 10}":  "ddot_n1 ddot_n2",
		"# rocblas-bench -f dot\n---\nrocsolver-bench -f potrf -r d -n 3":      "dpotrf_n3",
	} {
		script, _, err := Scenario(t.Context(), "x.sh", []byte(text), files.Options{})
		var names []string
		for line := range strings.Lines(string(script)) {
			if rest, ok := strings.CutPrefix(line, `  { "`); ok {
				name, _, _ := strings.Cut(rest, `"`)
				names = append(names, name)
			}
		}
		if have := strings.Join(names, " "); have != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", text, have, err, want)
		}
	}
}

// TestErrorsHaveBounds reads a file with many wrong lines.
func TestErrorsHaveBounds(t *testing.T) {
	_, _, err := Scenario(t.Context(), "x.sh", []byte(strings.Repeat("rocblas-bench\n", 1000)), files.Options{})
	if err == nil || strings.Count(err.Error(), "\n") != 19 || !strings.HasPrefix(err.Error(), "x.sh:1: ") {
		t.Error(err)
	}
}

// FuzzScenario reads any text. The scenario compiles.
func FuzzScenario(f *testing.F) {
	f.Add("rocblas-bench -f gemm_strided_batched -r z -m [4,5] --alpha 2 --alphai 1 --batch_count 3\n")
	f.Add("rocsolver-bench -f getrs_batched -r d -n 7 --nrhs 2 -a 'batch_count[pow2]=[1:3]'\n")
	f.Add("- { rocblas_function: \"rocblas_dgemm\", transA: 'T', M: [1, -2], N: 3, K: 9223372036854775807 }\n")
	f.Add("&00")
	f.Add("rocblas-bench -f gemm_ex --a_type f16_r --compute_type f32_r -m 1152921504606846976 --ldc -5\n")
	f.Fuzz(func(t *testing.T, text string) {
		script, _, err := Scenario(t.Context(), "fuzz.sh", []byte(text), files.Options{})
		if err != nil {
			return
		}
		if _, err := luabind.Compile("fuzz.lua", script); err != nil && len(script) < 1<<20 {
			t.Errorf("%v in\n%s", err, script)
		}
	})
}
