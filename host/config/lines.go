package config

import (
	"fmt"
	"strconv"
	"strings"
)

// The decoder does not report where it found a key, so readLines reads the text a second time for the lines of keys.

// keyLines are the lines of the keys of a TOML text, from 1, by their paths: "limits.timeout", and in arrays
// "target[0].arch". A table has the line of its header, or of the first key in it.
type keyLines map[string]int

// of returns the line of a key; that of the nearest table around it when the text does not set the key.
func (l keyLines) of(path string) int {
	for path != "" {
		if line, ok := l[path]; ok {
			return line
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 1
}

// readLines finds the keys of text that the decoder accepts. For other texts the result is not complete.
func readLines(text string) keyLines {
	r := &lineReader{text: text, line: 1, lines: keyLines{}, tables: map[string]int{}}
	table := ""
	for r.skipBlank(); r.at < len(r.text); r.skipBlank() {
		start := r.at
		if r.accept('[') {
			table = r.header()
		} else {
			r.assignment(table)
		}
		if r.at == start { // not TOML
			break
		}
	}
	return r.lines
}

// lineReader reads TOML and records the lines of keys.
type lineReader struct {
	text   string
	at     int // byte that is read next
	line   int // its line
	lines  keyLines
	tables map[string]int // number of [[headers]] so far, by the path of the array
}

// record keeps the first line of a key.
func (r *lineReader) record(path string) {
	if _, ok := r.lines[path]; !ok {
		r.lines[path] = r.line
	}
}

// skipBlank skips white space, line ends and comments.
func (r *lineReader) skipBlank() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.line++
			r.at++
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '#':
			r.skipTo("\n")
		default:
			return
		}
	}
}

// skipTo moves to the next of the characters, or to the end.
func (r *lineReader) skipTo(characters string) {
	if i := strings.IndexAny(r.text[r.at:], characters); i >= 0 {
		r.at += i
	} else {
		r.at = len(r.text)
	}
}

// accept skips a character, if it is the next.
func (r *lineReader) accept(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// header reads a header after its first bracket and returns the path of the table.
func (r *lineReader) header() string {
	array := r.accept('[')
	path := ""
	parts := r.key()
	for i, part := range parts {
		path = join(path, part)
		r.record(path)
		n, isArray := r.tables[path]
		if array && i == len(parts)-1 {
			n, isArray = n+1, true
			r.tables[path] = n
		}
		if isArray {
			path = fmt.Sprintf("%s[%d]", path, n-1)
			r.record(path)
		}
	}
	r.accept(']')
	r.accept(']')
	return path
}

// assignment reads KEY = VALUE in a table.
func (r *lineReader) assignment(table string) {
	path := table
	for _, part := range r.key() {
		path = join(path, part)
		r.record(path)
	}
	if r.accept('=') {
		r.value(path)
	}
}

// key reads a dotted key and the blanks around it.
func (r *lineReader) key() []string {
	var parts []string
	for {
		r.skipBlank()
		start := r.at
		if c := r.next(); c == '"' || c == '\'' {
			parts = append(parts, r.quoted(c))
		} else {
			r.skipTo(" \t\r\n.=]#")
			parts = append(parts, r.text[start:r.at])
		}
		r.skipBlank()
		if !r.accept('.') {
			return parts
		}
	}
}

// next returns the next character; 0 at the end.
func (r *lineReader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// quoted reads a string in quotes that is not a multi-line string, and returns its content.
func (r *lineReader) quoted(quote byte) string {
	start := r.at
	for r.at++; r.at < len(r.text) && r.text[r.at] != quote && r.text[r.at] != '\n'; r.at++ {
		if quote == '"' && r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at, len(r.text))
	inner := r.text[min(start+1, r.at):r.at]
	r.accept(quote)
	if quote == '"' {
		if s, err := strconv.Unquote(`"` + inner + `"`); err == nil {
			return s
		}
	}
	return inner
}

// value reads a value and records the keys in it.
func (r *lineReader) value(path string) {
	r.skipBlank()
	switch c := r.next(); c {
	case '{':
		r.at++
		for r.skipBlank(); r.next() != '}'; r.skipBlank() {
			start := r.at
			r.assignment(path)
			r.skipBlank()
			if r.accept(','); r.at == start {
				return
			}
		}
		r.accept('}')
	case '[':
		r.at++
		r.skipBlank()
		for i := 0; r.next() != ']'; i++ {
			start := r.at
			item := fmt.Sprintf("%s[%d]", path, i)
			r.record(item)
			r.value(item)
			r.skipBlank()
			if r.accept(','); r.at == start {
				return
			}
			r.skipBlank()
		}
		r.accept(']')
	case '"', '\'':
		if delimiter := strings.Repeat(string(c), 3); strings.HasPrefix(r.text[r.at:], delimiter) {
			r.multiline(delimiter)
		} else {
			r.quoted(c)
		}
	default:
		r.skipTo(",]}\n#")
	}
}

// multiline skips a multi-line string. It can end with two more quotes, which belong to it.
func (r *lineReader) multiline(delimiter string) {
	for r.at += len(delimiter); r.at < len(r.text); r.at++ {
		switch {
		case strings.HasPrefix(r.text[r.at:], delimiter):
			for r.at += len(delimiter); r.next() == delimiter[0]; r.at++ {
			}
			return
		case r.text[r.at] == '\n':
			r.line++
		case r.text[r.at] == '\\' && delimiter[0] == '"':
			if r.at++; r.next() == '\n' {
				r.line++
			}
		}
	}
}

// join appends a key to the path of its table.
func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}
