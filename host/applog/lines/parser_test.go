package lines_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// TestForms reads calls in the forms of older releases, of users, and of profilers.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		about, line string
		kind        lines.Kind
		name        string
		m, n        int64
	}{
		{"numbers for enumerations, no mode of atomics",
			"rocblas_dgemm,111,112,128,96,64,1,0x7f,128,0x7f,96,0,0x7f,128", lines.Trace, "rocblas_dgemm", 128, 96},
		{"a prefix", "[1,0]<stderr>:rocblas_dgemm,N,T,128,96,64,1,0x7f,128,0x7f,96,0,0x7f,128,atomics_allowed",
			lines.Trace, "rocblas_dgemm", 128, 96},
		{"null pointers", "rocblas_dgemm,N,T,128,96,64,1,0,128,(nil),96,0,0,128,atomics_allowed", lines.Trace,
			"rocblas_dgemm", 128, 96},
		{"Markdown", "Run `rocblas-bench -f gemm -r d -m 128 -n 96 -k 64` first", lines.Bench, "rocblas_dgemm", 128,
			96},
		{"a prompt, one-letter types, other options",
			"% rocblas-bench -f gemm_ex -m 1 -n 16192 -k 16192 --transposeA N -r s --compute_type s -i 50",
			lines.Bench, "rocblas_gemm_ex", 1, 16192},
		{"an ellipsis", "rocblas-bench -f gemm_ex -m 4096 -n 512 -k 4096 --a_type f16_r ... --compute_type f16_r",
			lines.Bench, "rocblas_gemm_ex", 4096, 512},
		{"another order", "./rocblas-bench -r f64_r -n 7 -m 9 --side R --ldb 9 --lda 9 -f trsm ", lines.Bench,
			"rocblas_dtrsm", 9, 7},
		{"a marker", `"MARKER_CORE_API","rocblas_dgemm,N,T,128,96,64,1,0x7f,128,0x7f,96,0,0x7f,128,atomics_allowed",` +
			"1,1,5,100,200", lines.Marker, "rocblas_dgemm", 128, 96},
		{"a profile", `- { rocblas_function: "rocblas_dgeam", atomics_mode: atomics_not_allowed, transA: 'N', ` +
			"transB: 'N', M: 10, N: 12, lda: 10, ldb: 10, ldc: 10, call_count: 3 }", lines.Profile, "rocblas_dgeam",
			10, 12},
		{"rocSOLVER", "./rocsolver-bench -f getrf -r z -m 10 -n 20 --lda 10", lines.SolverBench, "rocsolver_zgetrf", 10,
			20},
	} {
		piece, rest := lines.Find([]byte(test.line))
		res := lines.NewParser().Parse(piece, true)
		if rest != nil || res.State != lines.Full || piece.Kind != test.kind || res.Name != test.name {
			t.Errorf("%s: %v, state %d, %s, rest %q", test.about, piece.Kind, res.State, res.Name, rest)
			continue
		}
		if m, n := res.Call.Args.Int(routine.M), res.Call.Args.Int(routine.N); m != test.m || n != test.n {
			t.Errorf("%s: m=%d n=%d", test.about, m, n)
		}
		if want := map[bool]int64{true: 3, false: 1}[test.kind == lines.Profile]; res.Count != want {
			t.Errorf("%s: %d calls", test.about, res.Count)
		}
	}
}

// TestLastWord checks that the last value of a command without all options is read unless it is a number, which may be
// cut.
func TestLastWord(t *testing.T) {
	const short = "./rocblas-bench -f gemm_ex -r bf16_r -m 64 -n 32 -k 64 "
	for end, want := range map[string]int64{"--compute_type s": routine.DatatypeF32,
		"--compute_type f64_r": routine.DatatypeF64, "--compute_type f32_r --lda 6": routine.DatatypeF32,
		"": routine.DatatypeBF16} {
		piece, _ := lines.Find([]byte(short + end))
		res := lines.NewParser().Parse(piece, true)
		if res.State != lines.Full || res.Call.Args.Int(routine.ComputeType) != want ||
			res.Call.Args.Int(routine.AType) != routine.DatatypeBF16 || res.Call.Known.Has(routine.LDA) {
			t.Errorf("%q: state %d, %+v, want compute_type %d", end, res.State, res.Call, want)
		}
	}
	piece, _ := lines.Find([]byte("./rocsolver-bench -f syevj -r d --evect V --uplo U -n 10 --lda 10 --abstol 0.00"))
	call := lines.NewParser().Parse(piece, true).Call
	if call.Known.Has(routine.Abstol) || !call.Known.Has(routine.LDA) {
		t.Errorf("%+v", call)
	}
}

