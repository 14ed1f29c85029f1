package escape

import (
	"math"
	"unicode/utf8"
)

// Sizes of the characters of ASCII in the format that takes most bytes for them: JSON, JSON for HTML pages, XML, text
// whose lines are indented, Markdown, TAP or annotations. A character that Text escapes has a backslash, which JSON
// escapes, too.
var sizes = func() (list [utf8.RuneSelf]uint8) {
	for c := range list {
		if list[c] = 1; !isPrintable(byte(c)) {
			list[c] = uint8(len(`\\x00`))
		}
	}
	for c, size := range map[byte]uint8{
		'<': 6, '>': 6, '&': 6, // \u003c in pages
		'"': 5, '\'': 5, '\t': 5, // &#34; in XML
		'\n': 8, // a line with a prefix
		']':  5, // ]]> in a section of XML
		'#':  4, // ##[ in JSON is ##\u005b
		'`':  3, // the fences around it
		'%':  3, '\\': 2, '|': 2, '\r': 3,
	} {
		list[c] = size
	}
	return list
}()

// Size returns how many bytes text takes in a report, at most.
func Size(text string) int {
	_, size := measure(text, math.MaxInt)
	return size
}

// Fit returns how many bytes of text take at most size bytes in a report. It does not split a character.
func Fit(text string, size int) int {
	n, _ := measure(text, size)
	return n
}

// measure returns how many bytes of text fit into most bytes of a report, and their size there.
func measure(text string, most int) (n, size int) {
	for n < len(text) {
		length, s := 1, 0
		if c := text[n]; c < utf8.RuneSelf {
			s = int(sizes[c])
		} else {
			var r rune
			r, length = utf8.DecodeRuneInString(text[n:])
			switch s = length; {
			case r == utf8.RuneError && length == 1:
				s = len(`\\xff`)
			case isUnsafe(r):
				s = len(`\\uffff`)
			}
		}
		if size+s > most {
			break
		}
		n, size = n+length, size+s
	}
	return n, size
}
