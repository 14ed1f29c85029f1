package jsonwriter

import (
	"strings"
	"unicode/utf8"
)

// Bytes of strings that are copied. Other bytes are escaped, or belong to characters that are not ASCII.
var (
	copiedText = copied("\"\\")
	copiedHTML = copied("\"\\<>&")
)

// copied are the bytes of ASCII from the space on, except for some.
func copied(except string) *[256]bool {
	var list [256]bool
	for c := range byte(utf8.RuneSelf) {
		list[c] = c >= ' ' && strings.IndexByte(except, c) < 0
	}
	return &list
}

// piece is the number of bytes of text, or of a string, from which the text so far is passed on.
const piece = 256 << 10

// Text writes a string. It replaces invalid UTF-8 by U+FFFD.
func (w *Writer) Text(text string) {
	w.separate()
	w.out = append(w.out, '"')
	for w.Pass != nil && len(text) > piece {
		n := piece
		for n > piece-utf8.UTFMax && !utf8.RuneStart(text[n]) {
			n--
		}
		w.escape(text[:n])
		w.out, w.start = w.Pass(w.out), 0
		text = text[n:]
	}
	w.escape(text)
	w.out = append(w.out, '"')
}

// escape writes a part of a string.
func (w *Writer) escape(text string) {
	out, copied := w.out, w.copied
	start := 0
	for i := 0; i < len(text); {
		if copied[text[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if size == 1 || r == '\u2028' || r == '\u2029' {
			out = appendEscape(append(out, text[start:i]...), r)
			start = i + size
		}
		i += size
	}
	w.out = append(out, text[start:]...)
}

// appendEscape appends a character as an escape.
func appendEscape(out []byte, r rune) []byte {
	const names, digits = `"\bfnrt`, "0123456789abcdef"
	if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 && r != utf8.RuneError {
		return append(out, '\\', names[i])
	}
	return append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
