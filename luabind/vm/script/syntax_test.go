package script_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
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
	for source, want := range map[string]place{
		"local x = 1\nlocal = 2\n": {2, 7, "local = 2", "'<name>' expected near '='"},
		"x = 1\nx = = 2":           {2, 5, "x = = 2", "unexpected symbol near '='"},
		"\r\nx = ) \r\n":           {2, 5, "x = ) ", "unexpected symbol near ')'"},
		"if true then":             {1, 0, "if true then", "'end' expected near '<eof>'"},
		"x = (1\n+\n":              {3, 0, "", "unexpected symbol near '<eof>'"},
		"x = 1\r\rx = = 2\n\rz":    {3, 5, "x = = 2", "unexpected symbol near '='"},
		"\rA!":                     {2, 2, "A!", "'=' expected near '!'"},
		"print('x":                 {1, 0, "print('x", "unfinished string near '<eof>'"},
		"x = 'abc\nz = 1":          {1, 5, "x = 'abc", "unfinished string near ''abc'"},
		"x = 1\n\ny = 'abc\nz = 1": {3, 5, "y = 'abc", "unfinished string near ''abc'"},
		"x = 1\n\nbreak":           {3, 1, "break", "no loop to break"},
		"x = 1\ngoto x\nx = 2\n":   {2, 0, "goto x", "no visible label 'x' for <goto> at line 2"},
		"do\ngoto x\nend\n::y::":   {2, 0, "goto x", "no visible label 'x' for <goto> at line 2"},
		"goto x\nlocal a\n::x::\na = 1": {1, 0, "goto x",
			"<goto x> at line 1 jumps into the scope of local 'a'"},
		"x = 1 @ 2":                {1, 7, "x = 1 @ 2", "unexpected symbol near '@'"},
		"\n\nx = 3e":               {3, 5, "x = 3e", "malformed number near '3e'"},
		"x = {\n1,\n3e }\n":        {3, 1, "3e }", "malformed number near '3e'"},
		"x = 00 y = 08 z":          {1, 0, "x = 00 y = 08 z", "'=' expected near '<eof>'"},
		"x = 1 -- é\nx = 2 .. 08x": {2, 10, "x = 2 .. 08x", "malformed number near '08x'"},
		"#!/usr/bin/lua\nx = = 1":  {2, 5, "x = = 1", "unexpected symbol near '='"},
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
		"x = = 2":                {5, 5, "x = = 2", "unexpected symbol near '='"},
		"= x +* 2":               {5, 6, "= x +* 2", "unexpected symbol near '*'"},
		"  =  x )":               {5, 8, "  =  x )", "'<eof>' expected near ')'"},
		"= 1 2":                  {5, 5, "= 1 2", "'<eof>' expected near '2'"},
		"x +* 2":                 {5, 4, "x +* 2", "unexpected symbol near '*'"},
		"x == 1 y":               {5, 8, "x == 1 y", "'<eof>' expected near 'y'"},
		"x y":                    {5, 3, "x y", "'=' expected near 'y'"},
		"return return":          {5, 8, "return return", "unexpected symbol near 'return'"},
		"x = {\n1,\n2 = 3}":      {7, 3, "2 = 3}", "'}' expected (to close '{' at line 5) near '='"},
		"x ==\n1 y":              {6, 3, "1 y", "'<eof>' expected near 'y'"},
		"= x +\n\n  *":           {7, 3, "  *", "unexpected symbol near '*'"},
		"x = 'abc\ny = 1":        {5, 5, "x = 'abc", "unfinished string near ''abc'"},
		"= 'abc\ny":              {5, 3, "= 'abc", "unfinished string near ''abc'"},
		"x = 1\ny = 'abc\nz = 1": {6, 5, "y = 'abc", "unfinished string near ''abc'"},
		"#!comment\nx = = 1":     {6, 5, "x = = 1", "unexpected symbol near '='"},
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

// accepted are messages of Lua 5.1 about texts that scripts may have: docs/lua.md names them.
var accepted = regexp.MustCompile(`ambiguous syntax|malformed number near '\d+[a-z]|nesting of \[\[|` +
	`unexpected symbol near '[,;]'`)

// TestMessagesOfLua compares with the messages of lua5.1 for texts with a token that is missing, added or replaced.
func TestMessagesOfLua(t *testing.T) {
	f, err := os.Open("testdata/syntax.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	equal, others := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		var test struct{ Source, Message string }
		if err := json.Unmarshal(s.Bytes(), &test); err != nil {
			t.Fatal(err)
		}
		have := ""
		_, failed := script.Compile("broken.lua", []byte(test.Source))
		if e := (*script.Error)(nil); errors.As(failed, &e) {
			have = fmt.Sprintf("%d: %s", e.Line, e.Message)
		}
		switch {
		case have == test.Message || have != "" && strings.HasPrefix(test.Message, have+" near "):
			equal++
		case have == "" && accepted.MatchString(test.Message):
			others++
		default:
			t.Errorf("%q\n have %s\n want %s", test.Source, have, test.Message)
		}
	}
	if equal < 1000 || others > equal/20 {
		t.Errorf("%d messages are equal, %d are about texts that are accepted", equal, others)
	}
}
