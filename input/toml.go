package input

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxNesting bounds how deep values, tables and the parts of keys may contain each other. The decoder's memory is
// quadratic in the depth.
const maxNesting = 100

// DecodeTOML decodes text as toml.Decode does. The error for text that is nested too deep is a toml.ParseError, too.
func DecodeTOML(text string, to any) error {
	if at := tooDeep(text); at >= 0 {
		return toml.ParseError{Message: fmt.Sprintf("values or keys are nested more than %d deep", maxNesting),
			Position: toml.Position{Line: strings.Count(text[:at], "\n") + 1, Start: at}}
	}
	_, err := toml.Decode(text, to)
	return err
}

// tooDeep returns where text is nested deeper than maxNesting, or -1.
func tooDeep(text string) int {
	depth, parts := 0, 0 // parts of the key
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '#':
			line, _, _ := strings.Cut(text[i:], "\n")
			i += len(line)
		case '"', '\'':
			i = StringEnd(text, i)
		case '[', '{':
			depth, parts = depth+1, 0
		case ']', '}':
			depth, parts = max(depth-1, 0), 0
		case '.':
			parts++
		case '=', ',':
			parts = 0
		}
		if depth+parts > maxNesting {
			return i
		}
	}
	return -1
}

// StringEnd returns the last byte of the string that begins at a byte of text. A string of one line ends with the line.
func StringEnd(text string, begin int) int {
	quote := text[begin : begin+1]
	closing := quote
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[begin:], triple) {
		closing = triple
	}
	for i := begin + len(closing); i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], closing):
			i += len(closing) - 1
			for range len(closing) - 1 { // up to two more quotes belong to a string of several lines
				if strings.HasPrefix(text[i+1:], quote) {
					i++
				}
			}
			return i
		case text[i] == '\\' && quote == `"`:
			i++
		case text[i] == '\n' && closing == quote:
			return i
		}
	}
	return len(text)
}
