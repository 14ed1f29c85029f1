package script

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// mostLevels is how deep statements and expressions are nested in Lua 5.1 at most: of its 200 levels the call of the
// compiler takes two.
const mostLevels = 198

// A recognizer reads a text that the parser refuses once more, with the grammar of Lua 5.1 and the goto of the parser,
// to say as Lua does which token is missing, and which one it would close. The parser only knows where it stopped.
type recognizer struct {
	text    []byte
	scanner *parse.Scanner
	lexer   parse.Lexer
	token   token // the next one
	peeked  *token
	last    int // line of the token before it
	level   int
	loops   int  // around the next token, in its function
	varargs bool // the current function has ...
}

// token is a token with its text in the script.
type token struct {
	ast.Token
	raw string
}

// explain returns the first mistake of a text by the grammar of Lua 5.1, and nil if it finds none.
func explain(text []byte) (found *parse.Error) {
	r := &recognizer{text: text, scanner: parse.NewScanner(bytes.NewReader(text), ""), varargs: true, last: 1}
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case *parse.Error:
			found = reason
		default:
			panic(reason)
		}
	}()
	r.next()
	r.chunk()
	r.check(parse.EOF)
	return nil
}

// unfinished are the messages for the scanner's errors about strings and comments.
var unfinished = map[string]string{"unterminated string": "unfinished string",
	"unterminated multiline string": "unfinished long string", "invalid multiline comment": "unfinished long comment",
	"invalid multiline string": "invalid long string delimiter"}

func (r *recognizer) scan() token {
	t, err := r.scanner.Scan(&r.lexer)
	end := r.scanner.Pos
	have := token{t, r.source(t.Pos, end)}
	if t.Type == parse.EOF || end.Line == parse.EOF {
		have.Type, have.raw = parse.EOF, "<eof>"
		have.Pos.Line = bytes.Count(r.text, []byte("\n")) + 1
	}
	if failed := (*parse.Error)(nil); errors.As(err, &failed) {
		if message, ok := unfinished[failed.Message]; ok {
			r.token = have
			r.fail("%s", message)
		}
		have.Type, have.raw = int(failed.Token[0]), failed.Token // a character that begins no token
	}
	if t.Type == parse.TNumber {
		r.checkNumber(have)
	}
	return have
}

// checkNumber refuses a number without digits in its exponent, and one that a letter or a digit follows, where the
// scanner begins another token.
func (r *recognizer) checkNumber(t token) {
	scanned := len(t.raw)
	t.raw = numberText.FindString(r.source(t.Pos, ast.Position{}))
	if len(t.raw) > scanned || exponent.MatchString(t.raw) {
		r.token = t
		r.fail("malformed number")
	}
}

// Lua reads a number up to the end of numberText.
var (
	numberText = regexp.MustCompile(`^[0-9.]+([eE][+-]?)?\w*`)
	exponent   = regexp.MustCompile(`^[0-9.]+[eE][+-]?$`)
)

// source returns the text between the positions of two characters, up to the end of the first line.
func (r *recognizer) source(from, to ast.Position) string {
	text := r.text
	for range from.Line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	text, _, _ = bytes.Cut(text, []byte("\n"))
	if end := to.Column; to.Line == from.Line && end <= len(text) {
		text = text[:end]
	}
	return string(text[min(max(from.Column-1, 0), len(text)):])
}

func (r *recognizer) next() {
	r.last = max(r.token.Pos.Line, 1)
	if r.peeked != nil {
		r.token, r.peeked = *r.peeked, nil
		return
	}
	r.token = r.scan()
}

// peek returns the token after the next one.
func (r *recognizer) peek() int {
	if r.peeked == nil {
		t := r.scan()
		r.peeked = &t
	}
	return r.peeked.Type
}

func (r *recognizer) is(types ...int) bool { return slices.Contains(types, r.token.Type) }

// skip reads the next token if it has the type.
func (r *recognizer) skip(t int) bool {
	if !r.is(t) {
		return false
	}
	r.next()
	return true
}

// fail ends the recognition at the next token.
func (r *recognizer) fail(format string, args ...any) {
	at := r.token.Pos
	if r.is(parse.EOF) {
		at.Line = parse.EOF
	}
	panic(&parse.Error{Pos: at, Message: fmt.Sprintf(format, args...) + " near '" + r.token.raw + "'"})
}

func (r *recognizer) check(t int) {
	if !r.is(t) {
		r.fail("%s expected", nameOf(t))
	}
}

func (r *recognizer) expect(t int) {
	r.check(t)
	r.next()
}

