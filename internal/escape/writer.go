package escape

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Writer escapes the text that is written to it. Call Flush at the end.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	escape func(text string) string
	open   func(text string) int // bytes at the end of a text that wait for the next ones; may be nil
	rest   []byte                // bytes that wait
}

// piece is the number of bytes that are escaped together.
const piece = 64 << 10

// Write writes the characters that are complete.
func (w *Writer) Write(b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for part := range slices.Chunk(b, piece) {
		w.rest = append(w.rest, part...)
		text := string(w.rest)
		whole := len(text) - w.waiting(text)
		w.rest = append(w.rest[:0], text[whole:]...)
		if _, err := io.WriteString(w.w, w.escape(text[:whole])); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// waiting returns how many bytes at the end of a text wait: of a character whose end was not written yet, or those that
// the writer keeps back.
func (w *Writer) waiting(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRuneInString(last) {
				return n
			}
			break
		}
	}
	if w.open == nil {
		return 0
	}
	return w.open(text)
}

// Flush writes the bytes that Write has kept back.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := string(w.rest)
	w.rest = w.rest[:0]
	_, err := io.WriteString(w.w, w.escape(text))
	return err
}

// Plain returns a writer that escapes like Text.
func Plain(w io.Writer) *Writer { return &Writer{w: w, escape: Text} }

// Colored returns a writer that escapes like Text, but keeps the sequences that set colors: "\x1b[31m".
func Colored(w io.Writer) *Writer { return &Writer{w: w, escape: withColors, open: openColor} }

// color matches a sequence that sets colors, and colorOpen the beginning of one at the end of a text.
var (
	color     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;]{0,14}m`) })
	colorOpen = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b(\[[0-9;]{0,14})?$`) })
)

func withColors(text string) string {
	if strings.IndexByte(text, '\x1b') < 0 {
		return Text(text)
	}
	var b strings.Builder
	from := 0
	for _, at := range color().FindAllStringIndex(text, -1) {
		b.WriteString(Text(text[from:at[0]]) + text[at[0]:at[1]])
		from = at[1]
	}
	return b.String() + Text(text[from:])
}

func openColor(text string) int { return len(colorOpen().FindString(text[max(0, len(text)-16):])) }

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
	return &Writer{w: w, open: openCommand, escape: func(text string) string {
		return strings.ReplaceAll(replace(text, appendJSON), "##[", `##\u005b`)
	}}
}

func appendJSON(b []byte, r rune, _ string) []byte { return fmt.Appendf(b, `\u%04x`, r) }

// openCommand returns how many bytes at the end of a text can begin "##[".
func openCommand(text string) int { return min(2, len(text)-len(strings.TrimRight(text, "#"))) }

// Guarded is a writer whose lines GitHub Actions does not take for workflow commands.
type Guarded struct {
	*Writer
	Raw io.Writer // for workflow commands
}

// Workflow returns a writer that changes lines that start with "::", and "##[" anywhere, by a backslash.
func Workflow(w io.Writer) Guarded {
	begins, colon, hashes := true, false, 0
	return Guarded{Raw: w, Writer: &Writer{w: w, escape: func(text string) string {
		var b strings.Builder
		from := 0
		for i, r := range text {
			if r == ':' && colon || r == '[' && hashes > 1 {
				b.WriteString(text[from:i] + `\`)
				from = i
			}
			colon = r == ':' && begins
			begins = r == '\n' || r == '\r' || begins && unicode.IsSpace(r)
			if hashes++; r != '#' {
				hashes = 0
			}
		}
		return b.String() + text[from:]
	}}}
}
