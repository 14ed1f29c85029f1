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
