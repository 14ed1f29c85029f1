package repl

import (
	"slices"
	"strings"
	"testing"
)

// TestScan finds the string or brace open at the end of a piece of Lua, marked with ^ before its first character.
func TestScan(t *testing.T) {
	for _, text := range []string{
		"", "x = 1", "f(", "f(^{", "f(^{ a = {}, b = (1)", "{}", "{(", "{[", ")", "} ^{", ")]} ^{ x", "^'abc",
		"'abc'", `^"a'b`, `"a'b"`, `'\''`, `^'\'`, `"\\"`, `^"\"`, "'a' ^'b", "x = ^{ 'a', 1", "^[[",
		"^[[ ] ]", "^[==[ ]=] ]]", "[==[ ]==]", "[[ { ]]", "[[ { ]] .. ^{", "[=[ ' ]=] ^'", "x[1]", "x^[[=",
		"[=", "[=a", "x = ^[=[", "a[b[1]]", "a[ ^[[", "^{ [1] = 2", "{ [", "^{ [[ } ]]", "{ [[ } ]] }",
		"-- { \n^{ x", "^{ -- }\n", "--[[ { ]] ^{ x", "--[[ ]] ^' --", "--[==[ ]] \n ]==] ^{", "--[ { \n^{",
		"1 --\n ^{", "^{ x = 1 - -1",
	} {
		plain := strings.Replace(text, "^", "", 1)
		have, at := scan(plain), strings.Index(text, "^")
		want := cursor{quoted: -1, brace: -1}
		switch {
		case at >= 0 && plain[at] == '{':
			want.brace = at
		case at >= 0:
			want.quoted, have.brace = at, -1 // the brace is not used inside a string
		}
		if have != want {
			t.Errorf("%q: %+v, want %+v", plain, have, want)
		}
	}
	for _, text := range []string{"--", "-- {", "x = 1 -- '", "--[[", "--[==[ ]] ", "{ --[[ } ]", "--[ x", "--["} {
		if have := scan(text); have != (cursor{comment: true, quoted: -1, brace: -1}) {
			t.Errorf("%q: %+v", text, have)
		}
	}
}

// TestCompleteNames completes names after other text, and names with a leading underscore only after one is typed.
func TestCompleteNames(t *testing.T) {
	s, _ := begin(t, false)
	defer s.End()
	s.Feed(t.Context(), "_hidden, point = 1, { _x = 1, y = 2 }")
	for text, want := range map[string][]string{"_hid": {"_hidden"}, "point.": {"y"}, "point._": {"_x"},
		"} poi": {"point"}, "[[ { ]] poi": {"point"}, "--[[ x ]] poi": {"point"}, "x = [=[ poi": nil,
		"{poi": {"point"}, "handle:dgetrf{": {"A = ", "info = ", "ipiv = ", "lda = ", "m = ", "n = "}} {
		if _, found := s.Complete(text); !slices.Equal(found, want) {
			t.Errorf("%s: %q, want %q", text, found, want)
		}
	}
	if _, found := s.Complete(""); slices.Contains(found, "_hidden") || !slices.Contains(found, "point") {
		t.Errorf("at the start of a line: %q", found)
	}
	s.Feed(t.Context(), "x = require(")
	if head, found := s.Complete(`"ro`); head != `"` || !slices.Equal(found, []string{"rocblas", "rocsolver"}) {
		t.Errorf("a module in a later line: %q + %q", head, found)
	}
	s.Discard()
	s.Feed(t.Context(), `x = require("rocblas`+"\\")
	if head, found := s.Complete("roc"); head != "roc" || found != nil {
		t.Errorf("a string that began in an earlier line: %q + %q", head, found)
	}
}
