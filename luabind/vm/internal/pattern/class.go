package pattern

import "strings"

// classEnd returns the end of the single item that begins at p.
func (m *Matcher) classEnd(p int) int {
	c := m.pattern[p]
	p++
	switch c {
	case '%':
		if p >= len(m.pattern) {
			fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if m.peek(p) == '^' {
			p++
		}
		for first := true; first || m.peek(p) != ']'; first = false {
			if p >= len(m.pattern) {
				fail("malformed pattern (missing ']')")
			}
			if m.pattern[p] == '%' {
				p++
			}
			p++
		}
		return p + 1
	}
	return p
}

// one reports whether the item from p to end matches the byte at s.
func (m *Matcher) one(s, p, end int) bool {
	if s >= len(m.text) {
		return false
	}
	c := m.text[s]
	switch m.pattern[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pattern[p+1])
	case '[':
		m.count(1 + (end-p)/itemsPerStep)
		return m.inSet(c, p, end-1)
	}
	return m.pattern[p] == c
}

// inSet reports whether a byte is in the set from the bracket at p to that at last.
func (m *Matcher) inSet(c byte, p, last int) bool {
	in := true
	p++
	if m.pattern[p] == '^' {
		in = false
		p++
	}
	for ; p < last; p++ {
		switch {
		case m.pattern[p] == '%':
			p++
			if inClass(c, m.pattern[p]) {
				return in
			}
		case p+2 < last && m.pattern[p+1] == '-':
			if m.pattern[p] <= c && c <= m.pattern[p+2] {
				return in
			}
			p += 2
		case m.pattern[p] == c:
			return in
		}
	}
	return !in
}

// inClass reports whether a byte is in the class that a letter names, as a does in %a. A capital letter names the
// complement. Any other byte matches itself.
func inClass(c, letter byte) bool {
	in := false
	switch letter | 0x20 {
	case 'a':
		in = isLetter(c)
	case 'c':
		in = c < 0x20 || c == 0x7f
	case 'd':
		in = isDigit(c)
	case 'l':
		in = 'a' <= c && c <= 'z'
	case 'p':
		in = 0x20 < c && c < 0x7f && !isLetter(c) && !isDigit(c)
	case 's':
		in = c == ' ' || '\t' <= c && c <= '\r'
	case 'u':
		in = 'A' <= c && c <= 'Z'
	case 'w':
		in = isLetter(c) || isDigit(c)
	case 'x':
		in = isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return letter == c
	}
	return in == (letter >= 'a')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Plain reports whether a pattern has no special characters.
func Plain(pattern string) bool { return !strings.ContainsAny(pattern, "^$*+?.([%-") }
