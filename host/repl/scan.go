package repl

import "strings"

// cursor is the lexical context at the end of a piece of Lua.
type cursor struct {
	comment bool
	quoted  int // start of the open string; -1 outside strings
	brace   int // the innermost open brace; -1 without one
}

// scan reads a piece of Lua up to the cursor at its end.
func scan(text string) cursor {
	c := cursor{quoted: -1, brace: -1}
	var open []int // braces, brackets and parentheses
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case strings.HasPrefix(text[i:], "--"):
			end, closed := afterComment(text, i)
			if !closed {
				return cursor{comment: true, quoted: -1, brace: -1}
			}
			i = end
			continue
		case ch == '"' || ch == '\'':
			end, closed := afterString(text, i)
			if !closed {
				c.quoted = i
				return c
			}
			i = end
			continue
		case longBracket(text[i:]) != "":
			end, closed := afterLong(text, i)
			if !closed {
				c.quoted = i
				return c
			}
			i = end
			continue
		case strings.IndexByte("{[(", ch) >= 0:
			open = append(open, i)
		case strings.IndexByte("}])", ch) >= 0 && len(open) > 0:
			open = open[:len(open)-1]
		}
		i++
	}
	if n := len(open); n > 0 && text[open[n-1]] == '{' {
		c.brace = open[n-1]
	}
	return c
}

// longBracket returns the closing bracket of the long string at the start of text, "]==]"; "" when there is none.
func longBracket(text string) string {
	if text[0] != '[' {
		return ""
	}
	level := len(text[1:]) - len(strings.TrimLeft(text[1:], "="))
	if rest := text[1+level:]; rest == "" || rest[0] != '[' {
		return ""
	}
	return "]" + strings.Repeat("=", level) + "]"
}

func afterLong(text string, i int) (end int, closed bool) {
	mark := longBracket(text[i:])
	at := strings.Index(text[i:], mark)
	return i + at + len(mark), at >= 0
}

func afterComment(text string, i int) (end int, closed bool) {
	if rest := text[i+2:]; rest != "" && longBracket(rest) != "" {
		return afterLong(text, i+2)
	}
	at := strings.IndexByte(text[i:], '\n')
	return i + at + 1, at >= 0
}

func afterString(text string, i int) (end int, closed bool) {
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case text[i]:
			return k + 1, true
		}
	}
	return 0, false
}
