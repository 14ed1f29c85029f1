package script

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"roclua/luabind/vm/internal/convert"
)

func (p *parser) list() []ast.Expr {
	list := []ast.Expr{p.expression()}
	for p.skip(',') {
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) expression() ast.Expr {
	defer p.enter()()
	return p.operations(0)
}

// priorities are how closely a binary operator binds its left and its right operand.
type priorities struct{ left, right int }

var operators = map[int]priorities{parse.TOr: {1, 1}, parse.TAnd: {2, 2}, '<': {3, 3}, '>': {3, 3}, parse.TLte: {3, 3},
	parse.TGte: {3, 3}, parse.TEqeq: {3, 3}, parse.TNeq: {3, 3}, parse.T2Comma: {5, 4}, '+': {6, 6}, '-': {6, 6},
	'*': {7, 7}, '/': {7, 7}, '%': {7, 7}, '^': {10, 9}}

// unaryPriority is how closely unary operators bind their operand.
const unaryPriority = 8

// operations reads operands with binary operators that bind closer than a limit.
func (p *parser) operations(limit int) ast.Expr {
	outer := p.deepest
	p.deepest = 0
	left := p.operand()
	for {
		operator := p.token
		priority, ok := operators[operator.Type]
		if !ok || priority.left <= limit {
			p.reach(outer)
			return left
		}
		p.next()
		below := p.deepest
		right := p.deeper(func() ast.Expr { return p.operations(priority.right) })
		p.reach(below + 1)
		left = p.operation(operator, left, right)
	}
}

// deeper reads an operand of the current node.
func (p *parser) deeper(operand func() ast.Expr) ast.Expr {
	p.depth++
	p.reach(p.depth)
	e := operand()
	p.depth--
	return e
}

func (p *parser) operation(operator ast.Token, left, right ast.Expr) ast.Expr {
	line := left.Line()
	switch operator.Type {
	case parse.TOr, parse.TAnd:
		return fold(at(p, line, &ast.LogicalOpExpr{Operator: operator.Str, Lhs: left, Rhs: right}))
	case parse.T2Comma:
		return at(p, line, &ast.StringConcatOpExpr{Lhs: left, Rhs: right})
	case '+', '-', '*', '/', '%', '^':
		return at(p, line, &ast.ArithmeticOpExpr{Operator: operator.Str, Lhs: left, Rhs: right})
	}
	return at(p, line, &ast.RelationalOpExpr{Operator: operator.Str, Lhs: left, Rhs: right})
}

// operand reads an expression without binary operators, or with those that bind closer than a unary operator.
func (p *parser) operand() ast.Expr {
	p.reach(p.depth)
	t := p.token
	switch t.Type {
	case parse.TNot, '-', '#':
		p.next()
		e := p.deeper(func() ast.Expr { return p.operations(unaryPriority) })
		switch t.Type {
		case parse.TNot:
			return fold(at(p, e.Line(), &ast.UnaryNotOpExpr{Expr: e}))
		case '-':
			return at(p, e.Line(), &ast.UnaryMinusOpExpr{Expr: e})
		}
		return at(p, e.Line(), &ast.UnaryLenOpExpr{Expr: e})
	case '{':
		return p.table()
	case parse.TFunction:
		p.next()
		return at(p, t.Pos.Line, p.body(t.Pos.Line, 0))
	}
	if constant := p.literal(); constant != nil {
		p.next()
		return at(p, t.Pos.Line, constant)
	}
	e, _ := p.primary()
	return e
}

// literal returns the value of the next token; nil if it has none.
func (p *parser) literal() ast.Expr {
	switch p.token.Type {
	case parse.TNil:
		return &ast.NilExpr{}
	case parse.TTrue:
		return &ast.TrueExpr{}
	case parse.TFalse:
		return &ast.FalseExpr{}
	case parse.TString:
		return &ast.StringExpr{Value: p.token.Str}
	case parse.TNumber:
		return &ast.NumberExpr{Value: numeral(p.token.Str)}
	case parse.T3Comma:
		if !p.varargs {
			p.fail("cannot use '...' outside a vararg function")
		}
		return &ast.Comma3Expr{}
	}
	return nil
}

// numeral returns a number in decimal that gopher-lua would read as NaN, because it has more than 64 bits.
func numeral(text string) string {
	if _, err := strconv.ParseInt(text, 0, 64); err == nil {
		return text
	}
	n, _ := convert.Parse(text)
	return strconv.FormatFloat(float64(n), 'e', -1, 64)
}

// The kinds of an expression that begins a statement.
const (
	otherKind = iota
	variableKind
	callKind
)

// primary reads a variable, a call, or an expression in parentheses, and returns its kind.
func (p *parser) primary() (e ast.Expr, kind int) {
	t, kind := p.token, variableKind
	outer := p.deepest
	p.deepest = p.depth
	switch {
	case p.skip(parse.TIdent):
		p.uses[t.Str]++
		e = at(p, t.Pos.Line, &ast.IdentExpr{Value: t.Str})
	case p.skip('('):
		kind = otherKind
		e = p.expression()
		p.close(')', '(', t.Pos.Line)
		if _, isCall := single(e).(*ast.FuncCallExpr); !isCall {
			at(p, t.Pos.Line, e)
		}
	default:
		p.fail("unexpected symbol")
	}
	for {
		name, isMethod := "", false
		switch key := p.token; {
		case p.skip('.'):
			line := p.token.Pos.Line
			kind, e = variableKind, p.index(e, at(p, line, &ast.StringExpr{Value: p.name()}))
			continue
		case p.skip('['):
			kind, e = variableKind, p.index(e, p.expression())
			p.expect(']')
			continue
		case p.skip(':'):
			name, isMethod = p.name(), true
		case key.Type != '(' && key.Type != '{' && key.Type != parse.TString:
			p.reach(outer)
			return e, kind
		}
		call := at(p, e.Line(), &ast.FuncCallExpr{Func: e, Args: p.arguments()})
		if isMethod {
			call.Func, call.Receiver, call.Method = nil, e, name
		}
		kind, e = callKind, call
		p.reach(p.deepest + 1)
	}
}

// index returns a field of an object.
func (p *parser) index(object, key ast.Expr) ast.Expr {
	p.reach(p.deepest + 1)
	return at(p, object.Line(), &ast.AttrGetExpr{Object: object, Key: key})
}

func (p *parser) arguments() []ast.Expr {
	t := p.token
	switch {
	case p.is('('):
		if t.Pos.Line != p.last {
			p.tolerate("ambiguous syntax (function call x new statement)")
		}
		p.next()
		list := []ast.Expr{}
		if !p.is(')') {
			list = p.list()
		}
		p.close(')', '(', t.Pos.Line)
		return list
	case p.is('{'):
		return []ast.Expr{p.table()}
	case p.skip(parse.TString):
		return []ast.Expr{at(p, t.Pos.Line, &ast.StringExpr{Value: t.Str})}
	}
	p.fail("function arguments expected")
	return nil
}

func (p *parser) table() ast.Expr {
	line := p.token.Pos.Line
	p.expect('{')
	t := at(p, line, &ast.TableExpr{Fields: []*ast.Field{}})
	for !p.is('}') {
		if t.Fields = append(t.Fields, p.field()); !p.is(',', ';') {
			break
		}
		for p.next(); p.is(',', ';'); p.next() {
			p.tolerate("unexpected symbol")
		}
	}
	p.close('}', '{', line)
	return t
}

func (p *parser) field() *ast.Field {
	if p.skip('[') {
		key := p.expression()
		p.expect(']')
		p.expect('=')
		return &ast.Field{Key: key, Value: p.expression()}
	}
	beginsWithName := p.is(parse.TIdent)
	value := p.expression()
	name, isName := value.(*ast.IdentExpr)
	if !beginsWithName || !isName || !p.skip('=') {
		return &ast.Field{Value: value}
	}
	p.uses[name.Value]--
	key := at(p, name.Line(), &ast.StringExpr{Value: name.Value})
	return &ast.Field{Key: key, Value: p.expression()}
}

// body reads the parameters and the body of a function whose keyword is in the line. The function has that line.
// locals is the number of its local variables before the parameters.
func (p *parser) body(line, locals int) *ast.FunctionExpr {
	outer := p.function
	p.function = newFunction(locals)
	begin := p.token.Pos.Line
	p.expect('(')
	list := &ast.ParList{Names: []string{}}
	for more := !p.is(')'); more; more = !p.varargs && p.skip(',') {
		switch {
		case p.is(parse.TIdent):
			list.Names = append(list.Names, p.name())
		case p.skip(parse.T3Comma):
			p.varargs = true
		default:
			p.fail("<name> or '...' expected")
		}
	}
	p.expect(')')
	p.scope.locals += len(list.Names)
	if list.HasVargs = p.varargs; p.varargs {
		p.scope.locals++ // the table arg
	}
	f := &ast.FunctionExpr{ParList: list, Stmts: p.statements()}
	p.close(parse.TEnd, parse.TFunction, line)
	f.SetLastLine(p.last)
	p.function = outer
	return at(p, begin, f)
}
