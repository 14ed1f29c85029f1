package script_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind/vm/script"
)

// TestSourceBounds compiles sources at the bounds of their size and depth.
func TestSourceBounds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("do ", n) + strings.Repeat("end ", n) }
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
	deep := strings.Repeat("{", 3000) + strings.Repeat("}", 3000)
	_, err := script.Compile("test.lua", []byte("x = 1\ny = {\n"+deep+"}"))
	if e := placeOf(err); e.line != 3 || !strings.Contains(e.message, "more than 2000 deep") {
		t.Errorf("%+v", e)
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
