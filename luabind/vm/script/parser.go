package script

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"roclua/luabind/vm/internal/convert"
)

// Bounds of a source text. The compiler recurses as deep as expressions and blocks are nested, and an overflow of Go's
// stack would end the process. It also compares each constant with the constants of the function so far, and cannot be
// interrupted.
const (
	maxDepth   = 2000
	maxLookups = 1 << 28 // comparisons; one second, for about 23000 different constants of one function
	maxLevels  = 198     // of blocks and expressions in Lua 5.1, whose own call of the parser takes two of 200
)

// A parser reads a text to the syntax tree of gopher-lua's compiler, by the grammar of Lua 5.1 with goto. It uses the
// scanner of gopher-lua. gopher-lua's own parser only knows where it stopped; this one says as Lua does which token is
// missing, and which one it would close. It makes trees that gopher-lua compiles as Lua 5.1 does: see separate, fold
// and jump.
type parser struct {
	text      []byte
	scanner   *parse.Scanner
	lexer     parse.Lexer
	token     ast.Token    // the next one
	end       ast.Position // of its last character
	last      int          // line of the token before it
	tolerated *Error       // the first mistake by the grammar of Lua 5.1 that is none for gopher-lua

	level   int // of blocks and expressions
	depth   int // of the node that is read, in the tree
	deepest int // depth of the nodes below the current one so far
	lookups int // that the compiler needs to find the constants so far

	entry  bool           // local variables outside of blocks become global
	first  bool           // the next statement is the first of an entry, which can be an expression
	uses   map[string]int // how often a variable of the name was used
	breaks int            // loops so far, for the names of the labels after them
	function
}

// function is the function that is read.
type function struct {
	scope     *scope
	loop      *loop // the innermost one; nil outside of loops
	declared  int   // local variables without a name that the compiler declares before the next expression: see at
	varargs   bool
	constants map[string]int // with their places in the list of the compiler
}

func newFunction(locals int) function {
	return function{scope: &scope{locals: locals}, constants: map[string]int{}}
}

func newParser(text []byte) *parser {
	p := &parser{text: text, scanner: parse.NewScanner(bytes.NewReader(text), ""), last: 1, uses: map[string]int{},
		function: newFunction(0)}
	p.varargs = true
	return p
}

// read reads the whole text by a method. The error has no file and source.
func (p *parser) read(all func() []ast.Stmt) (chunk []ast.Stmt, failed *Error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case *Error:
			failed = reason
		default:
			panic(reason)
		}
	}()
	p.next()
	chunk = all()
	p.check(parse.EOF)
	return chunk, nil
}

// unfinished are the messages for the scanner's errors about strings and comments.
var unfinished = map[string]string{"unterminated string": "unfinished string",
	"unterminated multiline string": "unfinished long string", "invalid multiline comment": "unfinished long comment",
	"invalid multiline string": "invalid long string delimiter"}

// next reads the next token.
func (p *parser) next() {
	p.last = max(p.token.Pos.Line, 1)
	t, err := p.scanner.Scan(&p.lexer)
	p.token, p.end = t, p.scanner.Pos
	if t.Type == parse.TNumber {
		p.checkNumber()
	}
	if t.Type == parse.EOF || p.end.Line == parse.EOF {
		p.token.Type, p.token.Pos.Line = parse.EOF, lastLine(p.text)
	}
	if failed := (*parse.Error)(nil); errors.As(err, &failed) {
		if message, ok := unfinished[failed.Message]; ok {
			p.fail("%s", message)
		}
		p.token.Type = int(failed.Token[0]) // a character that begins no token
	}
	if p.is(parse.TIdent, parse.TString, parse.TNumber) {
		p.constant(t.Str)
	}
}

// checkNumber refuses a number without digits in its exponent. A letter after a number is one more token for
// gopher-lua.
func (p *parser) checkNumber() {
	next := p.scanner.Peek()
	_, ok := convert.Parse(p.token.Str)
	if ok && (p.tolerated != nil || next != '.' && !isWord(next)) {
		return
	}
	text := numberText().FindString(p.source(p.token.Pos, ast.Position{}))
	mistake := p.mistake("malformed number near '%s'", text)
	if !ok {
		panic(mistake)
	}
	p.tolerated = mistake
}

