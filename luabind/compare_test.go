package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestCompare compares arrays: what counts as equal, and the element that a failure names.
func TestCompare(t *testing.T) {
	const ones = `array.of("d", {1, 1, 1, 1}, 2)`
	for name, test := range map[string]struct{ arguments, have, want string }{ // no have: the check passes
		"equal": {arguments: ones + `, ` + ones},
		"other element": {ones + `, array.of("d", {1, 1, 1.5, 1}, 2)`,
			"1 at (1, 2), 0.5 away; 1 of 4 elements differ", "1.5"},
		"within rtol": {arguments: `array.of("d", {100, 1}), array.of("d", {101, 1.01}), {rtol = 0.01}`},
		"within atol": {arguments: `array.of("d", {1, 1e-9}), array.of("d", {1, 0}), {atol = 1e-9}`},
		"beyond rtol": {`array.of("d", {1e-9}), array.of("d", {0}), {rtol = 0.5}`,
			"1e-09 at (1, 1)", "0 within 0.5 * |want|"},
		"worst by error": {`array.of("d", {1, 1000}), array.of("d", {1.5, 1001}), {rtol = 1e-3}`,
			"1 at (1, 1), 0.5 away; 1 of 2", "1.5 within 0.001"},
		"both tolerances": {`array.of("d", {3}), array.of("d", {1}), {rtol = 1, atol = 0.5}`,
			"3 at (1, 1), 2 away", "1 within 0.5 + 1 * |want|"},
		"single precision": {`array.of("s", {0.1}), array.of("s", {0.2})`, "0.1 at (1, 1)", "0.2"},
		"complex":          {`array.of("z", {{1, 2}}), array.of("z", {{1, -2}})`, "(1+2i) at (1, 1), 4 away", "(1-2i)"},
		"complex and real": {arguments: `array.of("c", {{1, 0}}), array.of("d", {1})`},
		"integers":         {`array.of("i32", {1, 7}), array.of("i32", {1, 8})`, "7 at (2, 1), 1 away", "8"},
		"NaN": {`array.of("d", {0/0, 5}), array.of("d", {0/0, 6})`,
			"NaN at (1, 1), +Inf away; 2 of 2", "NaN"},
		"NaN allowed": {arguments: `array.of("d", {0/0}), array.of("d", {0/0}), {nan_equal = true}`},
		"one NaN": {`array.of("d", {0/0}), array.of("d", {1}), {nan_equal = true, atol = 1e9}`,
			"NaN at (1, 1)", "1 within"},
		"NaN in one part": {`array.of("z", {{0/0, 1}}), array.of("z", {{0/0, 2}}), {nan_equal = true}`,
			"(NaN+1i) at (1, 1), 1 away", "(NaN+2i)"},
		"infinite":           {arguments: `array.of("d", {1/0, -1/0}), array.of("d", {1/0, -1/0})`},
		"other sign":         {`array.of("d", {1/0}), array.of("d", {-1/0}), {rtol = 1}`, "+Inf at (1, 1)", "-Inf"},
		"infinite tolerance": {`array.of("d", {1}), array.of("d", {1/0}), {rtol = 1}`, "1 at (1, 1)", "+Inf"},
		"upper":              {arguments: `array.of("d", {1, 9, 1, 1}, 2), ` + ones + `, {region = "upper"}`},
		"lower": {`array.of("d", {1, 9, 1, 1}, 2), ` + ones + `, {region = "lower"}`,
			"9 at (2, 1), 8 away; 1 of 3", "1"},
		"strictly lower": {arguments: `array.of("d", {9, 1, 9, 9}, 2), ` + ones + `, {region = "strictly_lower"}`},
		"strictly upper": {arguments: `array.of("d", {9, 9, 1, 9}, 2), ` + ones + `, {region = "strictly_upper"}`},
		"diagonal":       {arguments: `array.of("d", {1, 9, 9, 1}, 2), ` + ones + `, {region = "diagonal"}`},
		"region of each problem": {arguments: `array.of("d", {1, 9, 1, 1, 1, 9, 1, 1}, 2),
			array.of("d", {1, 1, 1, 1, 1, 1, 1, 1}, 2), {region = "upper", batch = 2}`},
		"problem": {`array.of("d", {1, 1, 1, 9}, 1), array.of("d", {1, 1, 1, 1}, 1), {batch = 2}`,
			"9 at (1, 2) of problem 2", "1"},
		"empty": {`array.zeros("d", 0, 3), array.zeros("d", 0, 3)`, "no elements", "elements in the region all"},
		"empty region": {`array.of("d", {1}), array.of("d", {1}), {region = "strictly_lower"}`, "no elements",
			"elements in the region strictly_lower"},
	} {
		r := run(t, `local array = require "array"
			return { run = function(t) t:equal(t:compare(`+test.arguments+`), `+boolean(test.have == "")+`) end }`,
			record.Case{})
		if r.End != nil || len(r.Checks) != 2 || !r.Checks[1].Passed {
			t.Errorf("%s: %v %+v", name, r.End, r.Checks)
			continue
		}
		if c := r.Checks[0]; test.have != "" && (!strings.Contains(c.Have, test.have) ||
			!strings.HasPrefix(c.Want, test.want) || c.Text != "compare") {
			t.Errorf("%s: have %q, want %q (%s)", name, c.Have, c.Want, c.Text)
		}
	}
}

