// Package escape makes text of unknown origin safe to write: in names, messages and output of scripts any byte can
// occur, and a script must not control a terminal, a spreadsheet or a CI server by it.
//
// Text replaces the characters that no output has. Results consist of such text only; see Clean. Each format of reports
// has one writer, which makes sure of that for all that the report contains, and one function for the characters that
// are special in its cells or lines:
//
//	format                    writer   function
//	text                      Colored  -
//	csv                       Plain    CSVCell
//	markdown                  Plain    MarkdownCell, MarkdownCode
//	tap                       Plain    TAPLine
//	github                    Plain    Message, Property
//	junit                     Plain    encoding/xml
//	json, jsonl, trace, html  JSON     encoding/json
//
// In GitHub Actions, Workflow guards standard output and standard error.
package escape

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Text replaces invalid UTF-8, control characters other than newline and tab, and characters that change the direction
// of text, by escapes of Go: "\x1b", "\u202e". It does not change backslashes.
func Text(text string) string { return replace(text, appendText) }

// replace replaces the characters that no output has. with appends the replacement of a character; raw are its bytes, a
// single byte if they are not UTF-8.
func replace(text string, with func(b []byte, r rune, raw string) []byte) string {
	var b []byte
	copied := 0 // bytes of text that b has, or their replacements
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || isUnsafe(r) {
			b = with(append(b, text[copied:i]...), r, text[i:i+size])
			copied = i + size
		}
		i += size
	}
	if b == nil {
		return text
	}
	return string(append(b, text[copied:]...))
}

// isUnsafe reports whether no output has a character: a control character (C0, DEL, C1), a mark, an override or an
// isolate of the direction of text, a separator of lines, a byte order mark, or a character that XML does not allow.
func isUnsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7F && r <= 0x9F:
		return true
	case r == 0x061C, r == 0x200E, r == 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

func appendText(b []byte, r rune, raw string) []byte {
	switch {
	case r == '\r':
		return append(b, `\r`...)
	case len(raw) == 1:
		return fmt.Appendf(b, `\x%02x`, raw[0])
	}
	return fmt.Appendf(b, `\u%04x`, r)
}

// Clean replaces each string that a pointer leads to by its Text, keys of maps included.
func Clean(pointer any) { clean(reflect.ValueOf(pointer).Elem()) }

// clean cleans a value that can be set.
func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); Text(text) != text {
			v.SetString(Text(text))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				clean(field)
			}
		}
	case reflect.Slice:
		if element := v.Type().Elem().Kind(); element >= reflect.Bool && element <= reflect.Complex128 {
			return // numbers
		}
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			clean(v.Elem())
		}
	case reflect.Interface:
		if text, ok := v.Interface().(string); ok && Text(text) != text {
			v.Set(reflect.ValueOf(Text(text)))
		}
	case reflect.Map:
		cleanMap(v)
	}
}

// cleanMap cleans the keys and the values of a map, which cannot be set in place.
func cleanMap(m reflect.Value) {
	key, value := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
	for it := m.MapRange(); it.Next(); {
		key.SetIterKey(it)
		value.SetIterValue(it)
		clean(key)
		clean(value)
		if !key.Equal(it.Key()) {
			m.SetMapIndex(it.Key(), reflect.Value{})
		}
		m.SetMapIndex(key, value)
	}
}

// Word writes a word of a command as shells read it: in quotes if it contains a character that means something to sh,
// bash or zsh.
func Word(word string) string {
	if word != "" && word[0] != '=' && !strings.ContainsFunc(word, meansSomething) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// meansSomething reports whether a character of a word may mean something to a shell.
func meansSomething(r rune) bool {
	isPlain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !isPlain && !strings.ContainsRune("-_./=,:@%+", r)
}
