package luabind_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind"
	"roclua/luabind/api"
	"roclua/luabind/record"
)

// TestLongStrings passes long strings to every function of the modules, in each of the first positions, and as names of
// fields. Errors do not repeat them.
func TestLongStrings(t *testing.T) {
	var calls strings.Builder
	for _, f := range api.Functions() {
		if f.Routine != nil || f.Name == "log" || f.Name == "raises" {
			continue // routines share one reader; t:log prints, and t:raises records its argument
		}
		owner := map[string]string{"handle": "h", "array": "a", "test": "t"}[f.Owner]
		switch {
		case f.IsMethod() && owner == "":
			continue // of objects that this test does not make
		case !f.IsMethod():
			owner = f.Owner
		}
		fmt.Fprintf(&calls, "try(%q, function() return %s.%s end, %s)\n", f.Title(), owner, f.Name, owner)
	}
	body := `
		local h, a, S = rocblas.create_handle(), array.zeros("d", 1), ("x"):rep(65537)
		local n = 0
		local function refused(name, ok, e)
			n = n + 1
			if not ok and #tostring(e) > 1000 then t:check(false, name .. ": " .. #tostring(e) .. " bytes") end
		end
		local function try(name, get, self)
			refused(name, pcall(get(), S)) refused(name, pcall(get(), self, S)) refused(name, pcall(get(), self, 1, S))
			refused(name, pcall(get(), { [S] = 1 })) refused(name, pcall(get(), self, { [S] = S }))
		end
		for _, v in ipairs { h, t, a, hip.malloc(8), hip.stats(), hip.stream_create(), rocblas,
				rocsolver, hip, array, rocblas.try, rocblas.status_success, hip.get_device_properties(0) } do
			refused("field", pcall(function() return v[S].x end))
			refused("field", pcall(function() v[S].x = 1 end))
		end
		` + calls.String() + `
		t:metric("n", n) t:equal(S, S) t:log(S)`
	rec := runLimited(t, strings.Replace(scenarioWith(body, ""), `local rocblas, hip`,
		`local rocsolver, hipsolver, hipblas = require "rocsolver", require "hipsolver", require "hipblas" `+
			`local rocblas, hip`, 1), record.Limits{}, luabind.Options{})
	if rec.End != nil || len(rec.Metrics) != 1 || rec.Metrics[0].Value.(int64) < 500 {
		t.Fatalf("%v, %v", rec.End, rec.Metrics)
	}
	for _, c := range rec.Checks {
		if !c.Passed {
			t.Errorf("%.200s", c.Text)
		}
	}
}

// TestLongTextsAreRefused checks the message, and that the longest allowed text is accepted.
func TestLongTextsAreRefused(t *testing.T) {
	for body, want := range map[string]string{
		`t:skip(S)`:         "t:skip: reason: got a string of 65537 bytes, want at most 65536",
		`t:metric(S, 1)`:    "t:metric: name: got a string of 65537 bytes, want at most 65536",
		`t:metric("a", S)`:  "t:metric: value: got a string of 65537 bytes, want at most 65536",
		`t:check(true, S)`:  "t:check: text: got a string of 65537 bytes, want at most 65536",
		`hip.bytes(S)`:      "hip.bytes: size: got a string of 65537 bytes, want at most 65536",
		`return rocblas[S]`: "rocblas: got a string of 65537 bytes, want at most 65536",
		`for i = 1, 10001 do t:metric("m" .. i, i) end`: "t:metric: a case can have at most 10000 metrics",
		`for i = 1, 10002 do pcall(t.metric, t, "m" .. math.min(i, 10001), i) end t:metric("m10001", 1)`: "t:metric: " +
			"a case can have at most 10000 metrics",
	} {
		source := scenarioWith(`local S = ("x"):rep(65537) `+body, "")
		rec := runLimited(t, source, record.Limits{}, luabind.Options{})
		if rec.End == nil || rec.End.Message != want {
			t.Errorf("%s: %.200v, want %s", body, rec.End, want)
		}
	}
	rec := runLimited(t, scenarioWith(`local S = ("x"):rep(65536) t:metric(S, S) t:check(true, S) t:skip(S)`, ""),
		record.Limits{}, luabind.Options{})
	if rec.End != nil || len(rec.Skipped) != 65536 || len(rec.Metrics) != 1 || len(rec.Checks) != 1 {
		t.Errorf("texts that are as long as allowed: %.200v", rec.End)
	}
}

// TestOutputCountsBytes prints text up to the limit of output, and a byte more. What reports escape counts with its
// escapes, and what only some of them escape does not.
func TestOutputCountsBytes(t *testing.T) {
	for text, size := range map[string]int{"x": 1, "é": 2, `\255`: len(`\xff`), "<": 1, `\"`: 1, `\n`: 1} {
		for _, more := range []int{0, 1} {
			source := scenarioWith(fmt.Sprintf(`io.write(("%s"):rep(%d))`, text, 70_000/size+more), "")
			rec := runLimited(t, source, record.Limits{Output: 70_000}, luabind.Options{})
			exceeds := rec.End != nil && rec.End.Limit != nil && rec.End.Limit.Name == "output"
			if exceeds != (more == 1) {
				t.Errorf("%q: %v", text, rec.End)
			}
			if len(rec.Log) != 70_000 {
				t.Errorf("%q: the log has %d bytes", text, len(rec.Log))
			}
		}
	}
}
