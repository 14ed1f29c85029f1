package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// statement is a command of a shell script, with its quotes and variables.
type statement struct {
	text string
	line int
}

// Bounds on a script.
const (
	mostLoops  = 16      // within each other
	mostSteps  = 1 << 18 // statements, with those that loops repeat
	mostValues = 1 << 20 // bytes of the value of a variable
)

// statements separates a script at line ends and semicolons that are not in quotes or parentheses. A backslash at its
// end continues a line.
func statements(text string) (list []statement) {
	var quote byte
	line, begin, first, depth := 1, 0, 1, 0
	opened, openedLine, single := 0, 1, false // single: a quote ends with its line
	end := func(i int) {
		if part := strings.TrimSpace(text[begin:i]); part != "" {
			list = append(list, statement{part, first})
		}
		begin, first = i+1, line
	}
	for i := 0; i <= len(text); i++ {
		if i == len(text) {
			if (quote == 0 && depth == 0) || single {
				break
			}
			single, i, line = true, opened, openedLine // an unclosed quote is the error of one line
			i += strings.IndexByte(text[i:]+"\n", '\n')
			if i >= len(text) {
				break
			}
			quote, depth = 0, 0
		}
		switch c := text[i]; {
		case c == '\n' && (quote == 0 && depth == 0 || single):
			end(i)
			line++
			first, quote, depth = line, 0, 0
		case c == '\n':
			line++
		case c == '\\' && i+1 < len(text) && quote != '\'':
			if i++; text[i] == '\r' && i+1 < len(text) {
				i++
			}
			if text[i] == '\n' {
				line++
			}
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && (i == 0 || !isLetter(text[i-1])):
			quote = c
			if depth == 0 {
				opened, openedLine = i, line
			}
		case c == '#' && (i == begin || strings.ContainsRune(" \t\n;", rune(text[i-1]))):
			stop := i
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
			if depth == 0 {
				end(stop)
				begin = i + 1
			}
		case c == '(':
			if depth++; depth == 1 {
				opened, openedLine = i, line
			}
		case c == ')':
			depth = max(0, depth-1)
		case c == ';' && depth == 0:
			end(i)
		}
	}
	end(len(text))
	return list
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// shell follows the variables and the loops of a script. It runs nothing.
type shell struct {
	ctx    context.Context
	values map[string]string   // of variables
	lists  map[string][]string // of arrays
	used   map[string]bool     // variables and arrays

	functions map[string]*function
	arguments []string // of the function that is called
	command   func(words []string, line int) error
	entry     func(text string, line int) error // of YAML, after its brace
	refuse    func(line int, err error) error
	steps     int
}

var (
	assignment = lazy(`^(?:(?:export|declare|local|readonly)(?: -\w+)* +)?(\w+)\+?=`)
	forLoop    = lazy(`^for\s+(\w+)\s+in\s+([^\n]*)`)
	whileLoop  = lazy(`^(while|until|for)\b\s*(.*?)\s*$`)
	keywords   = lazy(`^(?:do|then|else|time|\{|\()\s+`)
	isWords    = lazy(`^(if|elif|fi|while|until|case|esac|done|echo|printf|cd|ls|exit|function|do|` +
		`then|else|set|export|source|mkdir|rm|cp|mv|grep|sleep|shift|return|break|continue|\[+|[}{()]+|\w+ *\(\).*)$`)
	variable     = lazy(`^\$(?:(\w+|[@*])|\{(\w+|[@*])(?:\[[@*]\])?(?::?-([^}]*))?\})`)
	arithmetic   = lazy(`^\$\(\(((?:[^()]|\([^()]*\))*)\)\)`)
	substitution = lazy("^(?:\\$\\(((?:[^()]|\\(\\([^()]*\\)\\))*)\\)|`([^`]*)`)")
	functionHead = lazy(`^(?:function\s+([\w-]+)\s*(?:\(\s*\))?|([\w-]+)\s*\(\s*\))\s*(?:\{\s*(.*))?$`)
	comparison   = lazy(`^(?:\[\[?|\(\()\s*(.*?)\s*(-[lgen][teq]|[<>=!]=|[<>])\s*(.*?)\s*(?:\]\]?|\)\))$`)
	nameOrDollar = lazy(`\$\{\w+\}|\$\w+|[A-Za-z_]\w*`)
	token        = lazy(`\d+|\S`)
	braces       = lazy(`^(.*)\{([^{}]*)\}(.*)$`)
)

var (
	arithmeticStatement = lazy(`^(?:\(\((.*)\)\)|let\s+["']?(.*?)["']?)$`)
	arithmeticChange    = lazy(`^\s*(\w+)\s*(\+\+|--|[-+*/%]?=)\s*([^=]*)$`)
)

func (s *shell) run(list []statement, depth int) error {
	for i := 0; i < len(list); i++ {
		if err := s.step(list[i].line); err != nil {
			return err
		}
		text := list[i].text
		flow, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(text, "-")), "{")
		if ok && strings.Contains(flow, ":") {
			if err := s.entry(flow, list[i].line); err != nil {
				return err
			}
			continue
		}
		for keywords().MatchString(text) {
			text = strings.TrimSpace(keywords().ReplaceAllString(text, ""))
		}
		if name, rest, ok := beginsFunction(text); ok {
			end := blockEnd(list[i+1:]) + i + 1
			body := list[i+1 : end]
			if rest != "" {
				body = append([]statement{{rest, list[i].line}}, body...)
			}
			s.functions[name] = &function{body: body}
			i = end
			continue
		}
		m := forLoop().FindStringSubmatch(text)
		head := whileLoop().FindStringSubmatch(text)
		if m == nil && head == nil {
			if err := s.statement(text, list[i].line, depth); err != nil {
				return err
			}
			continue
		}
		end := bodyEnd(list[i+1:]) + i + 1
		body := list[i+1 : end]
		line := list[i].line
		i = end
		err := errNeedsShell
		switch {
		case depth == mostLoops:
		case m != nil:
			var words []string
			if words, err = s.words(m[2]); err == nil {
				for _, word := range words {
					s.values[m[1]] = word
					if err := cmp.Or(s.step(line), s.run(body, depth+1)); err != nil {
						return err
					}
				}
			}
		default:
			var stop error
			if stop, err = s.while(head, body, line, depth); stop != nil {
				return stop
			}
		}
		if err == errNeedsShell {
			err = fmt.Errorf("%.40q %w", text, err)
			if !slices.ContainsFunc(body, func(of statement) bool { return strings.Contains(of.text, "-f ") }) {
				err = nil
			}
		}
		if err != nil {
			if err := s.refuse(line, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// step counts a command or a pass of a loop.
func (s *shell) step(line int) error {
	if s.steps++; s.steps > mostSteps {
		return fmt.Errorf("line %d: the script has more than %d commands, counting each pass of its loops", line,
			mostSteps)
	}
	if s.steps%1024 == 0 {
		return s.ctx.Err()
	}
	return nil
}

var errNeedsShell = errors.New("needs a shell, which is not run")

// while follows a loop with a condition, whose parts are those of whileLoop. stop ends the script.
func (s *shell) while(head []string, body []statement, line, depth int) (stop, err error) {
	condition, next, negated := head[2], "", head[1] == "until"
	if head[1] == "for" {
		parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(condition, "(("), "))"), ";")
		if len(parts) != 3 || parts[0] != "" && !s.change(parts[0]) {
			return nil, errNeedsShell
		}
		condition, next = "(("+parts[1]+"))", parts[2]
	}
	for passes := 0; ; passes++ {
		holds, ok := s.holds(condition)
		switch {
		case !ok:
			return nil, errNeedsShell
		case holds == negated:
			return nil, nil
		case passes == mostRange:
			return nil, fmt.Errorf("the loop has more than %d passes", mostRange)
		}
		if err := cmp.Or(s.step(line), s.run(body, depth+1)); err != nil {
			return err, nil
		}
		if next != "" && !s.change(next) {
			return nil, errNeedsShell
		}
	}
}

// comparisons are the operators of conditions.
var comparisons = map[string]func(a, b int64) bool{
	"-lt": func(a, b int64) bool { return a < b }, "-le": func(a, b int64) bool { return a <= b },
	"-gt": func(a, b int64) bool { return a > b }, "-ge": func(a, b int64) bool { return a >= b },
	"-eq": func(a, b int64) bool { return a == b }, "-ne": func(a, b int64) bool { return a != b },
}

// holds evaluates a condition that compares integers: [ $n -lt 64 ] or ((n < 64)). ok is false for others.
func (s *shell) holds(condition string) (holds, ok bool) {
	m := comparison().FindStringSubmatch(condition)
	if m == nil {
		return false, false
	}
	compare := comparisons[cmp.Or(map[string]string{"<": "-lt", "<=": "-le", ">": "-gt", ">=": "-ge", "==": "-eq",
		"!=": "-ne"}[m[2]], m[2])]
	a, err := strconv.ParseInt(s.compute(strings.Trim(m[1], ` "`), ""), 10, 64)
	b, other := strconv.ParseInt(s.compute(strings.Trim(m[3], ` "`), ""), 10, 64)
	if compare == nil || err != nil || other != nil {
		return false, false
	}
	return compare(a, b), true
}

// change sets a variable as arithmetic does: i++, i+=2 or i = i * 2. It returns false for another statement.
func (s *shell) change(text string) bool {
	m := arithmeticChange().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	value := m[3]
	switch operator := strings.TrimSuffix(m[2], "="); {
	case m[2] == "++" || m[2] == "--":
		value = m[1] + m[2][:1] + "1"
	case operator != "":
		value = m[1] + operator + "(" + m[3] + ")"
	}
	n := s.compute(value, "")
	if n != "" {
		s.values[m[1]] = n
	}
	return n != ""
}

type function struct {
	body   []statement
	called bool
}

// beginsFunction returns the name of a function that a statement begins, and its first statement in the same line.
func beginsFunction(text string) (name, rest string, ok bool) {
	m := functionHead().FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return cmp.Or(m[1], m[2]), m[3], true
}

// blockEnd returns the index of the end of a function. A brace in a line after its name is part of the body.
func blockEnd(list []statement) int {
	open := 1
	for i, of := range list {
		switch {
		case of.text == "{" && i == 0:
		case strings.HasSuffix(of.text, "{"):
			open++
		case strings.HasPrefix(of.text, "}"):
			if open--; open == 0 {
				return i
			}
		}
	}
	return len(list)
}

func (s *shell) invoke(f *function, arguments []string, depth int) error {
	before := s.arguments
	f.called, s.arguments = true, arguments
	err := s.run(f.body, depth+1)
	s.arguments = before
	return err
}

func bodyEnd(list []statement) int {
	open := 1
	for i, of := range list {
		text := keywords().ReplaceAllString(of.text, "")
		switch word, _, _ := strings.Cut(text, " "); {
		case word == "for" || word == "while" || word == "until" || word == "select":
			open++
		case word == "done":
			if open--; open == 0 {
				return i
			}
		}
	}
	return len(list)
}

// statement follows a statement without a loop: it sets variables, or has the words of a command.
func (s *shell) statement(text string, line, depth int) error {
	if m := arithmeticStatement().FindStringSubmatch(text); m != nil {
		s.change(cmp.Or(m[1], m[2]))
		return nil
	}
	if s.assign(text) {
		return nil
	}
	words, err := s.words(text)
	if err != nil {
		return s.refuse(line, err)
	}
	if len(words) == 0 {
		return nil
	}
	if f := s.functions[words[0]]; f != nil && depth < mostLoops {
		return s.invoke(f, words[1:], depth)
	}
	if isWords().MatchString(words[0]) {
		return nil
	}
	return s.command(words, line)
}

// assign sets the variables of a statement that has only assignments.
func (s *shell) assign(text string) bool {
	m := assignment().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	name, rest := m[1], text[len(m[0]):]
	if list, ok := strings.CutPrefix(rest, "("); ok {
		words, err := s.words(strings.TrimSuffix(strings.TrimSpace(list), ")"))
		if err == nil {
			s.lists[name] = append(s.lists[name], words...)
		}
		return err == nil
	}
	words, err := s.words(text)
	for _, word := range words {
		if !assignment().MatchString(word) && word != "export" && word != "local" {
			return false
		}
	}
	for _, word := range words {
		if name, value, ok := strings.Cut(word, "="); ok && len(value) <= mostValues {
			s.values[name] = value
			delete(s.used, name)
		}
	}
	return err == nil
}

// words separates a command at blanks, to its end or the begin of the next one in a pipe. Quotes are removed and
// variables and ranges replaced; one without a value stays as it is.
func (s *shell) words(text string) (words []string, err error) {
	word, in := strings.Builder{}, false
	var quote byte
	end := func() {
		if in {
			words = append(words, expandBraces(word.String())...)
		}
		word.Reset()
		in = false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '$' || c == '`') && quote != '\'':
			values, n := s.dollar(text[i:])
			if i += n - 1; quote == 0 && len(values) == 1 && n > 1 {
				values = strings.Fields(values[0])
			}
			for j, value := range values {
				if j > 0 {
					end()
				}
				word.WriteString(value)
				in = true
			}
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i += strings.IndexFunc(text[i+1:], func(c rune) bool { return c != '\r' }) + 1
			if text[i] == '\n' {
				if quote == 0 {
					end()
				}
				continue
			}
			word.WriteByte(text[i])
			in = true
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end()
		case c == ';' || c == '|' || c == '&' || c == '<' || c == '#' && !in:
			end()
			return words, nil
		case c == '>':
			if text := word.String(); text == "1" || text == "2" {
				in = false
			}
			end()
			return words, nil
		default:
			word.WriteByte(c)
			in = true
		}
		if word.Len() > mostValues {
			return nil, fmt.Errorf("a word has more than %d bytes", mostValues)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	end()
	return words, nil
}

// dollar returns the values of a variable, of arithmetic or of a command at the begin of a text, and its length.
func (s *shell) dollar(text string) (values []string, n int) {
	if m := variable().FindStringSubmatch(text); m != nil {
		return s.expand(cmp.Or(m[1], m[2]), m[0], m[3]), len(m[0])
	}
	if m := arithmetic().FindStringSubmatch(text); m != nil {
		return []string{s.compute(m[1], m[0])}, len(m[0])
	}
	if m := substitution().FindStringSubmatch(text); m != nil {
		return s.output(cmp.Or(m[1], m[2]), m[0]), len(m[0])
	}
	return []string{text[:1]}, 1
}

// output returns the words that seq or expr writes; other commands as they are written.
func (s *shell) output(command, written string) []string {
	words, err := s.words(command)
	if err != nil || len(words) < 2 {
		return []string{written}
	}
	switch of := words[1:]; words[0] {
	case "expr":
		return []string{s.compute(strings.Join(of, " "), written)}
	case "seq":
		first, step, last := "1", "1", of[len(of)-1]
		if len(of) > 1 {
			first = of[0]
		}
		if len(of) == 3 {
			step = of[1]
		}
		if list := expandBraces("{" + first + ".." + last + ".." + step + "}"); len(of) < 4 {
			return list
		}
	}
	return []string{written}
}

// expand returns the values of a variable or an array, and the text as it is written if it has none.
func (s *shell) expand(name, written, otherwise string) []string {
	s.used[name] = true
	if list := s.lists[name]; list != nil {
		return list
	}
	if (name == "@" || name == "*") && s.arguments != nil {
		return s.arguments
	}
	if value := s.value(name); value != "" {
		return []string{value}
	}
	if otherwise != "" {
		return []string{otherwise}
	}
	return []string{written}
}

// value returns the value of a variable, or of an argument by its number; "" for none.
func (s *shell) value(name string) string {
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(s.arguments) {
		return s.arguments[n-1]
	}
	return s.values[name]
}

// compute returns the value of integer arithmetic; as it is written if it has none.
func (s *shell) compute(text, written string) string {
	text = nameOrDollar().ReplaceAllStringFunc(text, func(name string) string {
		name = strings.Trim(name, "${}")
		s.used[name] = true
		return cmp.Or(s.value(name), "?")
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
