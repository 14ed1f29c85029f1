package input

import (
	"errors"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"roclua/tests/busy"
)

// nested returns text with n brackets within each other.
func nested(n int, open, middle, end string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// TestNesting decodes text that is nested as deep as allowed, and refuses deeper text at its place,
// without decoding it.
func TestNesting(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"lists":          func(n int) string { return "x = " + nested(n, "[", "", "]") },
		"tables":         func(n int) string { return "x = " + nested(n, "{a=", "1", "}") },
		"key":            func(n int) string { return "a" + strings.Repeat(".a", n) + " = 1" },
		"header":         func(n int) string { return "[" + "a" + strings.Repeat(".a", n-1) + "]\nb = 1" },
		"after a string": func(n int) string { return `x = ["""a"""", ` + nested(n-1, "[", "", "]") + "]" },
		"after escapes":  func(n int) string { return `x = ["\"[", '\', ` + nested(n-1, "[", "", "]") + "]" },
		"after a comment": func(n int) string {
			return "# \"[[\nx = ['''\n\"''', # '''\n" + nested(n-1, "[", "", "]") + "]"
		},
	} {
		var tree map[string]any
		if err := DecodeTOML(text(maxNesting), &tree); err != nil {
			t.Errorf("%s, as deep as allowed: %v", name, err)
		}
		var deep toml.ParseError
		if err := DecodeTOML(text(maxNesting+1), &tree); !errors.As(err, &deep) || deep.Position.Start < maxNesting ||
			deep.Message != "values or keys are nested more than 100 deep" {
			t.Errorf("%s: %v at %+v", name, err, deep.Position)
		}
		at, much := deep.Position, text(5_000)
		used := busy.Allocated(func() {
			if err := DecodeTOML(much, &tree); !errors.As(err, &deep) || deep.Position.Start > at.Start+1 {
				t.Errorf("%s, much deeper: %v at %+v", name, err, deep.Position)
			}
		})
		if used > 1<<18 {
			t.Errorf("%s, much deeper: allocated %d bytes", name, used)
		}
	}
	wide := "x = [" + strings.Repeat("[1.5, {a.b = 2.5}],", 1000) + "]\n" + strings.Repeat("[[t]]\na.b = 1.5\n", 1000) +
		`s = "` + strings.Repeat("[.", 1000) + `" # ` + strings.Repeat("[.", 1000)
	if err := DecodeTOML(wide, new(map[string]any)); err != nil {
		t.Errorf("not deep: %v", err)
	}
}
