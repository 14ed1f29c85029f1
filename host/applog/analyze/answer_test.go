package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
)

const (
	created     = "rocblas_create_handle,atomics_not_allowed\n"
	created4    = "rocblas_create_handle,atomics_allowed\n"
	destroyed   = "rocblas_destroy_handle,atomics_not_allowed\n"
	small       = "rocblas_dtrsm,R,U,T,N,4096,4096,1,0x7f,4096,0x7f,4096,atomics_not_allowed\n" // 8388608 bytes
	large       = "rocblas_dtrsm,R,U,T,N,6000,6000,1,0x7f,6000,0x7f,6000,atomics_not_allowed\n" // 294144000
	larger      = "rocblas_dtrsm,R,U,T,N,8000,8000,1,0x7f,8000,0x7f,8000,atomics_not_allowed\n" // 520192000
	solverCall  = "./rocsolver-bench -f getrf -r d -m 200 -n 200 --lda 200\n"
	profileLine = "- { rocblas_function: \"rocblas_dtrsm\", side: 'R', uplo: 'U', transA: 'T', diag: 'N', m: 6000, " +
		"n: 6000, lda: 6000, ldb: 6000, call_count: 1 }\n"
	command = "./rocblas-bench -f trsm -r f64_r --side R --uplo U --transposeA T --diag N -m 6000 -n 6000 " +
		"--alpha 1 --lda 6000 --ldb 6000 \n"
)

func codes(a *analyze.Answer) (list []string) {
	for _, n := range a.Notes {
		list = append(list, n.Code)
	}
	return list
}

// TestHandles follows the handles of logs: growths restart with a new handle, and are a range if several are in use.
func TestHandles(t *testing.T) {
	for _, test := range []struct {
		about, text string
		growths     []uint64
		most        int64
		exact       bool
		note        string
	}{
		{"one handle", created + small + large + larger + large + destroyed, []uint64{327698432, 553746432}, 2, true,
			""},
		{"one after the other", created + large + destroyed + created + small + large + destroyed,
			[]uint64{327698432, 327698432}, 2, true, ""},
		{"two at the same time", created + created + large + larger, []uint64{327698432, 553746432}, 2, false,
			analyze.SeveralHandles},
		{"a smaller call later", created + created + larger + large + larger, []uint64{553746432}, 3, false,
			analyze.SeveralHandles},
		{"truncated", created + large + destroyed + destroyed, []uint64{327698432}, 1, false, analyze.Truncated},
		{"no handle", large, []uint64{327698432}, 1, false, analyze.NoHandle},
		{"streams of several handles", "rocblas_set_stream,0x1,atomics_not_allowed\n" + larger +
			"rocblas_set_stream,0x2,atomics_not_allowed\n" + large + larger, []uint64{553746432}, 3, false,
			analyze.NoHandle},
		{"cut", created + large + larger[:20] + "\n" + small, []uint64{327698432}, 1, false, analyze.CutLines},
		{"a profile of rocBLAS", solverCall + profileLine, []uint64{}, 0, false, analyze.NoOrder},
		{"a profile of rocSOLVER", created + large + "rocsolver_getrf_template: Calls: 1, Total Time: 1 ms\n",
			[]uint64{327698432}, 1, false, analyze.NoSizes},
		{"truncated by rocBLAS 4", created4 + created4 + large, []uint64{327698432}, 1, false, analyze.Truncated},
		{"hidden calls", created + large + strings.Repeat("rocblas_get_stream,0,atomics_not_allowed\n", 5),
			[]uint64{327698432}, 1, false, analyze.HiddenSolver},
	} {
		a := read(t, "rocm-7.2", test.text)
		m := a.Targets[0].Managed
		if have := predictedGrowths(a); !slices.Equal(have, test.growths) || m.Most != test.most ||
			m.Exact != test.exact || test.note != "" && !slices.Contains(codes(a), test.note) {
			t.Errorf("%s: grows to %d, at most %d times, exact %v, %s", test.about, have, m.Most, m.Exact, codes(a))
		}
	}
}

