package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestSpellings calls functions with names of other families and short names of constants.
func TestSpellings(t *testing.T) {
	for _, test := range []struct{ call, want string }{ // no want: the call succeeds
		{`h:dgemm_strided_batched{m = 1, n = 1, k = 1, transA = "n", transB = "transpose", strideA = 1, stride_B = 1,
			stride_c = 1}`, ""},
		{`h:dgetrf_strided_batched{m = 1, n = 1, stride_a = 1}`, ""},
		{`h:dtrsm{side = "left", uplo = "upper", trans = "none", diag = "unit", m = 1, n = 1}`, ""},
		{`h:dtrsm(side_left, "lower", "c", "non_unit", 1, 1, 1, nil, 1, nil, 1)`, ""},
		{`h:prepare("dgemv", {transA = "t", m = 0, n = 1}):set{n = 2}`, ""},
		{`h:prepare("dgemv", {trans = "t", m = 0, n = 1}):set{transA = "n"}`, ""},
		{`h:prepare("dgemv", {transA = "t", m = 0, n = 1}):set{trans = "n", transA = "n"}`,
			`transA and trans are the same parameter, which is given twice`},
		{`h:dtrtri{uplo = "upper", n = 1, ldinvA = 1}`, ""}, // rocBLAS
		{`h:dtrtri("upper", "unit", 64, nil, 64, nil, 64)`, ""},
		{`h:dtrtri("upper", "unit", 64, nil, 64, nil)`, ""}, // rocSOLVER
		{`h:dtrtri{uplo = "upper", n = 1}`, `dtrtri is rocblas_dtrtri or rocsolver_dtrtri, which need ` +
			`different workspaces: call rocblas.dtrtri or rocsolver.dtrtri`},
		{`h:prepare("dtrtri", {uplo = "upper", n = 1, ldinvA = 1})`, ""},
		{`h:prepare("dtrtri", {uplo = "upper", n = 1})`,
			`rocsolver_dtrtri, which need different workspaces: write one`},
		{`h:set_pointer_mode("host")`, ""},
		{`array.identity("d", 2):triangle("upper")`, ""},
		{`h:dtrsm{side = "lef", uplo = "upper", m = 1, n = 1}`,
			`rocblas.dtrsm: side: got "lef", want a constant such as rocblas.side_left, or one of left, right, both, ` +
				`did you mean "left"?`},
		{`h:dgemm{m = 1, n = 1, k = 1, trans = "n"}`, `unknown parameter "trans", did you mean "transA"`},
		{`h:dgemv{trans = "n", transA = "n", m = 1, n = 1}`,
			`transA and trans are the same parameter, which is given twice`},
		{`h:dgetrf{m = 1, n = 1, strideA = 1}`, `unknown parameter "strideA"`},
		{`h:dgemv{transA = "none", 5, m = 1, n = 1}`, "has an item 1 without a name"},
	} {
		r := run(t, prelude+`return { run = function(t) local h, side_left = t:open(), rocblas.side_left
			h:query(function(h) `+test.call+` end) end }`, record.Case{})
		have := ""
		if r.End != nil {
			have = r.End.Message
		}
		if !strings.Contains(have, test.want) || (have == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.call, have, test.want)
		}
	}
}

// TestRoutineOfTwo calls a routine whose name both libraries have: the arguments say which one is meant.
func TestRoutineOfTwo(t *testing.T) {
	for arguments, want := range map[string]string{
		`("lower", "unit", 512, nil, 512, nil, 512)`:                                              "0",
		`("lower", "unit", 512, nil, 512, nil)`:                                                   "2097152",
		`{uplo = "lower", n = 512, ldinvA = 600}`:                                                 "0",
		`{uplo = "lower", n = 512, info = hip.malloc(4)}`:                                         "2097152",
		`_batched{uplo = "lower", n = 63, batch_count = 1, stride_A = nil, invA = hip.malloc(4)}`: "8000",
	} {
		rec := run(t, prelude+`local h = rocblas.create_handle()
			error("needs " .. h:query(function(q) q:dtrtri`+arguments+` end) .. " bytes")`, record.Case{})
		if rec.End == nil || !strings.Contains(rec.End.Message, "needs "+want+" bytes") {
			t.Errorf("dtrtri%s: %v, want %s bytes", arguments, rec.End, want)
		}
	}
}
