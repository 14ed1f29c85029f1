// Package pattern matches Lua's patterns, as section 5.4.1 of the Lua 5.1 manual describes them, and the frontier
// pattern %f.
//
// Some patterns, such as ("a*"):rep(20).."b", would backtrack for years. So a matcher calls a function of its caller
// every few thousand steps, which may end the match by a panic.
package pattern

import "strings"

const (
	maxCaptures  = 32
	maxDepth     = 200     // items of a pattern that may be open at once, as in Lua 5.2
	maxPattern   = 50_000  // bytes of a pattern; SQLite has the same limit for LIKE
	stepsPerCall = 1 << 13 // about 50 microseconds
	bytesPerStep = 64      // of text that are compared at once
	itemsPerStep = 8       // of a set that are compared one after the other
)

// noMatch is the result of functions that return the end of a match, if there is no match.
const noMatch = -1

// An Error describes an invalid pattern.
type Error string

func (e Error) Error() string { return string(e) }

// Lengths of captures that are not strings.
const (
	unfinished = -1
	position   = -2
)

type capture struct{ start, length int }

// A Matcher matches one pattern against one string.
type Matcher struct {
	text, pattern string
	anchored      bool
	working       func()
	steps, depth  int
	captures      [maxCaptures]capture
	level         int // captures that have begun
}

// New returns a matcher. If anchors is set, a ^ at the beginning anchors the pattern. The matcher calls working every
// few thousand steps; it may panic to end the match.
func New(text, pattern string, anchors bool, working func()) *Matcher {
	m := &Matcher{text: text, pattern: pattern, working: working}
	if anchors && strings.HasPrefix(pattern, "^") {
		m.anchored, m.pattern = true, pattern[1:]
	}
	return m
}

// Anchored reports whether the pattern starts with an anchor, so that it matches only where the search begins.
func (m *Matcher) Anchored() bool { return m.anchored }

// Find returns the first match that begins at init or later. Positions are 0-based.
func (m *Matcher) Find(init int) (start, end int, found bool, err error) {
	for start = init; start <= len(m.text); start++ {
		if end, found, err = m.At(start); found || err != nil || m.anchored {
			return start, end, found, err
		}
	}
	return 0, 0, false, nil
}

// At returns the end of the match that begins at start.
func (m *Matcher) At(start int) (end int, found bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(Error)
			if !ok {
				panic(p)
			}
			err = e
		}
	}()
	if len(m.pattern) > maxPattern {
		return noMatch, false, Error("pattern too long")
	}
	m.level, m.depth = 0, 0
	end = m.match(start, 0)
	return end, end != noMatch, nil
}

// Captures returns how many captures the pattern has.
func (m *Matcher) Captures() int { return m.level }

// Capture returns capture i, 0-based. at is the 1-based position of a position capture; otherwise it is 0.
func (m *Matcher) Capture(i int) (text string, at int, err error) {
	switch {
	case i >= m.level:
		return "", 0, Error("invalid capture index")
	case m.captures[i].length == unfinished:
		return "", 0, Error("unfinished capture")
	case m.captures[i].length == position:
		return "", m.captures[i].start + 1, nil
	}
	c := m.captures[i]
	return m.text[c.start : c.start+c.length], 0, nil
}

func fail(text string) int { panic(Error(text)) }

func (m *Matcher) step() { m.count(1) }

// count counts steps.
func (m *Matcher) count(steps int) {
	if m.steps += steps; m.steps >= stepsPerCall {
		m.steps = 0
		m.working()
	}
}

// match matches the pattern from p with the text from s, and returns the end of the match, or noMatch.
func (m *Matcher) match(s, p int) int {
	if m.depth++; m.depth > maxDepth {
		fail("pattern too complex")
	}
	defer func() { m.depth-- }()
	for p < len(m.pattern) {
		m.step()
		switch c := m.pattern[p]; {
		case c == '(' && m.peek(p+1) == ')':
			return m.open(s, p+2, position)
		case c == '(':
			return m.open(s, p+1, unfinished)
		case c == ')':
			return m.close(s, p+1)
		case c == '$' && p+1 == len(m.pattern):
			if s == len(m.text) {
				return s
			}
			return noMatch
		case c == '%' && strings.IndexByte("bf0123456789", m.peek(p+1)) >= 0:
			if s, p = m.escape(s, p); s == noMatch {
				return noMatch
			}
			continue
		}
		end := m.classEnd(p)
		switch m.peek(end) {
		case '?':
			if m.one(s, p, end) {
				if e := m.match(s+1, end+1); e != noMatch {
					return e
				}
			}
			p = end + 1
		case '*':
			return m.longest(s, p, end, 0)
		case '+':
			return m.longest(s, p, end, 1)
		case '-':
			return m.shortest(s, p, end)
		default:
			if !m.one(s, p, end) {
				return noMatch
			}
			s, p = s+1, end
		}
	}
	return s
}