func boolean(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// TestCompareMessages makes wrong calls of t:compare.
func TestCompareMessages(t *testing.T) {
	for _, test := range []struct{ arguments, want string }{
		{`array.zeros("d", 2), array.zeros("d", 3)`, "t:compare: have: 2x1 does not fit want, 3x1"},
		{`array.zeros("d", 2), array.zeros("d", 2), {rtool = 1}`, `unknown option "rtool", did you mean "rtol"?`},
		{`array.zeros("d", 2), array.zeros("d", 2), {atol = -1}`,
			"t:compare: atol: -1 is not a tolerance, which is a finite number of 0 or more"},
		{`array.zeros("d", 2), array.zeros("d", 2), {rtol = 1/0}`, "t:compare: rtol: +Inf is not a tolerance"},
		{`array.zeros("d", 2), array.zeros("d", 2), {rtol = 0/0}`, "t:compare: rtol: NaN is not a tolerance"},
		{`array.zeros("d", 2), array.zeros("d", 2), {region = "uper"}`, `did you mean "upper"?`},
		{`array.zeros("d", 2, 3), array.zeros("d", 2, 3), {batch = 2}`, "does not hold 2 problems"},
		{`{1}, array.zeros("d", 1)`, "t:compare: have: got a table, want an array"},
	} {
		r := run(t, `local array = require "array"
			return { run = function(t) t:compare(`+test.arguments+`) end }`, record.Case{})
		if r.End == nil || !strings.Contains(r.End.Message, test.want) {
			t.Errorf("%s: %+v, want %q", test.arguments, r.End, test.want)
		}
	}
}

// TestEqualArrays compares arrays with t:equal, also in tables: type, shape and elements.
func TestEqualArrays(t *testing.T) {
	for _, test := range []struct{ have, want, haveText, wantText string }{ // no haveText: they are equal
		{have: `array.of("d", {1, 2, 3, 4}, 2)`, want: `array.of("d", {1, 2, 3, 4}, 2)`},
		{have: `array.of("z", {{1, 2}})`, want: `array.of("z", {{1, 2}})`},
		{have: `array.zeros("s", 0, 3)`, want: `array.zeros("s", 0, 3)`},
		{have: `array.of("d", {0})`, want: `array.of("d", {-0.0})`},
		{have: `{x = {array.of("i32", {1})}}`, want: `{x = {array.of("i32", {1})}}`},
		{`array.of("d", {1, 2, 3, 4}, 2)`, `array.of("d", {1, 2, 7, 8}, 2)`, "array(d, 2x2), 3 at (1, 2)",
			"array(d, 2x2), 7"},
		{`array.of("c", {{1, 2}})`, `array.of("c", {{1, 3}})`, "array(c, 1x1), (1+2i) at (1, 1)",
			"array(c, 1x1), (1+3i)"},
		{`array.of("d", {0/0})`, `array.of("d", {0/0})`, "array(d, 1x1), NaN at (1, 1)", "array(d, 1x1), NaN"},
		{`array.of("d", {1})`, `array.of("s", {1})`, "array(d, 1x1)", "array(s, 1x1)"},
		{`array.of("d", {1, 2}, 1)`, `array.of("d", {1, 2}, 2)`, "array(d, 1x2)", "array(d, 2x1)"},
		{`{x = {array.of("i64", {1, 2})}}`, `{x = {array.of("i64", {1, 3})}}`, "{x = {array(i64, 2x1)}}, 2 at (2, 1)",
			"{x = {array(i64, 2x1)}}, 3"},
		{`array.of("d", {1})`, `{1}`, "array(d, 1x1)", "{1}"},
		{`array.of("d", {1})`, `hip.stream_create()`, "array(d, 1x1)", "stream"},
	} {
		r := run(t, `local array, hip = require "array", require "hip"
			return { run = function(t) t:equal(`+test.have+", "+test.want+`) end }`, record.Case{})
		if len(r.Checks) != 1 || r.Checks[0].Passed != (test.haveText == "") || test.haveText != "" &&
			(r.Checks[0].Have != test.haveText || !strings.Contains(r.Checks[0].Want, test.wantText)) {
			t.Errorf("%s, %s: %v %+v", test.have, test.want, r.End, r.Checks)
		}
	}
}

// TestTolerances makes checks with tolerances that permit every difference, or none.
func TestTolerances(t *testing.T) {
	for text, shown := range map[string]string{"1/0": "+Inf", "-1/0": "-Inf", "0/0": "NaN", "-1": "-1"} {
		r := run(t, "return { run = function(t) t:near(1, 1, "+text+") end }", record.Case{})
		want := "t:near: tolerance: " + shown + " is not a tolerance, which is a finite number of 0 or more"
		if r.End == nil || !strings.Contains(r.End.Message, want) {
			t.Errorf("%s: %+v", text, r.End)
		}
	}
}