// TestNoCalls reads lines that are not calls, or lack some sizes.
func TestNoCalls(t *testing.T) {
	for _, test := range []struct {
		about, line string
		kind        lines.Kind
		state       lines.State
	}{
		{"other text", "the rocket rocks", lines.Other, lines.NoCall},
		{"other library", "hipblaslt-bench -m 1024 -n 512 -k 1024 --lda 1024", lines.HipBLASLt, lines.NoCall},
		{"its other log", "[HIPBLASLT][Api][rocblaslt_matmul_desc_create] matmulDesc[out]=0x7f", lines.HipBLASLt,
			lines.NoCall},
		{"the end of bold text", "**rocblas_dscal,10,1,0x7f,1**", lines.Trace, lines.Full},
		{"the end of a bold command", "**./rocblas-bench -f scal -r f64_r -n 10 --alpha 1 --incx 1**", lines.Bench,
			lines.Full},
		{"a handle", "rocblas_create_handle,atomics_not_allowed", lines.Trace, lines.NoCall},
		{"an internal call", "rocblas_internal,rocblas_gemm_tensile_backend,N,N,32,32,32,atomics_not_allowed",
			lines.Internal, lines.NoCall},
		{"dots", "rocblas_dgemm_strided_batched,N,N,64,64,64,1,0x7fa443a18000,64,4096,...  ← warmup", lines.Trace,
			lines.Cut},
		{"a size of the batch", "./rocblas-bench -f trsm_batched -r f64_r --side R --uplo U --transposeA T --diag N " +
			"-m 9 -n 7 --alpha 1 --lda 9 --ldb 9 ", lines.Bench, lines.Cut},
		{"a size", "./rocblas-bench -f gemm -r f64_r -m 9 --transposeA N --transposeB N --alpha 1 ", lines.Bench,
			lines.Cut},
		{"not a function", "rocblas_dgemn,1,2,3,atomics_allowed", lines.Trace, lines.Unknown},
		{"too large", "rocblas_dgemm,N,N,99999999999,1,1,1,0x7f,1,0x7f,1,0,0x7f,1,atomics_allowed", lines.Trace,
			lines.Cut},
		{"a digit as an option", "./rocblas-bench -f scal -r f64_r -n 5 --incx 1 -9 7 ", lines.Bench, lines.Full},
		{"a negative size", "./rocblas-bench -f scal -r f64_r -n -5 --incx 1 ", lines.Bench, lines.Full},
		{"an unknown function", "./rocsolver-bench -f getrg -r d -m 8 -n 8 ", lines.SolverBench, lines.Unknown},
		{"a profile without a count", `- { rocblas_function: "rocblas_dscal", N: 10, incx: 1 }`, lines.Profile,
			lines.Full},
		{"a profile without calls", `- { rocblas_function: "rocblas_dscal", N: 10, incx: 1, call_count: 0 }`,
			lines.Profile, lines.Cut},
		{"a profile with too many calls",
			`- { rocblas_function: "rocblas_dscal", N: 10, incx: 1, call_count: 1099511627777 }`, lines.Profile,
			lines.Cut},
		{"a profile with a call", `- { rocblas_function: "rocblas_dscal", N: 10, incx: 1, call_count: 1 }`,
			lines.Profile, lines.Full},
		{"the end of a tree", "------- EXIT rocsolver_dgetrf trace tree -------", lines.SolverTree, lines.NoCall},
		{"a cut name", "rocblas_dgerocblas_dgemm", lines.Other, lines.NoCall},
		{"a function in parentheses", "(rocblas_gemm_kernel<S>): Calls: 90", lines.Other, lines.NoCall},
		{"a bad address", "rocblas_dscal,10,1,0x7g,1,atomics_allowed", lines.Trace, lines.Cut},
		{"large letters", "rocblas_dscal,10,1,0xABCDEF0123456789,1,atomics_allowed", lines.Trace, lines.Full},
		{"too long an address", "rocblas_dscal,10,1,0xABCDEF01234567890,1,atomics_allowed", lines.Trace, lines.Cut},
		{"no digits", "rocblas_dscal,10,1,0x,1,atomics_allowed", lines.Trace, lines.Cut},
		{"letters beyond f", "rocblas_dscal,10,1,0xG,1,atomics_allowed", lines.Trace, lines.Cut},
		{"a sign", "rocblas_dscal_64,-,1,0x7f,1,atomics_allowed", lines.Trace, lines.Cut},
		{"18 digits", "rocblas_dscal_64,999999999999999999,1,0x7f,1,atomics_allowed", lines.Trace, lines.Full},
		{"more than 64 bits", "rocblas_dscal_64,10000000000000000000,1,0x7f,1,atomics_allowed", lines.Trace, lines.Cut},
		{"an open complex number", "rocblas_zscal,10,(1,0,0x7f,1,atomics_allowed", lines.Trace, lines.Cut},
		{"a word for flags", "rocblas_gemm_ex,N,N,4,4,4,1,0x7f,f32_r,4,0x7f,f32_r,4,0,0x7f,f32_r,4,0x7f,f32_r,4," +
			"f32_r,0,0,use_cu_efficiency,atomics_allowed", lines.Trace, lines.Full},
		{"no flags", "rocblas_gemm_ex,N,N,4,4,4,1,0x7f,f32_r,4,0x7f,f32_r,4,0,0x7f,f32_r,4,0x7f,f32_r,4,f32_r,0,0,," +
			"atomics_allowed", lines.Trace, lines.Cut},
		{"no count", `- { rocblas_function: "rocblas_dscal", N: 10, incx: 1, call_co`, lines.Profile, lines.Cut},
	} {
		piece, _ := lines.Find([]byte(test.line))
		if res := lines.NewParser().Parse(piece, true); piece.Kind != test.kind || res.State != test.state {
			t.Errorf("%s: %v, state %d", test.about, piece.Kind, res.State)
		}
	}
	p := lines.NewParser()
	piece, _ := lines.Find([]byte("./rocblas-bench -f dot -r f64_r -n 102 --incx 104 --incy 10"))
	if res := p.Parse(piece, false); res.State == lines.Full && res.Call.Known.Has(routine.IncY) {
		t.Error("the last number of a line without an end is taken as it is")
	}
}

