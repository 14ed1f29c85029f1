package escape

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""}, {"plain\ttext\n", "plain\ttext\n"}, {"ünïcode ✓ 漢", "ünïcode ✓ 漢"}, {`back\slash`, `back\slash`},
		{"\x00\x1b[31m\x7f", `\x00\x1b[31m\x7f`}, {"a\r\nb", "a\\r\nb"}, {"\u0085\u009b", `\u0085\u009b`},
		{"\u202etxt.exe\u2066", `\u202etxt.exe\u2066`},
		{"\u200e\u200f\u061c\ufeff\uffff\u2028", `\u200e\u200f\u061c\ufeff\uffff\u2028`},
		{"\xff\xc3", `\xff\xc3`}, {"\xed\xa0\x80", `\xed\xa0\x80`}, {"\ufffd", "\ufffd"},
	} {
		if have := Text(test.text); have != test.want {
			t.Errorf("%q: %q, want %q", test.text, have, test.want)
		}
	}
}

func TestWord(t *testing.T) {
	for word, want := range map[string]string{
		"": "''", "solve": "solve", "--axis": "--axis", "n=1,2": "n=1,2", "a@cpu/rocm-7.2": "a@cpu/rocm-7.2",
		"solve[n=1]@cpu": "'solve[n=1]@cpu'", "*.lua": "'*.lua'", "=x": "'=x'", "~": "'~'", "a b": "'a b'",
		"a#b":   "'a#b'",
		"it's!": `'it'\''s!'`, "a?": "'a?'", "gfx90a:sramecc+": "gfx90a:sramecc+", "é": "'é'",
	} {
		if have := Word(word); have != want {
			t.Errorf("%q: %s, want %s", word, have, want)
		}
	}
}

func TestClean(t *testing.T) {
	type inner struct{ Text string }
	v := struct {
		Text    string
		List    []string
		Any     any
		Map     map[string]any
		Counts  map[string]int
		Pointer *inner
		Nil     *inner
		Structs []inner
		Number  int
		Bytes   []byte
	}{"\x1b", []string{"a", "\xff"}, "\x00", map[string]any{"\x01": "\x02", "n": 1},
		map[string]int{"\x03": 3, "n": 1}, &inner{"\x7f"}, nil,
		[]inner{{"\u202e"}}, 1, []byte{0}}
	Clean(&v)
	text, err := json.Marshal(v)
	const want = `{"Text":"\\x1b","List":["a","\\xff"],"Any":"\\x00","Map":{"\\x01":"\\x02","n":1},` +
		`"Counts":{"\\x03":3,"n":1},"Pointer":{"Text":"\\x7f"},"Nil":null,"Structs":[{"Text":"\\u202e"}],` +
		`"Number":1,"Bytes":"AA=="}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// write writes text to a writer in pieces of a size.
func write(t testing.TB, w *Writer, text string, size int) {
	t.Helper()
	for len(text) > 0 {
		n := min(size, len(text))
		if written, err := w.Write([]byte(text[:n])); err != nil || written != n {
			t.Fatalf("%d bytes, %v", written, err)
		}
		text = text[n:]
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

func TestWriters(t *testing.T) {
	for _, test := range []struct {
		name       string
		text, want string
		writer     func(*bytes.Buffer) *Writer
	}{
		{"plain", "a\x1b[31m\u202e\xffé\xe2\x82", `a\x1b[31m\u202e\xffé\xe2\x82`,
			func(b *bytes.Buffer) *Writer { return Plain(b) }},
		{"colored", "\x1b[31;1mred\x1b[0m \x1b]0;title\x07 \x1b[2J \x1b[",
			"\x1b[31;1mred\x1b[0m " + `\x1b]0;title\x07 \x1b[2J \x1b[`,
			func(b *bytes.Buffer) *Writer { return Colored(b) }},
		{"JSON", "{\"a\":\"##[x]\u0085\x7f\u202e\"}\n", `{"a":"##\u005bx]\u0085\u007f\u202e"}` + "\n",
			func(b *bytes.Buffer) *Writer { return JSON(b) }},
		{"a page", "<h1>a\x1b\x07b\r</h1>\n", `<h1>a\u001b\u0007b\u000d</h1>` + "\n",
			func(b *bytes.Buffer) *Writer { return JSON(b) }},
		{"workflow", "::a\n \t::b\r\u00a0::c\nd::\n:x:\n##[e] ###[f] #[g]\n",
			":\\:a\n \t:\\:b\r\u00a0:\\:c\nd::\n:x:\n##\\[e] ###\\[f] #[g]\n",
			func(b *bytes.Buffer) *Writer { return Workflow(b).Writer }},
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			var b bytes.Buffer
			if write(t, test.writer(&b), test.text, size); b.String() != test.want {
				t.Errorf("%s in pieces of %d: %q, want %q", test.name, size, &b, test.want)
			}
		}
	}
}

func TestCells(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "=1+1": "'=1+1", "+a": "'+a", "@x": "'@x", "-x": "'-x", "\t=1": "'\t=1", "  =1": "'  =1",
		"-5": "-5", "+5.5e-3": "+5.5e-3", "-.5": "-.5", "-5+cmd": "'-5+cmd", "＝1": "'＝1", "-": "'-", "1=2": "1=2",
		"-Inf": "-Inf",
	} {
		if have := CSVCell(text); have != want {
			t.Errorf("CSV: %q: %q, want %q", text, have, want)
		}
	}
	for text, want := range map[string]string{
		"": "", "have 1, want 2 (10%)": "have 1, want 2 (10%)", "a|b": "`a\\|b`", "<b>": "`<b>`", "a`b": "``a`b``",
		"`": "`` ` ``", "@user": "`@user`", "https://x": "`https://x`", "www.x.org": "`www.x.org`", "a_b": "`a_b`",
		"two\nlines": "`two lines`", "[a](b)": "`[a](b)`", "#1": "`#1`", "\n": "",
	} {
		if have := MarkdownCell(text); have != want {
			t.Errorf("Markdown: %q: %q, want %q", text, have, want)
		}
	}
}

// command matches lines that GitHub Actions interprets as commands.
var command = regexp.MustCompile(`(?m)^[\s\x{85}\x{a0}]*::|##\[`)

func isCleanUTF8(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, isUnsafe) < 0
}