// escape matches %b, %f or %0 to %9 at p with the text at s. It returns both ends, or noMatch for the end of the text.
func (m *Matcher) escape(s, p int) (int, int) {
	switch c := m.pattern[p+1]; c {
	case 'b':
		return m.balance(s, p+2), p + 4
	case 'f':
		return m.frontier(s, p+2)
	default:
		return m.again(s, c), p + 2
	}
}

// frontier matches %f[set]: the place where the set begins to match.
func (m *Matcher) frontier(s, p int) (int, int) {
	if m.peek(p) != '[' {
		fail("missing '[' after '%f' in pattern")
	}
	end := m.classEnd(p)
	if m.inSet(m.byteAt(s-1), p, end-1) || !m.inSet(m.byteAt(s), p, end-1) {
		return noMatch, end
	}
	return s, end
}

// peek returns the byte of the pattern at p, or 0 after its end.
func (m *Matcher) peek(p int) byte {
	if p < len(m.pattern) {
		return m.pattern[p]
	}
	return 0
}

// byteAt returns the byte of the text at s. Outside of the text it is 0, as the frontier pattern requires.
func (m *Matcher) byteAt(s int) byte {
	if s >= 0 && s < len(m.text) {
		return m.text[s]
	}
	return 0
}

// longest repeats one item as often as it matches, at least a number of times. Then it tries fewer repetitions until
// the rest of the pattern matches.
func (m *Matcher) longest(s, p, end, least int) int {
	n := 0
	for m.one(s+n, p, end) {
		m.step()
		n++
	}
	for ; n >= least; n-- {
		m.step()
		if e := m.match(s+n, end+1); e != noMatch {
			return e
		}
	}
	return noMatch
}

// shortest repeats one item as few times as the rest of the pattern allows.
func (m *Matcher) shortest(s, p, end int) int {
	for {
		m.step()
		if e := m.match(s, end+1); e != noMatch {
			return e
		}
		if !m.one(s, p, end) {
			return noMatch
		}
		s++
	}
}

func (m *Matcher) open(s, p, length int) int {
	if m.level >= maxCaptures {
		fail("too many captures")
	}
	m.captures[m.level] = capture{s, length}
	m.level++
	e := m.match(s, p)
	if e == noMatch {
		m.level--
	}
	return e
}

func (m *Matcher) close(s, p int) int {
	i := m.level - 1
	for ; i >= 0 && m.captures[i].length != unfinished; i-- {
	}
	if i < 0 {
		fail("invalid pattern capture")
	}
	m.captures[i].length = s - m.captures[i].start
	e := m.match(s, p)
	if e == noMatch {
		m.captures[i].length = unfinished
	}
	return e
}

// balance matches %bxy and returns the end of the balanced part.
func (m *Matcher) balance(s, p int) int {
	if p+1 >= len(m.pattern) {
		fail("unbalanced pattern")
	}
	if s >= len(m.text) || m.text[s] != m.pattern[p] {
		return noMatch
	}
	open, close, depth := m.pattern[p], m.pattern[p+1], 1
	for i := s + 1; i < len(m.text); i++ {
		m.step()
		switch m.text[i] {
		case close:
			if depth--; depth == 0 {
				return i + 1
			}
		case open:
			depth++
		}
	}
	return noMatch
}

// again matches %1 to %9: the same text as a capture. It returns the end of the match.
func (m *Matcher) again(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= m.level || m.captures[i].length == unfinished {
		fail("invalid capture index")
	}
	text, _, _ := m.Capture(i)
	m.count(1 + len(text)/bytesPerStep)
	if !strings.HasPrefix(m.text[s:], text) {
		return noMatch
	}
	return s + len(text)
}
