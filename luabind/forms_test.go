package luabind_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/luabind/record"
)

// TestForms calls routines in each of their forms and compares what they wrote with references on the host.
func TestForms(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		rows int // that a check is in
	}{
		"vectors": {`local x = array.of("d", {1, 2, 3, 4, 5, 6}, 2)
			t:forms("dscal", { n = 2, alpha = 2, x = x, batch_count = 3 }, function(t, out)
				t:compare(out.x, array.multiply(array.of("d", {2, 0, 0, 2}, 2), x)) end)
			t:compare(x, array.of("d", {1, 2, 3, 4, 5, 6}, 2))`, 6},
		"leading dimensions": {`local A = array.random("z", 5, 3 * 4)
			local x, y = array.random("z", 3, 4), array.zeros("z", 2, 4)
			t:forms("zgemv",
				{ transA = "none", m = 2, n = 3, alpha = 1, A = A, x = x, beta = 0, y = y, batch_count = 4 },
				function(t, out)
					t:equal(out.A, nil)
					for i = 1, 4 do
						local want = array.multiply(A:problem(i, 4):block(1, 1, 2, 3), x:problem(i, 4))
						t:compare(out.y:problem(i, 4), want, { rtol = 1e-14, atol = 1e-14 })
					end
				end)`, 6},
		"another leading dimension": {`local A = array.of("d", {1, 2, 3, 4}, 4)
			t:forms("dgemm", { m = 1, n = 1, k = 2, alpha = 1, beta = 0, A = A, lda = 2, B = array.of("d", {10, 1}),
				C = array.zeros("d", 1) }, function(t, out) t:equal(out.C[1], 13) end)`, 6},
		"factors": {`local A, ipiv, info = array.random("s", 4, 8), array.zeros("i32", 4, 2), array.zeros("i32", 2)
			t:forms("rocsolver_sgetrf_batched", { m = 4, n = 4, A = A, ipiv = ipiv, info = info, batch_count = 2 },
				function(t, out)
					t:equal(out.ipiv.type, "i32")
					t:near(array.lu_residual(A, out.A, out.ipiv, 2), 0, 1e-6)
				end)`, 6},
		"results": {`t:forms("ddot", { n = 2, x = array.of("d", {1, 2, 3, 4}, 2), y = array.of("d", {1, 1, 1, 1}, 2),
				batch_count = 2 }, function(t, out) t:equal(out.result, {3, 7}) end)`, 6},
		"places": {`t:forms("izamax", { n = 2, x = array.of("z", {1, 2, 4, 3}, 2), batch_count = 2 },
			function(t, out) t:equal(out.result, {2, 1}) end)`, 6},
		"one problem": {`t:forms("dasum", { n = 2, x = array.of("d", {1, 2}) },
			function(t, out) t:equal(out.result, {3}) end)`, 6},
		"no problem": {`t:forms("dscal", { n = 0, alpha = 2, x = array.zeros("d", 0), batch_count = 3 },
			function(t, out) t:equal(out.x.rows, 0) end)`, 6},
	} {
		r, opened, closed := runRows(t, 10*time.Second, test.body)
		rows := map[string]bool{}
		for _, c := range r.Checks {
			row, _, ok := strings.Cut(c.Text, ": ")
			rows[row] = rows[row] || ok
			if !c.Passed {
				t.Errorf("%s: %s: have %s, want %s", name, c.Text, c.Have, c.Want)
			}
		}
		delete(rows, "compare")
		if r.End != nil || len(r.Problems) > 0 || len(rows) != test.rows || opened != test.rows || closed != opened {
			t.Errorf("%s: %v, %q, checks in %v, want %d rows", name, r.End, r.Problems, rows, test.rows)
		}
	}
}

// TestFormsThatFail checks that a form that fails does not end the others, and which are left out.
func TestFormsThatFail(t *testing.T) {
	r, _, _ := runRows(t, 10*time.Second, `local n = 0
		t:equal(t:forms("dscal", { n = 1, alpha = 2, x = array.zeros("d", 1) }, function(t)
			n = n + 1
			if n == 2 then error("stop") end
		end), false)
		t:equal(n, 6)
		t:equal(t:forms("dscal", { n = 1, alpha = 2, x = array.zeros("d", 1) }, function() end), true)`)
	if len(r.Checks) != 4 || r.Checks[0].Passed || !strings.HasPrefix(r.Checks[0].Text, "dscal_batched: ") {
		t.Errorf("checks %+v", r.Checks)
	}
	r, _, _ = runRows(t, 10*time.Second, `local names = {}
		t:forms("dgetrf", { m = 1, n = 1, A = array.zeros("d", 1), ipiv = array.zeros("i32", 1),
			info = array.zeros("i32", 1) }, function(t, out) t:equal(out.info[1], 1) end)`)
	if len(r.Checks) != 6 || len(r.SkippedRows) > 0 || !r.Passed() {
		t.Errorf("checks %+v, %v, skipped %+v", r.Checks, r.End, r.SkippedRows)
	}
	r, _, _ = runRows(t, 10*time.Second, `local x = array.zeros("s", 1)
		t:forms("gemm_ex3", { m = 1, n = 1, k = 1, a_type = rocblas.datatype_f32_r, a = x, b = x }, t.log)`)
	skipped := []record.SkippedRows{{Reason: "the simulated device has no kernel for this routine", Rows: 3}}
	if r.End == nil || !strings.Contains(r.Log, "gemm_batched_ex3: skipped: the simulated device has no kernel") ||
		!slices.Equal(r.SkippedRows, skipped) {
		t.Errorf("checks %+v, log %q, skipped %+v", r.Checks, r.Log, r.SkippedRows)
	}
	for body, want := range map[string]string{
		`"dgem", {}`:                                            `rocsolver has a routine "dgem"`,
		`"dscal", { n = 1, x = {1} }`:                           "t:forms: x: got a table, want an array",
		`"dscal", { n = 1, x = hip.malloc(8) }`:                 "t:forms: x: got a device pointer, want an array",
		`"dscal", { n = 1, y = array.zeros("d", 1) }`:           "arguments: rocblas_dscal has no argument y",
		`"dscal_strided_batched", { stride_x = 1 }`:             "has no argument stride_x; strides follow",
		`"dscal", { x = array.zeros("d", 3), batch_count = 2 }`: "x: 3x1 does not hold 2 problems of one size",
		`"dscal", { batch_count = 0 }`:                          "batch_count: got 0, want an integer between 1",
		`"dscal", { batch_count = 1.5 }`:                        "t:forms: batch_count: got 1.5, want an integer",
		`"rocsolver_dlaswp", {}`:                                "routine: rocsolver_dlaswp has no other form",
	} {
		r, _, _ := runRows(t, 10*time.Second, `t:forms(`+body+`, function() end)`)
		if r.End == nil || !strings.Contains(r.End.Message, want) {
			t.Errorf("%s: %v, want %q", body, r.End, want)
		}
	}
}