// TestCounts counts a call once if several kinds of lines or files describe it, and adds the calls of processes.
func TestCounts(t *testing.T) {
	for _, test := range []struct {
		about string
		texts []string
		times int64
	}{
		{"trace and command", []string{created + large + command + large + command}, 2},
		{"in two files", []string{created + large + large, command + command}, 2},
		{"two processes", []string{created + large, created + large + large}, 3},
		{"an interrupted trace", []string{created + large[:30] + large}, 1},
	} {
		a := read(t, "rocm-7.2", test.texts...)
		times := int64(0)
		for _, c := range a.Calls {
			times += c.Times
		}
		if len(a.Calls) != 1 || times != test.times {
			t.Errorf("%s: %d calls of %d sizes, want %d of one", test.about, times, len(a.Calls), test.times)
		}
	}
}

// TestBrokenLines counts lines broken in two as cut.
func TestBrokenLines(t *testing.T) {
	last := strings.Index(large, ",atomics") - 1
	for about, text := range map[string]string{
		"a command":                    created + command[:70] + "\n" + command[70:],
		"a trace":                      created + large[:30] + "\n" + large[30:],
		"a trace without atomics mode": large[:last+1] + "\n" + large[last+1:] + created,
		"a trace in its last number":   large[:last] + "\n" + large[last:],
	} {
		if a := read(t, "rocm-7.2", text); len(a.Calls) != 0 || len(a.Cut) != 1 || a.Cut[0].Count != 1 {
			t.Errorf("%s: %d calls, cut %+v", about, len(a.Calls), a.Cut)
		}
	}
}

// TestGuessedOptions assumes the largest need for options missing from the log.
func TestGuessedOptions(t *testing.T) {
	a := read(t, "rocm-7.2", "./rocsolver-bench -f gesvdx -r d --left_svect N --right_svect N --srange \x00 -m 500 "+
		"-n 500 --lda 500 --vl 0 --vu 1 --il 1 --iu 2 --ldu 500 --ldv 500 ")
	if len(a.Calls) != 1 || !a.Calls[0].Needs[0].Known() || a.Calls[0].Needs[0].Bytes == 0 {
		t.Fatalf("%+v, cut %v", a.Calls, a.Cut)
	}
}

// TestProducts keeps the facts that decide the kernel of a GEMM: whether its result replaces C, and whether beta is 1.
func TestProducts(t *testing.T) {
	product := func(beta, d string) string {
		return "rocblas_gemm_ex,N,T,1,64,64,1,0x10,bf16_r,1,0x20,bf16_r,64," + beta + ",0x30,bf16_r,1," + d +
			",bf16_r,1,f32_r,0,0,none,atomics_not_allowed\n"
	}
	command := "./rocblas-bench -f gemm_ex --transposeA N --transposeB T -m 1 -n 64 -k 64 --alpha 1 --a_type bf16_r " +
		"--lda 1 --b_type bf16_r --ldb 64 --beta 0 --c_type bf16_r --ldc 1 --d_type bf16_r --ldd 1 " +
		"--compute_type f32_r --algo 0 --solution_index 0 --flags 0\n"
	type seen struct {
		same  bool
		beta  complex128
		times int64
	}
	var have []seen
	for _, c := range read(t, "rocm-7.2", created+product("0", "0x30")+command+product("0", "0x40")+
		product("1", "0x30")+product("0.5", "0x30")+product("0.7", "0x30")).Calls {
		a := c.Args()
		have = append(have, seen{a.Ptr(routine.C) == a.Ptr(routine.D), a.Scalar(routine.Beta), c.Times})
	}
	want := []seen{{true, 0, 1}, {false, 0, 1}, {true, 1, 1}, {true, 2, 2}}
	if !slices.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}
