package escape

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Writer escapes the text that is written to it. Call Flush at the end.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	append func(b []byte, r rune, raw string) []byte // appends a character; raw are its bytes
	copied *[256]bool                                // the bytes that append would copy; may be nil
	reset  func()                                    // is called after bytes were copied; may be nil
	flush  func(b []byte) []byte                     // appends the characters that append kept back; may be nil
	rest   []byte                                    // first bytes of a character whose end was not written yet
	out    []byte
}

// piece is the number of bytes that are escaped together.
const piece = 64 << 10

// Write writes the characters that are complete.
func (w *Writer) Write(b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for err == nil && n < len(b) {
		part := b[n:min(n+piece, len(b))]
		if err = w.write(part); err == nil {
			n += len(part)
		}
	}
	return n, err
}

func (w *Writer) write(text []byte) error {
	if len(w.rest) > 0 {
		text = append(w.rest, text...)
	}
	var rest []byte
	for w.out = w.out[:0]; len(text) > 0; {
		if n := w.copy(text); n > 0 {
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 && !utf8.FullRune(text) {
			rest = text
			break
		}
		w.out = w.append(w.out, r, string(text[:size]))
		text = text[size:]
	}
	w.rest = append(w.rest[:0], rest...)
	_, err := w.w.Write(w.out)
	return err
}

// copy copies the first bytes, as many as need no look at each, and returns their number.
func (w *Writer) copy(text []byte) int {
	n, copied := 0, w.copied
	for copied != nil && n < len(text) && copied[text[n]] {
		n++
	}
	if n > 0 {
		w.out = append(w.out, text[:n]...)
		if w.reset != nil {
			w.reset()
		}
	}
	return n
}

// printable are the printable characters of ASCII, a newline and a tab, with some exceptions.
func printable(except string) *[256]bool {
	var list [256]bool
	for c := range list {
		list[c] = (c >= ' ' && c < 0x7F || c == '\n' || c == '\t') && strings.IndexByte(except, byte(c)) < 0
	}
	return &list
}

var (
	copiedText = printable("")
	copiedJSON = printable("#[")
)

// Flush writes the bytes that Write has kept back.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = w.out[:0]
	for _, c := range w.rest {
		w.out = w.append(w.out, utf8.RuneError, string([]byte{c}))
	}
	w.rest = w.rest[:0]
	if w.flush != nil {
		w.out = w.flush(w.out)
	}
	_, err := w.w.Write(w.out)
	return err
}

// Plain returns a writer that escapes like Text.
func Plain(w io.Writer) *Writer { return &Writer{w: w, append: appendText, copied: copiedText} }

// Colored returns a writer that escapes like Text, but keeps the sequences that set colors: "\x1b[31m".
func Colored(w io.Writer) *Writer {
	var sequence []byte // beginning of a possible sequence
	reject := func(b []byte) []byte {
		for _, c := range sequence {
			b = appendText(b, rune(c), string([]byte{c}))
		}
		sequence = sequence[:0]
		return b
	}
	keep := func(b []byte, r rune, raw string) []byte {
		n := len(sequence)
		switch {
		case n == 1 && r == '[', n > 1 && n < 16 && (r == ';' || r >= '0' && r <= '9'):
			sequence = append(sequence, raw...)
			return b
		case n > 1 && r == 'm':
			b = append(append(b, sequence...), 'm')
			sequence = sequence[:0]
			return b
		}
		b = reject(b)
		if r == '\x1b' {
			sequence = append(sequence, raw...)
			return b
		}
		return appendText(b, r, raw)
	}
	return &Writer{w: w, append: keep, flush: reject}
}

// Live returns a stream for the output of scripts while they run, without control characters on a terminal.
func Live(stream io.Writer, isTerminal bool) io.Writer {
	if isTerminal {
		return Plain(stream)
	}
	return stream
}

// JSON returns a writer for JSON text. It escapes the same characters in strings as Text, which does not change their
// values, and workflow commands of GitHub Actions.
func JSON(w io.Writer) *Writer {
	hashes := 0
	reset := func() { hashes = 0 }
	return &Writer{w: w, copied: copiedJSON, reset: reset, append: func(b []byte, r rune, raw string) []byte {
		isCommand := r == '[' && hashes > 1
		if hashes++; r != '#' {
			hashes = 0
		}
		switch {
		case isCommand:
			return append(b, `\u005b`...)
		case r == utf8.RuneError && len(raw) == 1:
			return append(b, `\ufffd`...)
		case isUnsafe(r):
			return fmt.Appendf(b, `\u%04x`, r)
		}
		return append(b, raw...)
	}}
}

// Guarded is a writer whose lines GitHub Actions does not take for workflow commands.
type Guarded struct {
	*Writer
	Raw io.Writer // for workflow commands
}

// Workflow returns a writer that changes lines that start with "::", and "##[" anywhere, by a backslash.
func Workflow(w io.Writer) Guarded {
	begins, colon, hashes := true, false, 0
	return Guarded{Raw: w, Writer: &Writer{w: w, append: func(b []byte, r rune, raw string) []byte {
		if r == ':' && colon || r == '[' && hashes > 1 {
			b = append(b, '\\')
		}
		colon = r == ':' && begins
		begins = r == '\n' || r == '\r' || begins && unicode.IsSpace(r)
		if hashes++; r != '#' {
			hashes = 0
		}
		return append(b, raw...)
	}}}
}
