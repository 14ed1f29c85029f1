package luabind_test

import (
	"testing"

	"roclua/luabind/record"
)

// preparedCall makes a product of 2 x 2 identities that adds to C.
const preparedCall = `
	local h, p = rocblas.create_handle(), hip.malloc(96)
	local one = array.identity("d", 2)
	for i = 0, 2 do hip.memcpy(p + 32 * i, one, 32) end
	local call = h:prepare("dgemm",
		{ m = 2, n = 2, k = 2, alpha = 2, beta = 1, A = p, B = p + 32, C = p + 64 })
	local function c() local a = array.zeros("d", 2, 2) hip.memcpy(a, p + 64, 32) return a[1] end `

// finish ends a test with the objects of preparedCall.
const finish = ` hip.free(p) h:close() `

// TestPreparedCalls compares prepared calls with the same calls by name.
func TestPreparedCalls(t *testing.T) {
	rec := run(t, scenario("", preparedCall+`
		t:status(rocblas.status_success, call())
		t:equal(c(), 3)
		call:set{ alpha = 5 }
		call()
		t:equal(c(), 8)
		call:set{ m = 1, n = 1, k = 1 } -- lda follows
		call()
		t:equal(c(), 13)
		t:equal(tostring(call), "prepared call of rocblas_dgemm")
		local sum = h:prepare("dasum", { n = 2, x = p })
		t:equal(sum(), 1)
		h:set_pointer_mode(rocblas.pointer_mode_device)
		sum:set{ result = p + 64 }
		t:status(rocblas.status_success, sum())
		t:equal(c(), 1)
		t:equal(h:prepare("rocsolver_dtrtri", { uplo = rocblas.fill_upper, n = 2, A = p }) ~= nil, true)
		t:equal(hip.stats().kernels, 5)`+finish), record.Case{})
	wantPassed(t, rec, 10)
	if n := rec.Statuses["rocblas_dgemm.success"]; n != 3 {
		t.Errorf("%d statuses are counted", n)
	}
}

func wantPassed(t *testing.T, rec *record.Record, checks int) {
	t.Helper()
	if !rec.Passed() || len(rec.Checks) != checks {
		t.Errorf("%d checks, want %d: %+v, %v, %v", len(rec.Checks), checks, rec.Checks, rec.Problems, rec.End)
	}
}

// TestPreparedCallsThatFail checks the errors of prepared calls. A wrong argument leaves the call as it was.
func TestPreparedCallsThatFail(t *testing.T) {
	for code, want := range map[string]string{
		`h:prepare("dgem", {})`: `handle:prepare: routine: neither rocblas nor rocsolver has a routine "dgem", ` +
			`did you mean "dgemv" or "dgemm"?`,
		`h:prepare("set_stream", {})`:   `neither rocblas nor rocsolver has a routine "set_stream"`,
		`h:prepare("dgemm", { m = 2 })`: "rocblas.dgemm: parameter n is missing: columns of C",
		`call:set{ nn = 1 }`:            `rocblas.dgemm: unknown parameter "nn", did you mean "n"?`,
		`call:set{ m = 0.5 }`:           "rocblas.dgemm: m: got 0.5, want an integer",
		`call:set{ handle = h }`:        "a prepared call has its handle; prepare another call for another handle",
		`call(1)`:                       "a prepared call of rocblas_dgemm takes no arguments",
		`call.sett()`:                   `a prepared call has no method "sett", did you mean "set"?`,
		`call:set{ lda = 1 } call()`:    "rocblas_dgemm: invalid_size: lda is 1",
		`h:set_pointer_mode(rocblas.pointer_mode_device) call()`: "its pointer mode has changed since the call was " +
			"prepared",
		`h:close() call()`: "the handle was destroyed at test.lua:",
	} {
		rec := run(t, scenario("", preparedCall+code), record.Case{})
		if rec.End == nil || !contains(rec.End.Message, want) {
			t.Errorf("%s: %+v, want %q", code, rec.End, want)
		}
	}
	rec := run(t, scenario("", preparedCall+`
		pcall(call.set, call, { alpha = 7, nn = 1 })
		call()
		t:equal(c(), 3)`+finish), record.Case{})
	wantPassed(t, rec, 1)
}