// close expects the token that closes another one, which is in the line.
func (r *recognizer) close(t, opened, line int) {
	if !r.is(t) && line != r.token.Pos.Line {
		r.fail("%s expected (to close %s at line %d)", nameOf(t), nameOf(opened), line)
	}
	r.expect(t)
}

var tokenNames = map[int]string{parse.EOF: "'<eof>'", parse.TIdent: "'<name>'", parse.TDo: "'do'", parse.TEnd: "'end'",
	parse.TFor: "'for'", parse.TFunction: "'function'", parse.TIf: "'if'", parse.TIn: "'in'",
	parse.TRepeat: "'repeat'", parse.TThen: "'then'", parse.TUntil: "'until'", parse.TWhile: "'while'",
	parse.T2Colon: "'::'"}

// nameOf returns the name of a type of tokens in messages.
func nameOf(t int) string {
	if name, ok := tokenNames[t]; ok {
		return name
	}
	return "'" + string(rune(t)) + "'"
}

// tooDeep is the message for a level that Lua refuses.
const tooDeep = "chunk has too many syntax levels"

// isDeep reports whether brackets and blocks are nested so deep that Lua refuses the text, for which the parser would
// need long. Those in strings and comments only cost the time to read the text once more.
func isDeep(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		end := i + 1
		for isWord(text[i]) && end < len(text) && isWord(text[end]) {
			end++
		}
		switch string(text[i:end]) {
		case "(", "{", "[", "do", "function", "repeat", "then":
			if depth++; depth == mostLevels/2 { // a function is two levels
				mistake := explain(text)
				return mistake != nil && mistake.Message == tooDeep
			}
		case ")", "}", "]", "end", "until", "elseif":
			depth = max(0, depth-1)
		}
		i = end - 1
	}
	return false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// enter counts a level of nesting, which the function that it returns leaves.
func (r *recognizer) enter() func() {
	if r.level++; r.level > mostLevels {
		panic(&parse.Error{Pos: r.token.Pos, Message: tooDeep})
	}
	return func() { r.level-- }
}

func (r *recognizer) blockEnds() bool {
	return r.is(parse.TElse, parse.TElseIf, parse.TEnd, parse.TUntil, parse.EOF)
}

func (r *recognizer) chunk() {
	defer r.enter()()
	for last := false; !last && !r.blockEnds(); r.skip(';') {
		last = r.is(parse.TReturn)
		r.statement()
	}
}

func (r *recognizer) statement() {
	opened, line := r.token.Type, r.token.Pos.Line
	switch opened {
	case parse.TIf:
		r.condition(parse.TThen)
		for r.is(parse.TElseIf) {
			r.condition(parse.TThen)
		}
		if r.skip(parse.TElse) {
			r.chunk()
		}
		r.close(parse.TEnd, opened, line)
	case parse.TWhile:
		r.loops++
		r.condition(parse.TDo)
		r.loops--
		r.close(parse.TEnd, opened, line)
	case parse.TDo:
		r.next()
		r.chunk()
		r.close(parse.TEnd, opened, line)
	case parse.TFor:
		r.loop(line)
	case parse.TRepeat:
		r.next()
		r.loops++
		r.chunk()
		r.loops--
		r.close(parse.TUntil, opened, line)
		r.expression()
	case parse.TFunction:
		r.next()
		r.expect(parse.TIdent)
		for r.skip('.') {
			r.expect(parse.TIdent)
		}
		if r.skip(':') {
			r.expect(parse.TIdent)
		}
		r.function(line)
	case parse.TLocal:
		r.local(line)
	case parse.TReturn:
		r.next()
		if !r.blockEnds() && !r.is(';') {
			r.list()
		}
	case parse.TBreak:
		if r.next(); r.loops == 0 {
			r.fail("no loop to break")
		}
	case parse.TGoto:
		r.next()
		r.expect(parse.TIdent)
	case parse.T2Colon:
		r.next()
		r.expect(parse.TIdent)
		r.expect(parse.T2Colon)
	default:
		r.callOrAssignment()
	}
}

// condition reads a keyword, an expression, the keyword after it, and a block.
func (r *recognizer) condition(after int) {
	r.next()
	r.expression()
	r.expect(after)
	r.chunk()
}