// TestPieces divides lines interleaved by several threads.
func TestPieces(t *testing.T) {
	const call = "rocblas_dscal,10,1,0x7f,1,atomics_allowed"
	for line, want := range map[string][]string{
		call:                       {call},
		call[:9] + call + call:     {call, call},
		"x" + call + " " + call:    {call + " ", call},
		"rocblas_internal," + call: {"rocblas_internal," + call},
		"dscal_batched,10,1":       {"dscal_batched,10,1"},
		",10,1":                    nil,
		"dscal_batched":            nil,
	} {
		var have []string
		for rest := []byte(line); rest != nil; {
			var piece lines.Piece
			if piece, rest = lines.Find(rest); piece.Kind != lines.Other {
				have = append(have, string(piece.Text))
			}
		}
		if !slices.Equal(have, want) {
			t.Errorf("%q: %q, want %q", line, have, want)
		}
	}
}

// TestMarkers recognizes the rows of a profiler's file of markers, also with the identifier of a database first.
func TestMarkers(t *testing.T) {
	const guid = `"0000ddb5-8903-7903-b269-cd8d3745bb8a",`
	const row = `"MARKER_CORE_API","rocblas_dscal,10,1,0x7f,1,atomics_allowed",1,2,3,4,5`
	for line, want := range map[string]lines.Kind{
		row: lines.Marker, guid + row: lines.Marker, strings.ToUpper(guid) + row: lines.Marker,
		`"0000ddb5",` + row: lines.Trace, strings.Replace(guid, "-", "_", 1) + row: lines.Trace,
		`x` + guid[1:] + row: lines.Trace, guid[:37] + `x,` + row: lines.Trace, guid[:38] + `x` + row: lines.Trace,
		guid: lines.Other, `"HIP_RUNTIME_API","hipFree",1,2,3,4,5`: lines.Other, `"Domain","Function"`: lines.Other,
	} {
		if piece, _ := lines.Find([]byte(line)); piece.Kind != want {
			t.Errorf("%s: %v", line, piece.Kind)
		}
	}
}
