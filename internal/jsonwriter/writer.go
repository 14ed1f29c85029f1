// Package jsonwriter writes JSON value by value, without reflection. It writes the same bytes as encoding/json. It is
// for reports of many cases, which have many small values.
//
//	w := jsonwriter.Indented("")
//	w.Begin('{')
//	w.Member("id", "solve[n=1]@cpu/rocm-7.2/gfx90a")
//	w.Counts("calls", map[string]int{"hipFree": 2})
//	w.End('}')
//	text, err := w.Bytes()
package jsonwriter

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	indent   = "  " // of the parts of a value
	maxDepth = 32   // of values that are not written by Any
)

// Writer appends values to text. It adds commas, line breaks and indentation between them.
type Writer struct {
	out    []byte
	start  int    // where the text begins
	line   string // a line break, the prefix of lines, and spaces; "" for JSON on one line
	prefix int    // length of the line break and the prefix
	depth  int    // of the values that have begun
	copied *[256]bool
	err    error // why a value has no JSON

	// Pass receives the text so far from time to time, and returns an empty buffer for the rest. It may be nil: the
	// text is then kept until Bytes.
	Pass func(text []byte) []byte
}

// Compact returns a writer of JSON on one line. Like json.Marshal, it escapes the characters that HTML needs.
func Compact() *Writer { return &Writer{copied: copiedHTML} }

// Indented returns a writer of JSON on several lines. All lines but the first begin with prefix.
func Indented(prefix string) *Writer {
	return &Writer{line: "\n" + prefix + strings.Repeat(indent, maxDepth), prefix: 1 + len(prefix), copied: copiedText}
}

// Reset begins a new text, which is appended to others.
func (w *Writer) Reset(others []byte) { w.out, w.start, w.depth, w.err = others, len(others), 0, nil }

// Bytes returns the text, including the text before it, and the first error.
func (w *Writer) Bytes() ([]byte, error) { return w.out, w.err }

// Begin begins an object or a list: '{' or '['.
func (w *Writer) Begin(bracket byte) {
	w.separate()
	if w.Pass != nil && len(w.out) > piece {
		w.out, w.start = w.Pass(w.out), 0
	}
	w.out = append(w.out, bracket)
	w.depth++
}

// End ends an object or a list: '}' or ']'.
func (w *Writer) End(bracket byte) {
	w.depth--
	if last := w.last(); last != '{' && last != '[' {
		w.newLine()
	}
	w.out = append(w.out, bracket)
}

// Key begins a member of an object, whose value follows. The name has no characters that are escaped.
func (w *Writer) Key(name string) {
	w.separate()
	w.out = append(append(append(w.out, '"'), name...), '"')
	w.endKey()
}

func (w *Writer) endKey() {
	if w.line == "" {
		w.out = append(w.out, ':')
	} else {
		w.out = append(w.out, ": "...)
	}
}

// last returns the last byte of the text; 0 when there is none.
func (w *Writer) last() byte {
	if len(w.out) == w.start {
		return 0
	}
	return w.out[len(w.out)-1]
}

// separate writes the separator before a value: a comma, a line break, or nothing.
func (w *Writer) separate() {
	switch w.last() {
	case 0, ':', ' ': // the first value, or the value of a member
	case '{', '[':
		w.newLine()
	default:
		w.out = append(w.out, ',')
		w.newLine()
	}
}

func (w *Writer) newLine() { w.out = append(w.out, w.lineBreak()...) }

// lineBreak returns a line break with indentation; "" for JSON on one line.
func (w *Writer) lineBreak() string {
	if w.line == "" {
		return ""
	}
	return w.line[:w.prefix+len(indent)*w.depth]
}

// Int writes a whole number.
func (w *Writer) Int(n int64) {
	w.separate()
	w.out = strconv.AppendInt(w.out, n, 10)
}

// Uint writes a whole number.
func (w *Writer) Uint(n uint64) {
	w.separate()
	w.out = strconv.AppendUint(w.out, n, 10)
}

// Float writes a number in the shortest form that reads back the same. NaN and the infinities are errors.
func (w *Writer) Float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.reflected(f)
		return
	}
	w.separate()
	if size := math.Abs(f); size == 0 || size >= 1e-6 && size < 1e21 {
		w.out = strconv.AppendFloat(w.out, f, 'f', -1, 64)
		return
	}
	w.out = strconv.AppendFloat(w.out, f, 'e', -1, 64)
	if n := len(w.out); w.out[n-4] == 'e' && w.out[n-3] == '-' && w.out[n-2] == '0' { // e-09 is written e-9
		w.out = append(w.out[:n-2], w.out[n-1])
	}
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.separate()
	w.out = strconv.AppendBool(w.out, b)
}

// Raw writes a value that is JSON on one line.
func (w *Writer) Raw(text []byte) {
	w.separate()
	w.out = append(w.out, text...)
}

// Any writes a value of any type. It writes the types of scripts without reflection.
func (w *Writer) Any(v any) {
	switch v := v.(type) {
	case string:
		w.Text(v)
	case float64:
		w.Float(v)
	case int64:
		w.Int(v)
	case bool:
		w.Bool(v)
	default:
		w.reflected(v)
	}
}

// reflected writes a value with package json.
func (w *Writer) reflected(v any) {
	w.separate()
	out := bytes.NewBuffer(w.out)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(w.copied == copiedHTML)
	if w.line != "" {
		e.SetIndent(w.lineBreak()[1:], indent)
	}
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = err
	}
	w.out = bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// Member writes a member of an object that is a string.
func (w *Writer) Member(key, text string) {
	w.Key(key)
	w.Text(text)
}

// Optional writes a member of an object that is a string, unless it is empty.
func (w *Writer) Optional(key, text string) {
	if text != "" {
		w.Member(key, text)
	}
}

// List writes a member of an object that is a list, unless it is empty. write writes an entry.
func List[T any](w *Writer, key string, entries []T, write func(*T)) {
	if len(entries) == 0 {
		return
	}
	w.Key(key)
	w.Begin('[')
	for i := range entries {
		write(&entries[i])
	}
	w.End(']')
}

// Counts writes a member of an object that is an object of counts, sorted by key, unless it is empty.
func (w *Writer) Counts(key string, counts map[string]int) {
	object(w, key, counts, func(n int) { w.Int(int64(n)) })
}

// Values writes a member of an object that is an object of any values, sorted by key, unless it is empty.
func (w *Writer) Values(key string, values map[string]any) { object(w, key, values, w.Any) }

// entry is a member of a map.
type entry[T any] struct {
	key   string
	value T
}

func object[T any](w *Writer, key string, members map[string]T, write func(T)) {
	if len(members) == 0 {
		return
	}
	w.Key(key)
	w.Begin('{')
	var space [16]entry[T]
	list := space[:0]
	for key, value := range members {
		list = append(list, entry[T]{key, value})
	}
	slices.SortFunc(list, func(a, b entry[T]) int { return strings.Compare(a.key, b.key) })
	for i := range list {
		w.Text(list[i].key)
		w.endKey()
		write(list[i].value)
	}
	w.End('}')
}
