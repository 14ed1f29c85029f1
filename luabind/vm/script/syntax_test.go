package script_test

import (
	"errors"
	"testing"

	"roclua/luabind/vm/script"
)

// place is the place and the message of a syntax error.
type place struct {
	line, column    int
	source, message string
}

func placeOf(err error) place {
	var e *script.Error
	if !errors.As(err, &e) {
		return place{}
	}
	return place{e.Line, e.Column, e.Source, e.Message}
}

// TestSyntaxErrors looks at the place of syntax errors in files.
func TestSyntaxErrors(t *testing.T) {
	const atEnd = " at the end of the file"
	for source, want := range map[string]place{
		"local x = 1\nlocal = 2\n": {2, 7, "local = 2", `syntax error near "="`},
		"x = 1\nx = = 2":           {2, 5, "x = = 2", `syntax error near "="`},
		"\r\nx = ) \r\n":           {2, 5, "x = ) ", `syntax error near ")"`},
		"if true then":             {1, 0, "if true then", `syntax error near "then"` + atEnd},
		"x = (1\n+\n":              {3, 0, "", `syntax error near "+"` + atEnd},
		"print('x":                 {1, 0, "print('x", `unterminated string near "x"` + atEnd},
		"x = 'abc\nz = 1":          {1, 0, "x = 'abc", `unterminated string near "abc"`},
		"x = 1\n\ny = 'abc\nz = 1": {3, 0, "y = 'abc", `unterminated string near "abc"`},
		"x = 1\n\nbreak":           {3, 0, "break", "no loop to break"},
		"x = 1\ngoto x\nx = 2\n":   {2, 0, "goto x", "no visible label 'x' for <goto> at line 2"},
		"do\ngoto x\nend\n::y::":   {2, 0, "goto x", "no visible label 'x' for <goto> at line 2"},
		"goto x\nlocal a\n::x::\na = 1": {1, 0, "goto x",
			"<goto x> at line 1 jumps into the scope of local 'a'"},
		"x = 1 @ 2":                {1, 7, "x = 1 @ 2", `invalid token near "@"`},
		"\n\nx = 3e":               {3, 0, "x = 3e", `malformed number near "3e"`},
		"x = {\n1,\n3e }\n":        {3, 0, "3e }", `malformed number near "3e"`},
		"x = 1 -- é\nx = 2 .. 08x": {2, 0, "x = 2 .. 08x", `parse error near "x"` + atEnd},
		"#!/usr/bin/lua\nx = = 1":  {2, 5, "x = = 1", `syntax error near "="`},
	} {
		_, err := script.Compile("broken.lua", []byte(source))
		if have := placeOf(err); have != want {
			t.Errorf("%q: %+v, want %+v", source, have, want)
		}
	}
}

// TestEntryErrors looks at the place of syntax errors in entries at a prompt. The error is from reading a statement or
// an expression, whichever gets further into the entry.
func TestEntryErrors(t *testing.T) {
	for text, want := range map[string]place{
		"x = = 2":                {5, 5, "x = = 2", `syntax error near "="`},
		"= x +* 2":               {5, 6, "= x +* 2", `syntax error near "*"`},
		"  =  x )":               {5, 8, "  =  x )", `syntax error near ")"`},
		"= 1 2":                  {5, 5, "= 1 2", `syntax error near "2"`},
		"x +* 2":                 {5, 4, "x +* 2", `syntax error near "*"`},
		"x == 1 y":               {5, 8, "x == 1 y", `syntax error near "y"`},
		"x y":                    {5, 3, "x y", `parse error near "y"`},
		"return return":          {5, 13, "return return", `syntax error near "return"`},
		"x = {\n1,\n2 = 3}":      {7, 3, "2 = 3}", `syntax error near "="`},
		"x ==\n1 y":              {6, 3, "1 y", `syntax error near "y"`},
		"= x +\n\n  *":           {7, 3, "  *", `syntax error near "*"`},
		"x = 'abc\ny = 1":        {5, 0, "x = 'abc", `unterminated string near "abc"`},
		"= 'abc\ny":              {5, 0, "= 'abc", `unterminated string near "abc"`},
		"x = 1\ny = 'abc\nz = 1": {6, 0, "y = 'abc", `unterminated string near "abc"`},
		"#!comment\nx = = 1":     {6, 5, "x = = 1", `syntax error near "="`},
	} {
		_, err := script.CompileEntry("entry", 5, text)
		if have := placeOf(err); have != want || script.IsIncomplete(err) {
			t.Errorf("%q: %+v, want %+v", text, have, want)
		}
	}
}

// TestIncompleteEntries looks at entries that more lines can complete.
func TestIncompleteEntries(t *testing.T) {
	for text, want := range map[string]bool{
		"if x then": true, "f(": true, "for": true, "x = {1,": true, "= x +": true, "x +": true, "x = [[a": true,
		"function f()\nreturn 1": true, "x = ": true, "x = 1 +": true, "x y z": false, "x = )": false, "end": false,
		"x = 1 }": false, "= x )": false,
	} {
		_, err := script.CompileEntry("entry", 1, text)
		if have := script.IsIncomplete(err); have != want {
			t.Errorf("%q: %t, %v", text, have, err)
		}
	}
}
