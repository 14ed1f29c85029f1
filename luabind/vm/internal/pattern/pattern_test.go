package pattern_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"roclua/luabind/vm/internal/pattern"
)

// TestFind compares matches with the reference implementation of Lua 5.1: "start-end captures", 1-based.
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
		{"]a", "[^]]", "2-2"}, {"[", "[^a]", "1-1"}, {"]", "[a]", "none"}, {"a-b", "[a%-b]+", "1-3"},
		{"x]", "[%]]", "2-2"}, {"a%", "[%%]", "2-2"}, {"^", "[%^]", "1-1"}, {"-z", "[%a-z]+", "1-2"},
		{"]^a", "[]-a]+", "1-3"}, {"aab", "^a?b", "none"}, {"ab", "a?(a)b", "1-2 a"}, {"aab", "(a-)(b)", "1-3 aa b"},
		{"x", "(a-)", "1-0 "}, {"x", "(a*)x", "1-1 "}, {"aXb", "(%u)%f[%l]", "2-2 X"}, {"b", "%f[a]b", "none"},
		{"x", "%f[%z]", "2-1"}, {"x", "%f[^%z]", "1-0"}, {"aab", "(a)(a)b", "1-3 a a"}, {"xx", "(x)(%1)", "1-2 x x"},
		{"()", "%b()", "1-2"}, {"ab", "%bab", "1-2"}, {"abb", "%bbb", "2-3"},
		{"x", "())", "error invalid pattern capture"},
		{"x", "%bx", "error unbalanced pattern"}, {"x", "(%1)", "error invalid capture index"},
		{"xx", "(x)%2", "error invalid capture index"}, {"x", "%0", "error invalid capture index"},
		{strings.Repeat("x", 32), strings.Repeat("(x)", 32), "1-32" + strings.Repeat(" x", 32)},
		{"x", strings.Repeat("(", 33), "error too many captures"}, {"x", strings.Repeat("x", 50_000), "none"},
		{"x", strings.Repeat("x", 50_001), "error pattern too long"},
		{strings.Repeat("a", 300), strings.Repeat("a?", 199), "1-199"},
		{strings.Repeat("a", 300), strings.Repeat("a?", 200), "error pattern too complex"},
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

// TestClasses compares the classes with the POSIX classes of ASCII. No class has other bytes.
func TestClasses(t *testing.T) {
	for letter, class := range map[string]string{"a": "[[:alpha:]]", "c": "[[:cntrl:]]", "d": "[[:digit:]]",
		"l": "[[:lower:]]", "p": "[[:punct:]]", "s": "[[:space:]]", "u": "[[:upper:]]", "w": "[[:alnum:]]",
		"x": "[[:xdigit:]]", "z": "\\x00", "%": "%", "-": "-", "!": "!"} {
		members := regexp.MustCompile("^" + class + "$")
		isClass := strings.ToUpper(letter) != letter
		for c := range 256 {
			text := string([]byte{byte(c)})
			want := c < 0x80 && members.MatchString(text)
			for pat, want := range map[string]bool{"%" + letter: want, "[%" + letter + "]": want,
				"[^%" + letter + "]": !want, "%" + strings.ToUpper(letter): want != isClass} {
				if have := find(text, pat) == "1-1"; have != want {
					t.Errorf("%q in %q: %t, want %t", pat, text, have, want)
				}
			}
		}
	}
}

// TestSets looks at which bytes sets with a range have.
func TestSets(t *testing.T) {
	for c := range 256 {
		text, b := string([]byte{byte(c)}), byte(c)
		for pat, want := range map[string]bool{
			"[b-d]": 'b' <= b && b <= 'd', "[^b-d]": b < 'b' || b > 'd', "[b-dx]": 'b' <= b && b <= 'd' || b == 'x',
			"[b-]": b == 'b' || b == '-', "[-b]": b == 'b' || b == '-', "[d-b]": false, "[\x00-\xff]": true, ".": true,
		} {
			if have := find(text, pat) == "1-1"; have != want {
				t.Errorf("%q in %q: %t, want %t", pat, text, have, want)
			}
		}
	}
}

func TestCaptureThatIsAbsent(t *testing.T) {
	m := pattern.New("ab", "(a)(b)", true, func() {})
	if _, _, found, err := m.Find(0); !found || err != nil {
		t.Fatal(found, err)
	}
	if text, _, err := m.Capture(2); err == nil {
		t.Errorf("got %q", text)
	}
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
		least, most         int
	}{
		{"set", strings.Repeat("a", 500), "[" + strings.Repeat("b", 49_000) + "]x", 200, 1000},
		{"back reference", strings.Repeat("a", 50_000),
			"^(" + strings.Repeat("a", 5_000) + "a*)%1x", 200, 20_000},
		{"long text", strings.Repeat("a", 50_000), "^a*b", 2, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reports := 0
			_, _, found, err := pattern.New(tt.text, tt.pattern, true, func() { reports++ }).Find(0)
			if found || err != nil || reports < tt.least || reports > tt.most {
				t.Errorf("found %t, %v, %d reports, want %d to %d", found, err, reports,
					tt.least, tt.most)
			}
		})
	}
}
