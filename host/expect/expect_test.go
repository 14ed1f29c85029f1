package expect_test

import (
	"math"
	"strings"
	"testing"

	"roclua/host/expect"
)

func TestHolds(t *testing.T) {
	for _, test := range []struct {
		text  string
		value any
		want  bool
	}{
		{"< 1e-10", 1e-11, true}, {"< 1e-10", 1e-10, false}, {"<1e-10", math.NaN(), false}, {"!= 1", math.NaN(), false},
		{"!= 0 or == 0", math.NaN(), false}, {"!= 'failed'", math.NaN(), false}, {"!= 'failed'", 1.0, false},
		{"!= true", 1.0, false}, {"!= true", false, true}, {"!= 1", "1", false},
		{"== 4732160", int64(4732160), true}, {"== 4732160", uint64(4732161), false}, {">= 32MiB", 1 << 25, true},
		{"<= 64KiB", 65537, false},
		{"> 0\tand\t< 10", 5.0, true},
		{"> 0 and < 10", 5.0, true}, {"> 0 and < 10", 10.0, false}, {"== 1 or == 2", 2.0, true}, {"== 1 or > 5 and < 7",
			6.0, true},
		{"== \"ok\"", "ok", true}, {"!= 'ok'", "no", true}, {"== 'ok'", 1.0, false}, {"== true", true, true},
		{"== true", false, false}, {"== 1", "1", false},
		{"< 5%", 0.04, true}, {"< 5%", 0.06, false}, {"<= 2", 2.0, true}, {"<= 2", 2.1, false}, {"> 2", 2.0, false},
		{"> 2", 2.1, true}, {">= 2", 1.9, false}, {"== ''", "", true},
		{"< 5ms", 0.004, true}, {"< 5ms", 0.005, false}, {"== 300us", 0.0003, true}, {"> 2µs and < 1min", 59.0, true},
		{"== 1.5h", 5400.0, true}, {"== -3ns", -3e-9, true}, {"<= 2s", int64(2), true}, {"== 1e-3s", 0.001, true},
		{"== '' or == 'x'", "x", true},
	} {
		e, err := expect.Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if have := e.Holds(test.value); have != test.want {
			t.Errorf("%v %s is %v", test.value, test.text, have)
		}
	}
}

func TestMessages(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "column 1: want a comparison",
		"1e-10":                        "column 1: want a comparison",
		"< small":                      `column 3: "small" is not a finite number`,
		"< 1 < 2":                      "column 5: unexpected",
		"< 1 and":                      "column 8: want a comparison",
		"== \"open":                    "is not closed",
		"< 'a'":                        "compares numbers",
		"< NaN":                        "is not a finite number",
		"< 1 or < inf":                 `column 10: "inf" is not a finite number`,
		"!= -Inf":                      `column 4: "-Inf" is not a finite number`,
		"> -inf":                       "is not a finite number",
		"< inf%":                       "is not a finite number",
		"< 1e308K":                     "is not a finite number",
		"< 1e308h":                     "is not a finite number",
		"< 5 ms":                       `column 5: unexpected "ms"`,
		"< 5sec":                       "numbers may have a unit: KiB, MiB, GiB, %, ns, µs, ms, s, min or h",
		"< infs":                       "is not a finite number",
		"< ms":                         "is not a finite number",
		"== 1 and == 9007199254740993": `column 13: "9007199254740993" is a whole number that Lua cannot represent`,
		"==":                           `column 3: "" is not a finite number`,
		"== 1 and > '":                 "column 12: the text is not closed",
		"== 1 or < 'ab'":               "column 15: < compares numbers",
		"< 1 or > 2 xor":               "unexpected",
	} {
		if _, err := expect.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"": "is neither a metric", "p96(x)": `unknown function "p96"`,
		"p95(": "is neither a metric", "a b": "is neither a metric"} {
		if _, err := expect.ParseSubject(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestOver(t *testing.T) {
	values := []any{3.0, int64(1), 2.0, 4.0}
	for text, want := range map[string]float64{"min(x)": 1, "max(x)": 4, "mean(x)": 2.5, "median(x)": 2, "p95(x)": 4,
		"sum(x)": 10, "count(x)": 4} {
		s, err := expect.ParseSubject(text)
		if err != nil {
			t.Fatal(err)
		}
		if have, ok := s.Over(values); !ok || have != want {
			t.Errorf("%s is %v, want %v", text, have, want)
		}
		if _, ok := s.Over(nil); ok {
			t.Errorf("%s has a value of nothing", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"< 1e-10", "> 0 and < 32MiB or == 'x'", "== true"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := expect.Parse(text); err == nil {
			e.Holds(1.0)
			e.Holds("text")
		}
		if s, err := expect.ParseSubject(text); err == nil && s.Function != "" {
			s.Over([]any{1.0})
		}
	})
}