// Lua reads a number up to the end of numberText.
var numberText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9.]+([eE][+-]?)?\w*`)
})

func isWord(c int) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// constant looks up a constant as the compiler does, which compares it with one after the other.
func (p *parser) constant(text string) {
	place, known := p.constants[text]
	if !known {
		place = len(p.constants)
		p.constants[text] = place
	}
	if p.lookups += place + 1; p.lookups > maxLookups {
		p.refuse("too many different constants (%d so far in one function); "+
			"divide the function, or keep large data outside of the script", len(p.constants))
	}
}

// enter counts a level of blocks and expressions, which the function that it returns leaves.
func (p *parser) enter() (leave func()) {
	if p.level++; p.level > maxLevels {
		panic(p.mistake("chunk has too many syntax levels"))
	}
	p.depth++
	p.reach(p.depth)
	return func() { p.level, p.depth = p.level-1, p.depth-1 }
}

// reach notes the depth of a node.
func (p *parser) reach(depth int) {
	if p.deepest = max(p.deepest, depth); p.deepest > maxDepth {
		p.refuse("expressions or blocks are nested more than %d deep", maxDepth)
	}
}

func (p *parser) is(types ...int) bool { return slices.Contains(types, p.token.Type) }

// skip reads the next token if it has the type.
func (p *parser) skip(t int) bool {
	if !p.is(t) {
		return false
	}
	p.next()
	return true
}

func (p *parser) check(t int) {
	if !p.is(t) {
		p.fail("%s expected", nameOf(t))
	}
}

func (p *parser) expect(t int) {
	p.check(t)
	p.next()
}

// close expects the token that closes another one, which is in the line.
func (p *parser) close(t, opened, line int) {
	if !p.is(t) && line != p.token.Pos.Line {
		p.fail("%s expected (to close %s at line %d)", nameOf(t), nameOf(opened), line)
	}
	p.expect(t)
}

// name reads a name.
func (p *parser) name() string {
	name := p.token.Str
	p.expect(parse.TIdent)
	return name
}

// names reads the names after a first one.
func (p *parser) names(first string) []string {
	list := []string{first}
	for p.skip(',') {
		list = append(list, p.name())
	}
	return list
}

// mistake returns an error at the next token.
func (p *parser) mistake(format string, args ...any) *Error {
	e := &Error{Line: p.token.Pos.Line, Column: p.token.Pos.Column, Message: fmt.Sprintf(format, args...)}
	if e.incomplete = p.is(parse.EOF); e.incomplete {
		e.Column = 0
	}
	return e
}

// fail ends the parser with a message about the next token.
func (p *parser) fail(format string, args ...any) {
	e := p.mistake(format+" near '%s'", append(args, p.near())...)
	if p.tolerated != nil {
		p.tolerated.incomplete = e.incomplete
		e = p.tolerated
	}
	panic(e)
}

// refuse ends the parser with a message about the line.
func (p *parser) refuse(format string, args ...any) {
	panic(&Error{Line: p.token.Pos.Line, Message: fmt.Sprintf(format, args...)})
}

// tolerate notes a mistake at the next token that is none for gopher-lua.
func (p *parser) tolerate(problem string) {
	if p.tolerated == nil {
		p.tolerated = p.mistake("%s near '%s'", problem, p.near())
	}
}

// near returns the next token for messages.
func (p *parser) near() string {
	if p.is(parse.EOF) {
		return "<eof>"
	}
	return p.source(p.token.Pos, p.end)
}

// source returns the text between the positions of two characters, up to the end of the first line.
func (p *parser) source(from, to ast.Position) string {
	line := lineOf(p.text, from.Line)
	if to.Line == from.Line {
		line = line[:min(to.Column, len(line))]
	}
	return line[min(max(from.Column-1, 0), len(line)):]
}

// lineOf returns a line of a text, numbered from 1.
func lineOf(text []byte, number int) string {
	for range number - 1 {
		_, text, _ = cutLine(text)
	}
	line, _, _ := cutLine(text)
	return string(line)
}

// cutLine splits a text after its first line. For Lua, a carriage return breaks a line, alone or with a line feed.
func cutLine(text []byte) (line, rest []byte, found bool) {
	i := bytes.IndexAny(text, "\r\n")
	if i < 0 {
		return text, nil, false
	}
	line, rest = text[:i], text[i+1:]
	if len(rest) > 0 && (rest[0] == '\r' || rest[0] == '\n') && rest[0] != text[i] {
		rest = rest[1:]
	}
	return line, rest, true
}

// lastLine returns the number of a text's last line.
func lastLine(text []byte) int {
	number := 1
	for more := true; more; number++ {
		_, text, more = cutLine(text)
	}
	return number - 1
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
