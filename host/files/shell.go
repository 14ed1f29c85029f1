package files

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/applog/lines"
)

// Bounds on a script.
const (
	mostLoops  = 16      // within each other
	mostSteps  = 1 << 18 // commands, with those that loops repeat
	mostValues = 1 << 20 // bytes of a word
	mostLine   = 1 << 14 // bytes of an entry
)

// shell reads the commands of a script. It follows variables and loops over words, and runs nothing.
type shell struct {
	*reader
	parser   *lines.Parser
	source   string
	at, line int                 // of the next byte
	steps    int                 // commands that were read
	oneLine  bool                // quotes end with their lines, because one is not closed
	values   map[string]string   // of variables
	lists    map[string][]string // of arrays
}

// statement is a command with the values of its variables, the values of an array, or an entry of YAML.
type statement struct {
	begin int    // its line
	first string // what this line has from there on
	words []string
	array string // its name; "" for none
	list  []string
	entry string
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

var (
	assignment   = lazy(`^\w+\+?=`)
	keyword      = lazy(`^(do|then|else|time|\{)$`)
	declaration  = lazy(`^(export|declare|local|readonly|-\w+)$`)
	loop         = lazy(`^(for|while|until|select)$`)
	ignoredWords = lazy(`^(if|elif|fi|case|esac|done|echo|printf|cd|ls|exit|set|let|source|mkdir|rm|cp|mv|grep|sleep|` +
		`shift|return|break|continue|\[+|[}{]+|\(\(.*)$`)
	variable     = lazy(`^\$(?:(\w+|[@*])|\{(\w+|[@*])(?:\[[@*]\])?(?::?-([^{}]*))?\})`)
	arithmetic   = lazy(`^\$\(\(((?:[^()]|\([^()]*\))*)\)\)`)
	substitution = lazy("^(?:\\$\\(((?:[^()]|\\(\\([^()]*\\))*)\\)|`([^`]*)`)")
	nameOrDollar = lazy(`\$\{\w+\}|\$\w+|[A-Za-z_]\w*`)
	token        = lazy(`\d+|\S`)
	braces       = lazy(`^(.*)\{([^{}]*)\}(.*)$`)
)

// run reads commands up to the end of the loop that they are in, or of the script.
func (s *shell) run(depth int) error {
	for s.at < len(s.source) {
		c, wrong := s.read()
		var err error
		if c.words != nil {
			s.steps++
		}
		switch {
		case s.steps > mostSteps:
			return fmt.Errorf("line %d: the script has more than %d commands, counting each pass of its loops", c.begin,
				mostSteps)
		case s.steps%1024 == 0 && s.ctx.Err() != nil:
			return s.ctx.Err()
		case wrong != nil:
		case c.entry != "":
			wrong, err = s.flow(c.entry, c.begin)
		case c.array != "":
			s.lists[c.array] = append(s.lists[c.array], c.list...)
		case len(c.words) == 0 || s.assign(c.words):
		case c.words[0] == "done" && depth > 0:
			return nil
		case loop().MatchString(c.words[0]):
			wrong, err = s.loop(c, depth)
		case !ignoredWords().MatchString(c.words[0]):
			wrong, err = s.command(c.words, c.begin)
		}
		if wrong != nil {
			err = s.refuse(place{s.name, c.begin}.errorf("%w", wrong))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loop follows a loop over words. Commands in other loops are wrong.
func (s *shell) loop(c statement, depth int) (wrong, err error) {
	if len(c.words) < 4 || c.words[0] != "for" || c.words[2] != "in" || depth == mostLoops {
		if s.skipBody() {
			wrong = fmt.Errorf("%.40q needs a shell, which is not run", c.first)
		}
		return wrong, nil
	}
	at, line := s.at, s.line
	for _, word := range c.words[3:] {
		s.at, s.line, s.values[c.words[1]] = at, line, word
		if err := s.run(depth + 1); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// skipBody reads the rest of a loop, and reports whether it has commands.
func (s *shell) skipBody() (hasCommands bool) {
	for open := 1; open > 0 && s.at < len(s.source); {
		c, _ := s.read()
		switch {
		case len(c.words) == 0:
		case c.words[0] == "done":
			open--
		case loop().MatchString(c.words[0]):
			open++
		default:
			hasCommands = hasCommands || slices.Contains(c.words, "-f")
		}
	}
	return hasCommands
}

// assign sets the variables of a command that has only assignments.
func (s *shell) assign(words []string) bool {
	for len(words) > 0 && declaration().MatchString(words[0]) {
		words = words[1:]
	}
	for _, word := range words {
		if !assignment().MatchString(word) {
			return false
		}
	}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		s.values[name] = value
	}
	return true
}

// read reads the next command, without the parts before it, such as do, and without what follows a redirection or a
// pipe.
func (s *shell) read() (c statement, err error) {
	blank := len(s.source[s.at:]) - len(strings.TrimLeft(s.source[s.at:], " \t\r"))
	s.at += blank
	c.begin = s.line
	c.first, _, _ = strings.Cut(s.source[s.at:min(len(s.source), s.at+mostLine)], "\n")
	flow, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(c.first, "-"), " \t"), "{")
	if ok && strings.Contains(flow, ":") {
		c.entry = flow
		s.at += len(c.first)
		return c, nil
	}
	from := s.at
	r := reading{shell: s, statement: c}
	for err == nil && s.at < len(s.source) && !r.ended {
		err = r.next()
	}
	if !r.ended && err == nil && r.open() {
		if !s.oneLine { // the error of one line
			s.oneLine, s.at, s.line = true, from, c.begin
			return s.read()
		}
		err = r.notClosed()
	}
	r.end()
	r.words = withoutKeywords(r.words)
	return r.statement, err
}

// withoutKeywords returns a command without the words that can be before it: keywords, and the begin of a function.
func withoutKeywords(words []string) []string {
	for len(words) > 0 {
		switch {
		case keyword().MatchString(words[0]) || strings.HasSuffix(words[0], "()"):
			words = words[1:]
		case words[0] == "function" || len(words) > 1 && words[1] == "()":
			words = words[min(2, len(words)):]
		default:
			return words
		}
	}
	return words
}

// reading is the state of reading a command. Quotes are removed, and variables and ranges replaced; a variable without
// a value stays as it is.
type reading struct {
	*shell
	statement
	word    strings.Builder
	in      bool // in a word
	inList  bool // between the parentheses of the array
	quote   byte
	ignores bool // after a redirection or a pipe
	ended   bool
}

// end ends a word.
func (r *reading) end() {
	switch {
	case !r.in || r.ignores:
	case r.inList:
		r.list = append(r.list, expandBraces(r.word.String())...)
	default:
		r.words = append(r.words, expandBraces(r.word.String())...)
	}
	r.word.Reset()
	r.in = false
}

// open reports whether a quote or an array is not closed.
func (r *reading) open() bool { return r.quote != 0 || r.inList }

func (r *reading) notClosed() error {
	return fmt.Errorf("the quote %c is not closed", cmp.Or(r.quote, '('))
}

func (r *reading) add(c byte) {
	r.word.WriteByte(c)
	r.in = true
}

// next reads a byte of a command, or more of an escape, a variable or an operator.
func (r *reading) next() error {
	rest := r.source[r.at:]
	c := rest[0]
	r.at++
	if c == '\n' {
		r.line++
	}
	switch {
	case c == '\n' && r.oneLine && r.open():
		return r.notClosed()
	case (c == '$' || c == '`') && r.quote != '\'':
		r.dollar(rest)
	case c == '\\' && r.quote != '\'':
		r.escape()
	case r.quote != 0 && c == r.quote:
		r.quote = 0
	case r.quote != 0:
		r.add(c)
	case c == '"' || c == '\'' && (r.at < 2 || !isLetter(r.source[r.at-2])):
		r.quote, r.in = c, true
	case c == '#' && !r.in:
		comment, _, _ := strings.Cut(rest, "\n")
		r.at += len(comment) - 1
	case c == '(' && strings.HasSuffix(r.word.String(), "=") && len(r.words) < 3 && !r.inList:
		r.array, r.inList = strings.TrimRight(r.word.String(), "+="), true
		r.word.Reset()
		r.in = false
	case strings.HasPrefix(rest, "()"): // the begin of a function
		r.add('(')
		r.add(')')
		r.at++
	case c == '(' && (r.in || strings.HasPrefix(rest, "((")):
		r.add(c)
	case strings.IndexByte(" \t\r()", c) >= 0 || r.inList && c == '\n':
		r.end()
		r.inList = r.inList && c != ')'
	case strings.IndexByte("\n;&|<>", c) >= 0:
		r.operator(rest)
	default:
		r.add(c)
	}
	if r.word.Len() > mostValues {
		return fmt.Errorf("a word has more than %d bytes", mostValues)
	}
	return nil
}

// escape reads what follows a backslash, which continues a command at the end of a line.
func (r *reading) escape() {
	rest := strings.TrimLeft(r.source[r.at:], "\r")
	r.at = len(r.source) - len(rest)
	switch {
	case rest == "":
		return
	case rest[0] != '\n':
		r.add(rest[0])
	default:
		r.line++
		if r.quote == 0 {
			r.end()
		}
	}
	r.at++
}

// operator reads the operator at the begin of a text, which ends the command or what is read of it.
func (r *reading) operator(text string) {
	if number := r.word.String(); text[0] == '>' && (number == "1" || number == "2") {
		r.in = false
	}
	r.end()
	isTest := slices.Contains(r.words, "[[")
	isDouble := strings.HasPrefix(text, "&&") || strings.HasPrefix(text, "||")
	switch background := text[0] == '&' && !strings.HasPrefix(text, "&>"); {
	case isDouble && !isTest:
		r.ended = true
		r.at++
	case text[0] == '\n' || text[0] == ';' || background && !isTest:
		r.ended = true
	default:
		r.ignores = true
		r.at += len(text) - 1 - len(strings.TrimLeft(text[1:], "&|<>"))
	}
}

// dollar reads the variable, the arithmetic or the sequence at the begin of a text.
func (r *reading) dollar(text string) {
	values, n := r.valuesOf(text)
	if r.quote == 0 && len(values) == 1 && values[0] != text[:n] {
		values = strings.Fields(values[0])
	}
	for i, value := range values {
		if i > 0 {
			r.end()
		}
		r.word.WriteString(value)
		r.in = true
	}
	r.at += n - 1
	r.line += strings.Count(text[:n], "\n")
}

// valuesOf returns the values of what a text begins with, and its length. Something without a value stays as it is.
func (s *shell) valuesOf(text string) (values []string, n int) {
	if m := variable().FindStringSubmatch(text); m != nil {
		name := cmp.Or(m[1], m[2])
		if list := s.lists[name]; list != nil {
			return list, len(m[0])
		}
		return []string{cmp.Or(s.values[name], m[3], m[0])}, len(m[0])
	}
	if m := arithmetic().FindStringSubmatch(text); m != nil {
		return []string{s.compute(m[1], m[0])}, len(m[0])
	}
	if m := substitution().FindStringSubmatch(text); m != nil {
		return s.sequence(cmp.Or(m[1], m[2]), m[0]), len(m[0])
	}
	return []string{text[:1]}, 1
}

// sequence returns the numbers that seq writes. Another command stays as it is written.
func (s *shell) sequence(command, written string) []string {
	words := strings.Fields(command)
	if len(words) < 2 || len(words) > 4 || words[0] != "seq" {
		return []string{written}
	}
	numbers := []string{"1", "1", "1"} // first, step and last
	numbers[2] = s.compute(words[len(words)-1], "")
	for i, word := range words[1 : len(words)-1] {
		numbers[i] = s.compute(word, "")
	}
	list := expandBraces("{" + numbers[0] + ".." + numbers[2] + ".." + numbers[1] + "}")
	if strings.HasPrefix(list[0], "{") {
		return []string{written}
	}
	return list
}

// compute returns the value of integer arithmetic; as it is written if it has none.
func (s *shell) compute(text, written string) string {
	text = nameOrDollar().ReplaceAllStringFunc(text, func(name string) string {
		return cmp.Or(s.values[strings.Trim(name, "${}")], "?")
	})
	tokens := token().FindAllString(text, -1)
	n, rest, ok := operation(tokens, 0)
	if !ok || len(rest) > 0 {
		return written
	}
	return strconv.FormatInt(n, 10)
}

// precedence has the operators by their strength.
var precedence = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

// operation computes an expression of operators that are stronger than some.
func operation(tokens []string, weaker int) (n int64, rest []string, ok bool) {
	if len(tokens) == 0 {
		return 0, nil, false
	}
	if tokens[0] == "(" {
		n, rest, ok = operation(tokens[1:], 0)
		if !ok || len(rest) == 0 || rest[0] != ")" {
			return 0, nil, false
		}
		rest = rest[1:]
	} else {
		v, err := strconv.ParseInt(tokens[0], 10, 64)
		n, rest, ok = v, tokens[1:], err == nil
	}
	for ok && len(rest) > 0 && precedence[rest[0]] > weaker {
		operator := rest[0]
		var right int64
		right, rest, ok = operation(rest[1:], precedence[operator])
		switch {
		case !ok || right == 0 && (operator == "/" || operator == "%"):
			return 0, nil, false
		case operator == "+":
			n += right
		case operator == "-":
			n -= right
		case operator == "*":
			n *= right
		case operator == "/":
			n /= right
		default:
			n %= right
		}
	}
	return n, rest, ok
}

// mostRange bounds the numbers of a range.
const mostRange = 10_000

// expandBraces returns the words of {1..9..2} and {a,b}.
func expandBraces(word string) []string {
	m := braces().FindStringSubmatch(word)
	if m == nil || strings.Contains(word, "$") {
		return []string{word}
	}
	items := strings.Split(m[2], ",")
	if r := rangePattern().FindStringSubmatch(m[2]); r != nil {
		first, _ := strconv.ParseInt(r[1], 10, 64)
		last, _ := strconv.ParseInt(r[2], 10, 64)
		step, _ := strconv.ParseInt(cmp.Or(r[3], "1"), 10, 64)
		items = nil
		for n := first; step > 0 && n <= last && len(items) < mostRange; n += step {
			items = append(items, strconv.FormatInt(n, 10))
		}
	} else if len(items) == 1 {
		return []string{word}
	}
	var list []string
	for _, item := range items {
		list = append(list, m[1]+item+m[3])
	}
	return list
}
