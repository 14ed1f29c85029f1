package script_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind/vm/script"
)

// TestSourceBounds compiles sources at the bounds of their size and depth.
func TestSourceBounds(t *testing.T) {
	nested := func(n int) string { return "x = " + strings.Repeat("not ", n-2) + "1" }
	for _, test := range []struct {
		name, source string
		ok           bool
	}{
		{"size", "x = 1" + strings.Repeat(" ", 16<<20-5), true},
		{"size + 1", "x = 1" + strings.Repeat(" ", 16<<20-4), false},
		{"depth", nested(2000), true}, {"depth + 1", nested(2001), false},
	} {
		if _, err := script.Compile("test.lua", []byte(test.source)); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	_, err := script.Compile("test.lua", []byte("x = 1\ny = {}\nreturn "+strings.Repeat("a .. ", 3000)+"a"))
	if e := placeOf(err); e.line != 3 || !strings.Contains(e.message, "more than 2000 deep") {
		t.Errorf("%+v", e)
	}
}

// TestLevels compiles brackets and functions that are nested as deep as in Lua 5.1 at most, and one deeper.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		text, open, closed string
		most               int
	}{
		{"return %s", "{", "}", 196}, {"return %s", "(", ")", 196}, {"return a%s", "[a", "]", 196},
		{"f%s", "(f", ")", 197}, {"return function() return %s end", "{", "}", 194},
		{"do do return %s end end", "{", "}", 194}, {"repeat x = %s until a", "{", "}", 195},
		{"if a then b() elseif c then d = %s end", "function() return ", " end", 97},
	} {
		for depth := test.most - 1; depth <= test.most+1; depth++ {
			text := strings.Repeat(test.open, depth) + "1" + strings.Repeat(test.closed, depth)
			_, err := script.Compile("test.lua", []byte(strings.Replace(test.text, "%s", text, 1)))
			if err == nil && depth <= test.most {
				continue
			}
			if depth <= test.most || err == nil || placeOf(err).message != "chunk has too many syntax levels" {
				t.Errorf("%s with %d of %q: %v", test.text, depth, test.open, err != nil)
			}
		}
	}
	if _, err := script.Compile("test.lua", []byte(`return "`+strings.Repeat("([{", 300)+`"`)); err != nil {
		t.Errorf("brackets in a string: %v", err)
	}
	begun := []byte("return " + strings.Repeat("{", 4e5) + strings.Repeat("}", 4e5))
	if n := testing.AllocsPerRun(1, func() { script.Compile("test.lua", begun) }); n > 1e4 {
		t.Errorf("%v allocations for a text that Lua refuses at its begin", n)
	}
}

// TestConstantsOfFunctions compiles as many constants as a recorded application has, in functions that have few.
func TestConstantsOfFunctions(t *testing.T) {
	var source strings.Builder
	for i := range 300 { // more together than one function may have
		source.WriteString("do local function part()\n")
		for j := range 100 {
			fmt.Fprintf(&source, "x = %d.5\n", 100*i+j)
		}
		source.WriteString("end end\n")
	}
	source.WriteString("y = 1")
	if _, err := script.Compile("test.lua", []byte(source.String())); err != nil {
		t.Fatal(err)
	}
	// The names of the outer function still count after an inner one.
	outer := manyNames(12_000) + "function f() end\n" + strings.ReplaceAll(manyNames(13_000), "x", "y")
	_, err := script.Compile("test.lua", []byte(outer))
	if e := placeOf(err); e.line < 23_000 || !strings.Contains(e.message, "in one function") {
		t.Errorf("%v", err)
	}
}

// manyNames returns assignments to n globals.
func manyNames(n int) string {
	var source strings.Builder
	for i := range n {
		fmt.Fprintf(&source, "x%d=1\n", i)
	}
	return source.String()
}

// TestManyConstants compiles a source with more constants than the compiler can compare in time.
func TestManyConstants(t *testing.T) {
	source := manyNames(24_000)
	_, err := script.Compile("test.lua", []byte(source))
	if e := placeOf(err); e.line < 23_000 || e.source == "" ||
		!strings.Contains(e.message, "too many different constants (23") {
		t.Errorf("%v", err)
	}
}
