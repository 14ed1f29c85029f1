package luabind_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

func metric(rec *record.Record, name string) (value any, ok bool) {
	for _, m := range rec.Metrics {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// TestMeasure measures a prepared call and a function. The counts of the case contain one call of each.
func TestMeasure(t *testing.T) {
	rec := run(t, scenario("", preparedCall+`
		local m = t:measure("gemm", { max_time = 0.05, calls = 4, min_samples = 3 }, call)
		t:equal(m.calls, 4)
		t:check(m.samples >= 3 and m.device.median > 0 and m.host.median > 0 and m.device.p95 >= m.device.median)
		t:equal(m.simulated, true)
		t:check(math.abs(m.gflops * 1e9 * m.device.median - 16) < 1e-6)     -- 2 x 2 x 2 x 2
		t:check(math.abs(m.gbs * 1e9 * m.device.median - 4 * 32) < 1e-6)    -- A, B, and C twice
		local calls = 0
		local f = t:measure("f", { max_time = 0, calls = 1, rotate = 3, min_samples = 1, flops = 7 }, function(i)
			calls = calls + 1
			t:check(i == (calls - 1) % 3 + 1, "the copies take turns")
			call()
		end)
		t:equal(f.gbs, nil)
		local both = t:measure("both", { cold = true, hot = true, max_time = 0.01 }, call)
		t:check(both.calls >= 1 and both.cold.calls == 1 and both.cold.samples >= 1 and both.cold.cold == nil)
		t:equal(hip.stats().kernels, 3)
		t:equal(hip.stats().calls.hipEventRecord, 0)`+finish), record.Case{})
	if !rec.Passed() {
		t.Fatalf("%+v, %v, %v", rec.Checks, rec.Problems, rec.End)
	}
	if n := rec.Statuses["rocblas_dgemm.success"]; n != 3 {
		t.Errorf("%d statuses are counted", n)
	}
	for _, name := range []string{"gemm.device.median", "gemm.device.p95", "gemm.host.median", "gemm.noise",
		"gemm.samples", "gemm.gflops", "gemm.gbs", "f.gflops", "both.hot.device.median", "both.cold.noise"} {
		if _, ok := metric(rec, name); !ok {
			t.Errorf("no metric %s", name)
		}
	}
	m := rec.Measurements[0]
	if len(m.Device.Quantiles) != record.Quantiles || !slices.IsSorted(m.Device.Quantiles) {
		t.Errorf("quantiles %v", m.Device.Quantiles)
	}
	if m.Notes != nil {
		t.Errorf("notes %q", m.Notes)
	}
}

// TestMeasureNotes measures calls that make the library wait, and that make a workspace grow each time.
func TestMeasureNotes(t *testing.T) {
	rec := run(t, scenario("", `
		local h, p = rocblas.create_handle(), hip.malloc(8 * 1024 * 1024)
		hip.memset(p, 0, 8 * 1024 * 1024)
		local o = { max_time = 0, calls = 2, min_samples = 1 }
		t:measure("sum", o, h:prepare("dasum", { n = 4, x = p }))
		t:measure("grow", o, function()
			rocblas.set_device_memory_size(h, 64)
			rocblas.set_workspace(h, nil, 0)
			h:dasum{ n = 1024 * 1024, x = p }
		end)
		hip.free(p) h:close()`), record.Case{})
	if rec.End != nil {
		t.Fatal(rec.End)
	}
	if notes := rec.Measurements[0].Notes; len(notes) != 1 ||
		notes[0] != "the library waited for the device 2 times (result): device times contain the host's" {
		t.Errorf("%q", notes)
	}
	if notes := rec.Measurements[1].Notes; !slices.ContainsFunc(notes, func(note string) bool {
		return contains(note, "the workspace of a handle grew 2 times")
	}) {
		t.Errorf("%q", notes)
	}
}

// TestMeasureRotates checks that calls in turn use the copies of the arguments, and that the copies are freed. It uses
// the time of the machine: repeated calls compute only there.
func TestMeasureRotates(t *testing.T) {
	script, err := luabind.Compile("test.lua", []byte(scenario("", preparedCall+`
		local before = hip.stats().live_bytes
		t:measure("gemm", { max_time = 0, calls = 4, min_samples = 1, rotate = 4 }, call)
		t:equal(c(), 1 + 2 + 2) -- the first call, and one of the four
		t:equal(hip.stats().live_bytes, before)
		call()
		t:equal(c(), 7)`+finish)))
	if err != nil {
		t.Fatal(err)
	}
	rec := runOn(t, t.Context(), script, record.Case{}, driver.Config{MemoryBytes: 1 << 30, RealTime: true})
	wantPassed(t, rec, 3)
}

// TestMeasureFails checks that the errors of t:measure say what is wrong, and that a failing call fails the case.
func TestMeasureFails(t *testing.T) {
	for code, want := range map[string]string{
		`t:measure("a", { max_tim = 1 }, call)`:                          `unknown option "max_tim", did you mean`,
		`t:measure("a", 1)`:                                              "call: got the number 1, want a function or",
		`t:measure("a", { max_time = -1 }, call)`:                        "max_time: got -1, want a number between 0",
		`t:measure("a", { max_noise = 0/0 }, call)`:                      "max_noise: got NaN, want",
		`t:measure("a", { flops = "x" }, call)`:                          "flops: got ",
		`t:measure("a", { cold = 1 }, call)`:                             "cold: got the number 1, want true or false",
		`t:measure("kernels", call)`:                                     `"kernels" is the name of a measured value`,
		`t:measure("a", { max_time = 0 }, function() error("boom") end)`: "boom",
		`call:set{ lda = 1 } t:measure("a", call)`:                       "rocblas_dgemm: invalid_size: lda is 1",
		`hip.stream_begin_capture(hip.stream_create(), 2) t:measure("a", print)`: "a stream is captured; measure the " +
			"launch of its graph",
		`t:measure("a", { rotate = 2 }, h:prepare("dgemm_batched", { m = 1, n = 1, k = 1, alpha = 1, A = p, B = p,
			beta = 0, C = p, batch_count = 0 }))`: "rotate: A of rocblas_dgemm_batched is an array of device pointers",
	} {
		rec := run(t, scenario("", preparedCall+code), record.Case{})
		if rec.End == nil || !contains(rec.End.Message, want) {
			t.Errorf("%s: %+v, want %q", code, rec.End, want)
		}
	}
}

// TestMetricsAreRecordedOnce records names that are taken: by a measurement, a load, a row, or a measured value.
func TestMetricsAreRecordedOnce(t *testing.T) {
	const measure, fields = `t:measure("m", { max_time = 0 }, call) `, `metrics = { ["m.host.median"] = "last" },`
	const byMeasure = `"m.host.median" was recorded before, by t:measure; choose another name`
	const load = `workload = { clients = 1, count = 1 }, event = function() end, `
	for _, test := range []struct{ source, want string }{
		{scenario("", preparedCall+measure+measure),
			`t:measure: name: "m.device.median" was recorded before, by t:measure`},
		{scenario("", preparedCall+measure+`t:metric("m.host.median", 0)`), "t:metric: name: " + byMeasure},
		{scenario(fields, preparedCall+measure+`t:metric("m.host.median", 0)`), "t:metric: name: " + byMeasure},
		{scenario(fields, preparedCall+`t:metric("m.host.median", 0)`+measure),
			`t:measure: name: "m.host.median" was recorded before, by t:metric; choose another name`},
		{scenario("", `for _ = 1, 2 do
			t:case("r", function(t) t:measure("m", { max_time = 0 }, print) end) end`),
			`t:measure: name: "r.m.device.median" was recorded before, by t:measure`},
		{scenario("", `t:case("hip", function(t) t:metric("malloc", 1) end)`),
			`t:metric: name: "hip.malloc" is the name of a measured value`},
		{`return { ` + load + `teardown = function(t) t:metric("events", 0) end }`,
			`t:metric: name: "events" was recorded before, by workload; choose another name`},
		{`return { ` + load + `metrics = { events = "max" }, teardown = function(t) t:metric("events", 9) end }`,
			`t:metric: name: "events" was recorded before, by workload; choose another name`},
		{`return { ` + load + `setup = function(t) t:metric("events", 0) end }`,
			`workload: name: "events" was recorded before, by t:metric; choose another name`},
	} {
		r := loadOf(t, test.source, record.Limits{Timeout: time.Minute}, record.Case{})
		text := strings.Join(r.Problems, "\n")
		if r.End != nil {
			text += r.End.Message
		}
		names := map[string]bool{}
		for _, m := range r.Metrics {
			if names[m.Name] {
				t.Errorf("%s: %s twice", test.source, m.Name)
			}
			names[m.Name] = true
		}
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %q, want %q", test.source, text, test.want)
		}
	}
}

// TestMeasureTakesMinTime checks that the rule of the options is kept.
func TestMeasureTakesMinTime(t *testing.T) {
	script, err := luabind.Compile("test.lua", []byte(scenario("", preparedCall+`
		local m = t:measure("gemm", { min_time = 0.05, max_noise = 1, max_time = 5 }, call)
		t:equal(m.stopped, "noise")
		t:check(m.noise <= 1)
		t:metric("whole", m.samples * m.calls * m.device.median)`+finish)))
	if err != nil {
		t.Fatal(err)
	}
	rec := runOn(t, t.Context(), script, record.Case{}, driver.Config{MemoryBytes: 1 << 30, RealTime: true})
	wantPassed(t, rec, 2)
	if whole, _ := metric(rec, "whole"); math.IsNaN(whole.(float64)) || whole.(float64) <= 0 {
		t.Errorf("whole %v", whole)
	}
	if rec.Seconds < 0.05 {
		t.Errorf("ran for %g s", rec.Seconds)
	}
}

// TestMeasureInVirtualTime counts the samples of measurements, which follow from virtual times alone, and reads what
// only the first call has computed. The model has 4 us for a small kernel.
func TestMeasureInVirtualTime(t *testing.T) {
	script, err := luabind.Compile("test.lua", []byte(scenario("", `local h, out = t:open(), array.zeros("d", 8)
		local ones = array.zeros("d", 8) ones:fill(1)
		local x = t:upload(ones)
		local scal = h:prepare("dscal", { n = 8, alpha = 2, x = x })
		local few = t:measure("few", {}, scal)
		t:equal(few.samples, 10)
		t:equal(hip.download(out, x)[8], 2)
		for _, rotate in ipairs { 1, 3 } do
			local m = t:measure("m" .. rotate, { min_time = 0.05, rotate = rotate }, scal)
			local each = 8 * m.host.median
			t:check(m.samples * each <= 0.05 and m.samples * (each + 30e-6) >= 0.05, "it takes 50 ms")
			t:metric("samples" .. rotate, m.samples)
		end
		t:equal(hip.download(out, x)[8], 8)
		local calls = 0
		local f = t:measure("f", { min_time = 0.001 }, function() calls = calls + 1 scal() end)
		t:equal(calls, 1 + f.samples * f.calls)
		t:equal(hip.download(out, x)[8], 8 * 2 ^ calls)`)))
	if err != nil {
		t.Fatal(err)
	}
	first := runOn(t, t.Context(), script, record.Case{}, driver.Config{MemoryBytes: 1 << 30})
	wantPassed(t, first, 7)
	again := runOn(t, t.Context(), script, record.Case{}, driver.Config{MemoryBytes: 1 << 30})
	if !reflect.DeepEqual(first.Metrics, again.Metrics) {
		t.Errorf("%v, and then %v", first.Metrics, again.Metrics)
	}
}