func (r *recognizer) loop(line int) {
	r.next()
	r.expect(parse.TIdent)
	switch {
	case r.skip('='):
		r.expression()
		r.expect(',')
		r.expression()
		if r.skip(',') {
			r.expression()
		}
	case r.is(',', parse.TIn):
		for r.skip(',') {
			r.expect(parse.TIdent)
		}
		r.expect(parse.TIn)
		r.list()
	default:
		r.fail("'=' or 'in' expected")
	}
	r.expect(parse.TDo)
	r.loops++
	r.chunk()
	r.loops--
	r.close(parse.TEnd, parse.TFor, line)
}

func (r *recognizer) local(line int) {
	r.next()
	if r.skip(parse.TFunction) {
		r.expect(parse.TIdent)
		r.function(line)
		return
	}
	r.expect(parse.TIdent)
	for r.skip(',') {
		r.expect(parse.TIdent)
	}
	if r.skip('=') {
		r.list()
	}
}

// The kinds of an expression that begins a statement.
const (
	otherKind = iota
	variableKind
	callKind
)

func (r *recognizer) callOrAssignment() {
	kind := r.primary()
	if kind == callKind {
		return
	}
	for {
		if kind != variableKind {
			r.fail("syntax error")
		}
		if !r.skip(',') {
			break
		}
		kind = r.primary()
	}
	r.expect('=')
	r.list()
}

// primary reads a variable, a call, or an expression in parentheses, and returns its kind.
func (r *recognizer) primary() int {
	kind, line := variableKind, r.token.Pos.Line
	switch {
	case r.skip(parse.TIdent):
	case r.skip('('):
		kind = otherKind
		r.expression()
		r.close(')', '(', line)
	default:
		r.fail("unexpected symbol")
	}
	for {
		switch {
		case r.skip('.'):
			kind = variableKind
			r.expect(parse.TIdent)
		case r.skip('['):
			kind = variableKind
			r.expression()
			r.expect(']')
		case r.skip(':'):
			kind = callKind
			r.expect(parse.TIdent)
			r.arguments()
		case r.is('(', '{', parse.TString):
			kind = callKind
			r.arguments()
		default:
			return kind
		}
	}
}

func (r *recognizer) arguments() {
	line := r.token.Pos.Line
	switch {
	case r.is('('):
		if line != r.last {
			r.fail("ambiguous syntax (function call x new statement)")
		}
		r.next()
		if !r.is(')') {
			r.list()
		}
		r.close(')', '(', line)
	case r.is('{'):
		r.table()
	case r.skip(parse.TString):
	default:
		r.fail("function arguments expected")
	}
}

func (r *recognizer) table() {
	line := r.token.Pos.Line
	r.expect('{')
	for !r.is('}') {
		switch {
		case r.is(parse.TIdent) && r.peek() == '=':
			r.next()
			r.next()
		case r.skip('['):
			r.expression()
			r.expect(']')
			r.expect('=')
		}
		r.expression()
		if !r.skip(',') && !r.skip(';') {
			break
		}
	}
	r.close('}', '{', line)
}

// function reads the parameters and the body of a function whose keyword is in the line.
func (r *recognizer) function(line int) {
	varargs, loops := r.varargs, r.loops
	r.varargs, r.loops = false, 0
	r.expect('(')
	for more := !r.is(')'); more; more = !r.varargs && r.skip(',') {
		switch {
		case r.skip(parse.TIdent):
		case r.skip(parse.T3Comma):
			r.varargs = true
		default:
			r.fail("<name> or '...' expected")
		}
	}
	r.expect(')')
	r.chunk()
	r.close(parse.TEnd, parse.TFunction, line)
	r.varargs, r.loops = varargs, loops
}

func (r *recognizer) list() {
	r.expression()
	for r.skip(',') {
		r.expression()
	}
}

// expression ignores the precedence of operators, which does not decide whether a text is an expression.
func (r *recognizer) expression() {
	defer r.enter()()
	for {
		for r.is(parse.TNot, '-', '#') {
			r.next()
		}
		r.operand()
		if !r.is('+', '-', '*', '/', '%', '^', '<', '>', parse.TEqeq, parse.TNeq, parse.TLte, parse.TGte, parse.T2Comma,
			parse.TAnd, parse.TOr) {
			return
		}
		r.next()
	}
}

func (r *recognizer) operand() {
	line := r.token.Pos.Line
	switch {
	case r.skip(parse.TNumber), r.skip(parse.TString), r.skip(parse.TNil), r.skip(parse.TTrue), r.skip(parse.TFalse):
	case r.is(parse.T3Comma):
		if !r.varargs {
			r.fail("cannot use '...' outside a vararg function")
		}
		r.next()
	case r.is('{'):
		r.table()
	case r.skip(parse.TFunction):
		r.function(line)
	default:
		r.primary()
	}
}