// FuzzEscape escapes text for each format and reads the result.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a,b|c # SKIP <b>&\"' ]]> ::error::x\n1..2\n\xff\x00\x1b[31m%0A{{x}}",
		"\u202e\u0085::",
		"=1+1", "``", "##[error]", "\r\n::x", "\\|", "\xe2\x82", strings.Repeat("`", 9)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := Text(text)
		if !isCleanUTF8(clean) || Text(clean) != clean || !utf8.ValidString(clean) {
			t.Errorf("text: %q", clean)
		}
		var plain, colored, guarded, encoded bytes.Buffer
		if write(t, Plain(&plain), text, 7); plain.String() != clean {
			t.Errorf("plain: %q, want %q", &plain, clean)
		}
		write(t, Colored(&colored), text, 5)
		if rest := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(colored.String(), ""); !isCleanUTF8(rest) {
			t.Errorf("colored: %q", &colored)
		}
		write(t, Workflow(&guarded).Writer, text, 3)
		if found := command.FindString(guarded.String()); found != "" {
			t.Errorf("a command: %q", found)
		}
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, have string
		write(t, JSON(&encoded), string(value), 2)
		if !isCleanUTF8(encoded.String()) || command.Match(encoded.Bytes()) {
			t.Errorf("JSON: %q", &encoded)
		}
		err = errors.Join(json.Unmarshal(encoded.Bytes(), &have), json.Unmarshal(value, &want))
		if err != nil || have != want {
			t.Errorf("JSON: %q, want %q, %v", have, want, err)
		}
		checkCells(t, clean)
	})
}

func checkCells(t *testing.T, text string) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{CSVCell(text), "end"})
	w.Flush()
	row, err := csv.NewReader(&b).Read()
	if err != nil || len(row) != 2 || strings.TrimPrefix(row[0], "'") != strings.TrimPrefix(text, "'") {
		t.Errorf("CSV: %q of %q, %v", row, text, err)
	}
	cell := MarkdownCell(text)
	if bars := regexp.MustCompile(`(^|[^\\])\|`); strings.Contains(cell, "\n") || bars.MatchString(cell) {
		t.Errorf("Markdown: %q", cell)
	}
	if !plainWords().MatchString(cell) { // one span of code, whose fence is not in it
		fence := regexp.MustCompile("^`+").FindString(cell)
		inner := strings.TrimSuffix(strings.TrimPrefix(cell, fence), fence)
		if fence == "" || len(inner)+2*len(fence) != len(cell) ||
			regexp.MustCompile("(^|[^`])"+fence+"([^`]|$)").MatchString(inner) {
			t.Errorf("Markdown: %q", cell)
		}
	}
	directive := regexp.MustCompile(`(^|[^\\])(\\\\)*#`)
	if line := TAPLine(text); strings.Contains(line, "\n") || directive.MatchString(line) {
		t.Errorf("TAP: %q", line)
	}
	if strings.ContainsAny(Message(text)+Property(text), "\r\n") || strings.ContainsAny(Property(text), ":,") {
		t.Errorf("GitHub: %q, %q", Message(text), Property(text))
	}
}

// TestMapsOfParameters cleans maps with an unclean key, an unclean value, or both.
func TestMapsOfParameters(t *testing.T) {
	for _, test := range []struct{ m, want map[string]any }{
		{map[string]any{"n": 1.0, "i": int64(2), "b": true, "s": "text"},
			map[string]any{"n": 1.0, "i": int64(2), "b": true, "s": "text"}},
		{map[string]any{"\x01": 1.0, "n": 2.0}, map[string]any{`\x01`: 1.0, "n": 2.0}},
		{map[string]any{"s": "\x02"}, map[string]any{"s": `\x02`}},
		{map[string]any{"\x01": "\x02", "list": []any{"\x03"}}, map[string]any{`\x01`: `\x02`, "list": []any{"\x03"}}},
	} {
		if Clean(&test.m); !reflect.DeepEqual(test.want, test.m) {
			t.Errorf("%q, want %q", test.m, test.want)
		}
	}
}
