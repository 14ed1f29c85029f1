package pattern_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"roclua/luabind/vm/internal/pattern"
)

// TestFind compares matches with those of the reference implementation of Lua 5.1: "start-end captures", 1-based.
func TestFind(t *testing.T) {
	for _, test := range []struct{ text, pattern, want string }{
		{"hello world", "o w", "5-7"}, {"hello", "l+", "3-4"}, {"hello", "l-", "1-0"}, {"hello", "l-o", "3-5"},
		{"hello", "x*", "1-0"}, {"hello", "^h", "1-1"}, {"hello", "^e", "none"}, {"hello", "o$", "5-5"},
		{"hello", "l$", "none"}, {"a$b", "$b", "2-3"}, {"key = value", "(%w+)%s*=%s*(%w+)", "1-11 key value"},
		{"x", "()", "1-0 @1"}, {"abc", "b()", "2-2 @3"}, {"THE (quick) fox", "%((%a+)%)", "5-11 quick"},
		{"f(a(b)c)d", "%b()", "2-8"}, {"f(a(b", "%b()", "none"}, {`say "hi"`, `(["'])(.-)%1`, `5-8 " hi`},
		{"THE (quick) fox", "%f[%a]%a+%f[%A]", "1-3"}, {"foo.bar", "%.", "4-4"}, {"a-b", "[a%-]+", "1-2"},
		{"a]b", "[]]", "2-2"}, {"a^b", "[b^]", "2-2"}, {"x-y", "[^x-z]", "2-2"}, {"a-", "[a-]+", "1-2"},
		{"aXb", "%u", "2-2"}, {"aXb", "%U", "1-1"}, {"\x00a", "%z", "1-1"}, {"deadBEEF!", "%x+", "1-8"},
		{"a\tb", "%s", "2-2"}, {"a\x01", "%c", "2-2"}, {"a,b", "%p", "2-2"}, {"aaa", "a?a?a?a", "1-3"},
		{"aaab", "a*ab", "1-4"}, {"abcabc", "(abc)%1", "1-6 abc"}, {"", "", "1-0"}, {"", "^$", "1-0"},
		{"abc", "((a)(b))", "1-2 ab a b"}, {"é", "[\x80-\xff]+", "1-2"}, {"_a", "%w", "2-2"},
		{"`@[{", "%a", "none"}, {"x", "%", "error malformed pattern (ends with '%')"},
		{"x", "[", "error malformed pattern (missing ']')"}, {"x", "(", "error unfinished capture"},
		{"x", ")", "error invalid pattern capture"}, {"x", "%1", "error invalid capture index"},
		{"x", "%b", "error unbalanced pattern"}, {"x", "%fx", "error missing '[' after '%f' in pattern"},
		{"x", strings.Repeat("(", 33), "error too many captures"},
		{"x", strings.Repeat("x", 50_001), "error pattern too long"},
		{strings.Repeat("a", 300), strings.Repeat("a?", 250), "error pattern too complex"},
	} {
		if have := find(test.text, test.pattern); have != test.want {
			t.Errorf("%q in %q: %s, want %s", test.pattern, test.text, have, test.want)
		}
	}
}

func find(text, pat string) string {
	m := pattern.New(text, pat, true, func() {})
	start, end, found, err := m.Find(0)
	out := fmt.Sprintf("%d-%d", start+1, end)
	for i := 0; i < m.Captures() && err == nil && found; i++ {
		var piece string
		var at int
		if piece, at, err = m.Capture(i); at > 0 {
			piece = fmt.Sprintf("@%d", at)
		}
		out += " " + piece
	}
	switch {
	case err != nil:
		return "error " + err.Error()
	case !found:
		return "none"
	}
	return out
}

// TestWorking ends a match that would take years.
func TestWorking(t *testing.T) {
	enough := errors.New("enough")
	calls := 0
	defer func() {
		if recover() != enough || calls != 3 {
			t.Errorf("after %d calls", calls)
		}
	}()
	m := pattern.New(strings.Repeat("a", 5000), strings.Repeat("a*", 20)+"b", true, func() {
		if calls++; calls == 3 {
			panic(enough)
		}
	})
	m.Find(0)
	t.Error("the match came to an end")
}

// TestWorkingOnLongParts counts how often a matcher reports that it works: for every part of a long set or capture that
// it compares, because either takes long.
func TestWorkingOnLongParts(t *testing.T) {
	for _, tt := range []struct {
		name, text, pattern string
		least               int
	}{
		{"set", strings.Repeat("a", 500), "[" + strings.Repeat("b", 49_000) + "]x", 200},
		{"back reference", strings.Repeat("a", 50_000),
			"^(" + strings.Repeat("a", 5_000) + "a*)%1x", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reports := 0
			_, _, found, err := pattern.New(tt.text, tt.pattern, true, func() { reports++ }).Find(0)
			if found || err != nil || reports < tt.least {
				t.Errorf("found %t, %v, %d reports, want %d", found, err, reports, tt.least)
			}
		})
	}
}
