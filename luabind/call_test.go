package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestStatusesAsArguments checks which statuses at the end of the arguments are dropped.
func TestStatusesAsArguments(t *testing.T) {
	rec := run(t, scenario("", `
		local good, bad = rocblas.status_success, rocblas.status_memory_error
		print(t:equal(good, bad), t:equal(good, good), t:near(1, 1, 0, good, bad))
		hip.free(nil, good, good)
		print(rocblas.status_to_string(bad, good))
		rocblas.create_handle():close(good)
		t:log(1, bad)
		t:defer(print, 2, bad)
		t:status(good, bad)`), record.Case{})
	const want = "false\ttrue\ttrue\nrocblas_status_memory_error\n1\trocblas_status_memory_error\n" +
		"2\trocblas_status_memory_error\n"
	if rec.End != nil || rec.Log != want || len(rec.Problems) > 0 {
		t.Errorf("%v %q\n%q", rec.End, rec.Problems, rec.Log)
	}
	var passed []bool
	for _, c := range rec.Checks {
		passed = append(passed, c.Passed)
	}
	if len(passed) != 4 || passed[0] || !passed[1] || !passed[2] || passed[3] {
		t.Errorf("checks %+v", rec.Checks)
	}
}

// TestMissingArguments calls checks without the values that they compare. Such a check would compare nothing.
func TestMissingArguments(t *testing.T) {
	for call, want := range map[string]string{
		`t:equal()`:                         "test.lua:2: t:equal: have: is missing",
		`t:equal(1)`:                        "test.lua:2: t:equal: want: is missing",
		`t:equal(nil, (function() end)())`:  "test.lua:2: t:equal: want: is missing",
		`t:check()`:                         "test.lua:2: t:check: condition: is missing",
		`t:status(nil, nil)`:                "test.lua:2: t:status: want: got nil, want a status or its number",
		`t:status("success", "success")`:    "test.lua:2: t:status: want: got the string \"success\", want a status",
		`t:status(rocblas.status_success)`:  "test.lua:2: t:status: have: is missing",
		`t:raises(nil, error, "x")`:         "test.lua:2: t:raises: status: got nil, want a status or its number",
		`t:equal(nil, nil) t:equal(nil, 1)`: "",
		`t:status(0, rocblas.status_success) t:status(rocblas.status_success, nil)`: "",
	} {
		rec := run(t, scenario("", "\n"+call), record.Case{})
		switch {
		case want == "" && (rec.End != nil || len(rec.Checks) != 2 || !rec.Checks[0].Passed || rec.Checks[1].Passed):
			t.Errorf("%s: %v, %+v", call, rec.End, rec.Checks)
		case want != "" && (rec.End == nil || !strings.HasPrefix(rec.End.String(), want)):
			t.Errorf("%s: %v, want %s", call, rec.End, want)
		}
	}
}

// TestResidualMetrics records residuals and other metrics, some with equal values.
func TestResidualMetrics(t *testing.T) {
	rec := run(t, scenario(`params = { type = "c" }, metrics = { worst = "max" },`, `
		local A, x = array.random("s", 4, 4, 1), array.random("d", 4, 1, 2)
		local r, q = array.residual(A, x, x), array.orthogonality(array.random("d", 4, 4, 3))
		t:metric("r", r) t:metric("q", math.max(q, 0)) t:metric("half", r / 2) t:metric("count", 1)
		t:metric("bytes", 64, "bytes") t:metric("named", 1e-9, "residual")
		t:metric("worst", 1e-300) t:metric("worst", r)
		t:metric("zero", array.residual(array.zeros("d", 2, 2), array.zeros("d", 2), array.zeros("d", 2)))
		t:metric("one", array.lu_residual(array.identity("d", 2), array.zeros("d", 2, 2), array.of("i32", {1, 2})))`),
		record.Case{})
	const single, double = 0x1p-23, 0x1p-52
	want := map[string]float64{"r": single, "q": double, "half": 0, "count": 0, "bytes": 0, "named": single,
		"worst": single, "zero": double, "one": 0}
	if len(rec.Metrics) != len(want) {
		t.Errorf("%v, metrics %+v", rec.End, rec.Metrics)
	}
	for _, m := range rec.Metrics {
		if m.Epsilon != want[m.Name] {
			t.Errorf("%s = %v has the rounding unit %g, want %g", m.Name, m.Value, m.Epsilon, want[m.Name])
		}
	}
}

// TestShownChecks checks what checks show, at their bounds.
func TestShownChecks(t *testing.T) {
	rec := run(t, scenario("", `
		t:near(1, 1.5, 0.5) t:near(1, 1.75, 0.5) t:near(-1, 1, 0.5) t:near(1/0, 1/0, 0)
		t:raises(rocblas.status_memory_error, rocblas.set_stream, nil, nil)
		t:raises(rocblas.status_memory_error, error, "broken", 0)
		t:metric("edge", 2^53) t:metric("below", 2^53 - 1) t:metric("low", -2^53) t:metric("above low", 1 - 2^53)`),
		record.Case{})
	for i, want := range []struct {
		passed bool
		have   string
	}{{true, "1"}, {false, "1"}, {false, "-1"}, {true, "+Inf"}, {false, "rocblas_status_invalid_handle"},
		{false, "error: broken"}} {
		if i >= len(rec.Checks) || rec.Checks[i].Passed != want.passed || rec.Checks[i].Have != want.have {
			t.Errorf("check %d of %+v, want %+v", i, rec.Checks, want)
		}
	}
	for i, want := range []any{float64(1 << 53), int64(1<<53 - 1), -float64(1 << 53), int64(1 - 1<<53)} {
		if i >= len(rec.Metrics) || rec.Metrics[i].Value != want {
			t.Errorf("metric %d of %+v, want %v", i, rec.Metrics, want)
		}
	}
	if marks := len(rec.History.Marks); marks != 4 {
		t.Errorf("%d marks of failed checks, want 4", marks)
	}
}

// TestStreamsAreEqual compares userdata of one stream: the library still has a stream that was destroyed.
func TestStreamsAreEqual(t *testing.T) {
	rec := run(t, prelude+`local h, a, b = rocblas.create_handle(), hip.stream_create(), hip.stream_create()
		rocblas.set_stream(h, a)
		hip.stream_destroy(a)
		local first, second = rocblas.get_stream(h), rocblas.get_stream(h)
		assert(not rawequal(first, second) and first == second and first == a and first ~= b)
		rocblas.set_stream(h, nil) rocblas.destroy_handle(h) hip.stream_destroy(b)`, record.Case{})
	if rec.End != nil || len(rec.Problems) != 1 || !strings.Contains(rec.Problems[0], "destroyed stream 1") {
		t.Error(rec.End, rec.Problems)
	}
}

// TestResultsOfInvalidDatatypes calls a reduction without elements, which succeeds for every datatype. Its result can
// be read only if arrays have the datatype.
func TestResultsOfInvalidDatatypes(t *testing.T) {
	rec := run(t, scenario("", `
		local handle = rocblas.create_handle()
		for _, datatype in ipairs{165, 999} do
			print(rocblas.try.nrm2_ex(handle, 0, nil, 168, 1, datatype, 151))
			print(rocblas.try.nrm2_strided_batched_ex_64(handle, -1, nil, 168, 0, 0, 2, datatype, 151))
		end
		handle:close()`), record.Case{})
	want := strings.Repeat("nil\trocblas_status_success\tnil\n", 4)
	if rec.End != nil || rec.Log != want {
		t.Errorf("%+v\n%s", rec.End, rec.Log)
	}
}
