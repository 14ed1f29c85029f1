package config

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"roclua/input"
)

// The decoder does not report the positions of keys, so readPlaces parses the text a second time to find them.

// place is the position of a key: its line, and its column in bytes, both from 1.
type place struct{ line, column int }

// in returns the position in a file: "config.toml:3:1".
func (p place) in(file string) string { return fmt.Sprintf("%s:%d:%d", file, p.line, p.column) }

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.line, other.line), cmp.Compare(p.column, other.column))
}

// keyPlaces are the positions of the keys in TOML text by path: "limits.timeout", and in arrays "target[0].arch". A
// table has the position of its header, or of the first key in it.
type keyPlaces map[string]place

// of returns the position of a key, or of the nearest enclosing table if the text does not set the key.
func (p keyPlaces) of(path string) place {
	for ; path != ""; path = around(path) {
		if found, ok := p[path]; ok {
			return found
		}
	}
	return place{1, 1}
}

// around returns the path of the table or array that contains a key; "" for a key of the root.
func around(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// readPlaces finds the keys of text that the decoder accepts. For other text the result is incomplete.
func readPlaces(text string) keyPlaces {
	r := &placeReader{text: text, places: keyPlaces{}, tables: map[string]int{}, line: 1}
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
	return r.places
}

// placeReader reads TOML and records the positions of keys.
type placeReader struct {
	text   string
	at     int // next byte
	seen   int // byte of the last position
	line   int // of the last position, which begins at the byte begin
	begin  int
	places keyPlaces
	tables map[string]int // number of [[headers]] so far, by the path of the array
}

// here returns the position of the next byte.
func (r *placeReader) here() place {
	passed := r.text[r.seen:r.at]
	if end := strings.LastIndexByte(passed, '\n'); end >= 0 {
		r.line, r.begin = r.line+strings.Count(passed, "\n"), r.seen+end+1
	}
	r.seen = r.at
	return place{r.line, r.at - r.begin + 1}
}

// record keeps the first position of a key.
func (r *placeReader) record(path string, p place) {
	if _, ok := r.places[path]; !ok {
		r.places[path] = p
	}
}

// skipBlank skips white space, line ends and comments.
func (r *placeReader) skipBlank() {
	for {
		r.at = len(r.text) - len(strings.TrimLeft(r.text[r.at:], " \t\r\n"))
		if r.next() != '#' {
			return
		}
		r.skipTo("\n")
	}
}

// skipTo moves to the next of the characters, or to the end.
func (r *placeReader) skipTo(characters string) {
	if i := strings.IndexAny(r.text[r.at:], characters); i >= 0 {
		r.at += i
	} else {
		r.at = len(r.text)
	}
}

// accept skips a character, if it is the next.
func (r *placeReader) accept(c byte) bool {
	is := r.next() == c
	if is {
		r.at++
	}
	return is
}

// header reads a header after its first bracket and returns the path of the table.
func (r *placeReader) header() string {
	p := r.here()
	p.column--
	array := r.accept('[')
	path := ""
	parts := r.key()
	for i, part := range parts {
		path = join(path, part)
		r.record(path, p)
		n, isArray := r.tables[path]
		if array && i == len(parts)-1 {
			n, isArray = n+1, true
			r.tables[path] = n
		}
		if isArray {
			path = fmt.Sprintf("%s[%d]", path, n-1)
			r.record(path, p)
		}
	}
	r.accept(']')
	r.accept(']')
	return path
}

// assignment reads KEY = VALUE in a table.
func (r *placeReader) assignment(table string) {
	path, p := table, r.here()
	for _, part := range r.key() {
		path = join(path, part)
		r.record(path, p)
	}
	if r.accept('=') {
		r.value(path)
	}
}

// key reads a dotted key and the blanks around it.
func (r *placeReader) key() []string {
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
func (r *placeReader) next() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// quoted reads a string, and returns its content if it is of one line.
func (r *placeReader) quoted(quote byte) string {
	begin := r.at
	r.at = min(input.StringEnd(r.text, begin)+1, len(r.text))
	inner := strings.Trim(r.text[begin:r.at], "\n")
	inner = strings.TrimSuffix(strings.TrimPrefix(inner, string(quote)), string(quote))
	if text, err := strconv.Unquote(`"` + inner + `"`); quote == '"' && err == nil {
		return text
	}
	return inner
}

// value reads a value and records the keys in it.
func (r *placeReader) value(path string) {
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
			r.record(item, r.here())
			r.value(item)
			r.skipBlank()
			if r.accept(','); r.at == start {
				return
			}
			r.skipBlank()
		}
		r.accept(']')
	case '"', '\'':
		r.quoted(c)
	default:
		r.skipTo(",]}\n#")
	}
}

func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}
