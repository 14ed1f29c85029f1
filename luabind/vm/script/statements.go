package script

import (
	"slices"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// block reads the statements of an inner block. locals is the number of local variables at its beginning.
func (p *parser) block(locals int) []ast.Stmt {
	outer := p.scope
	p.scope = outer.inner(locals)
	list := p.statements()
	p.scope = outer
	return list
}

// statements reads the statements of the current scope, which ends with them.
func (p *parser) statements() []ast.Stmt {
	list := p.open()
	for i := len(list) - 1; i >= 0; i-- {
		label, ok := list[i].(*ast.LabelStmt)
		if !ok {
			break
		}
		p.scope.label(label.Name, p.scope.start) // the variables of the block are not visible any more
	}
	p.scope.resolve()
	return list
}

// open reads statements whose scope may continue.
func (p *parser) open() []ast.Stmt {
	defer p.enter()()
	list := []ast.Stmt{}
	for last := false; !last && !p.blockEnds(); {
		if p.is(';') {
			p.tolerate("unexpected symbol")
			p.next()
			continue
		}
		last = p.is(parse.TReturn, parse.TBreak)
		p.first = p.keepsLocals() && len(list) == 0
		list = append(list, p.statement())
		p.skip(';')
	}
	return list
}

func (p *parser) blockEnds() bool {
	return p.is(parse.TElse, parse.TElseIf, parse.TEnd, parse.TUntil, parse.EOF)
}

func (p *parser) statement() ast.Stmt {
	line := p.token.Pos.Line
	switch p.token.Type {
	case parse.TIf:
		return p.ended(parse.TIf, line, p.branch())
	case parse.TWhile:
		return p.inLoop(line, p.while)
	case parse.TDo:
		p.next()
		return p.ended(parse.TDo, line, at(p, line, &ast.DoBlockStmt{Stmts: p.block(0)}))
	case parse.TFor:
		return p.inLoop(line, p.forLoop)
	case parse.TRepeat:
		return p.inLoop(line, p.repeat)
	case parse.TFunction:
		return p.definition(line)
	case parse.TLocal:
		return p.local(line)
	case parse.TReturn:
		p.next()
		st := at(p, line, &ast.ReturnStmt{})
		if !p.blockEnds() && !p.is(';') {
			st.Exprs = p.list()
		}
		return st
	case parse.TBreak:
		return p.breakLoop(line)
	case parse.TGoto:
		p.next()
		jump := markJump(&ast.GotoStmt{Label: p.name()}, line, 0)
		p.scope.jumps = append(p.scope.jumps, jump)
		return jump
	case parse.T2Colon:
		p.next()
		label := at(p, line, &ast.LabelStmt{Name: p.name()})
		p.expect(parse.T2Colon)
		p.scope.label(label.Name, p.scope.locals)
		return label
	}
	return p.callOrAssignment()
}

// ended reads the end of a statement whose keyword is in the line.
func (p *parser) ended(keyword, line int, st ast.Stmt) ast.Stmt {
	p.close(parse.TEnd, keyword, line)
	st.SetLastLine(p.last)
	return st
}

// branch reads an if statement from its first keyword, or elseif, to the last block. It returns the block that is
// executed if the condition is constant.
func (p *parser) branch() ast.Stmt {
	line := p.token.Pos.Line
	p.next()
	st := &ast.IfStmt{Condition: p.expression()}
	p.expect(parse.TThen)
	st.Then = p.block(0)
	if p.is(parse.TElseIf) {
		p.depth++
		p.reach(p.depth)
		st.Else = []ast.Stmt{p.branch()}
		p.depth--
	} else if p.skip(parse.TElse) {
		st.Else = p.block(0)
	}
	switch truth, constant := truthOf(st.Condition); {
	case !constant:
		return at(p, line, st)
	case truth:
		return at(p, line, &ast.DoBlockStmt{Stmts: st.Then})
	}
	return at(p, line, &ast.DoBlockStmt{Stmts: st.Else})
}

func (p *parser) while(line int) ast.Stmt {
	p.next()
	condition := p.expression()
	p.expect(parse.TDo)
	body := p.padded(p.block(0), line)
	var st ast.Stmt = at(p, line, &ast.WhileStmt{Condition: condition, Stmts: body})
	if truth, constant := truthOf(condition); constant && !truth {
		st = at(p, line, &ast.DoBlockStmt{})
	}
	return p.ended(parse.TWhile, line, st)
}

func (p *parser) repeat(line int) ast.Stmt {
	p.next()
	outer := p.scope
	p.scope = outer.inner(0)
	body := p.padded(p.open(), line)
	p.scope.resolve()
	p.close(parse.TUntil, parse.TRepeat, line)
	st := &ast.RepeatStmt{Stmts: body, Condition: p.expression()}
	p.scope = outer
	st.SetLastLine(unmarked(st.Condition.Line()))
	return at(p, line, st)
}

// padded adds a statement to the body of a loop that has none, because gopher-lua miscompiles it: see fold.
func (p *parser) padded(body []ast.Stmt, line int) []ast.Stmt {
	if len(body) > 0 {
		return body
	}
	return []ast.Stmt{at(p, line, &ast.LocalAssignStmt{Names: []string{"(none)"}})}
}

// hiddenLocals is how many local variables without a name a for statement has.
const hiddenLocals = 3

// forLoop reads a for statement.
func (p *parser) forLoop(line int) ast.Stmt {
	p.next()
	names, outer := []string{p.name()}, p.scope.locals
	var st ast.Stmt
	var body *[]ast.Stmt
	if p.skip('=') {
		loop := &ast.NumberForStmt{Name: names[0]}
		loop.Init = p.bound()
		p.expect(',')
		loop.Limit = p.bound()
		if p.skip(',') {
			loop.Step = p.bound()
		} else {
			p.scope.locals++
			loop.Step = at(p, loop.Init.Line(), &ast.NumberExpr{Value: "1"})
		}
		st, body = loop, &loop.Stmts
	} else {
		if !p.is(',', parse.TIn) {
			p.fail("'=' or 'in' expected")
		}
		loop := &ast.GenericForStmt{Names: p.names(names[0])}
		p.expect(parse.TIn)
		p.declared = hiddenLocals
		loop.Exprs = p.list()
		p.scope.locals, p.declared = outer+hiddenLocals, 0
		names, st, body = loop.Names, loop, &loop.Stmts
	}
	at(p, line, st)
	p.expect(parse.TDo)
	p.scope.locals = outer
	*body = p.block(hiddenLocals + len(names))
	return p.ended(parse.TFor, line, st)
}

// bound reads the beginning, the end or the step of a for statement, which becomes a local variable.
func (p *parser) bound() ast.Expr {
	p.declared = 1
	e := p.expression()
	p.declared = 0
	p.scope.locals++
	return e
}

// definition reads a function that is assigned to a variable or a field.
func (p *parser) definition(line int) ast.Stmt {
	p.next()
	begin := p.token.Pos.Line
	if p.first && p.is('(') {
		st := at(p, line, &ast.ReturnStmt{Exprs: []ast.Expr{at(p, line, p.body(line, 0))}})
		p.check(parse.EOF)
		return st
	}
	first := p.name()
	p.uses[first]++
	var target ast.Expr = at(p, begin, &ast.IdentExpr{Value: first})
	for p.skip('.') {
		begin = p.token.Pos.Line
		key := at(p, begin, &ast.StringExpr{Value: p.name()})
		target = at(p, begin, &ast.AttrGetExpr{Object: target, Key: key})
	}
	name, self := &ast.FuncName{Func: target}, 0
	if p.skip(':') {
		name, self = &ast.FuncName{Receiver: target, Method: p.name()}, 1
	}
	st := at(p, line, &ast.FuncDefStmt{Name: name, Func: p.body(line, self)})
	st.SetLastLine(st.Func.LastLine())
	return st
}

func (p *parser) local(line int) ast.Stmt {
	p.next()
	if p.skip(parse.TFunction) {
		names := []string{p.name()}
		f := p.body(line, 0)
		st := p.declare(line, names, []ast.Expr{f})
		st.SetLastLine(f.LastLine())
		return st
	}
	first := p.name()
	used := p.uses[first]
	names, values := p.names(first), []ast.Expr{}
	if p.skip('=') {
		values = p.list()
	}
	if isFunction(names, values) && p.uses[first] > used && !p.keepsLocals() {
		names = append(names, "(none)") // its own name is another variable in the function
	}
	return p.declare(line, names, values)
}

// keepsLocals reports whether local variables of the current block become global.
func (p *parser) keepsLocals() bool { return p.entry && p.level == 1 }

// declare returns the statement that declares local variables, and counts them.
func (p *parser) declare(line int, names []string, values []ast.Expr) ast.Stmt {
	if p.keepsLocals() {
		var targets []ast.Expr
		for _, name := range names {
			targets = append(targets, at(p, line, &ast.IdentExpr{Value: name}))
		}
		if len(values) == 0 {
			values = []ast.Expr{at(p, line, &ast.NilExpr{})}
		}
		return p.assign(line, targets, values)
	}
	for len(names) < len(values) { // values without a variable would overwrite others
		names = append(names, "(extra)")
	}
	if isFunction(names, values) {
		p.declared = 1 // before the value
		at(p, unmarked(values[0].Line()), values[0])
		p.declared = 0
	}
	st := at(p, line, &ast.LocalAssignStmt{Names: names, Exprs: values})
	p.scope.locals += len(names)
	return st
}

// isFunction reports whether a statement declares one variable with a function as its value. The compiler then declares
// the variable first, as local function does.
func isFunction(names []string, values []ast.Expr) bool {
	if len(names) != 1 || len(values) != 1 {
		return false
	}
	_, ok := values[0].(*ast.FunctionExpr)
	return ok
}

func (p *parser) callOrAssignment() ast.Stmt {
	if p.first {
		return p.typed()
	}
	target, kind := p.primary()
	if kind == callKind {
		return at(p, target.Line(), &ast.FuncCallStmt{Expr: target})
	}
	targets := []ast.Expr{target}
	for {
		if kind != variableKind {
			p.fail("syntax error")
		}
		if !p.skip(',') {
			break
		}
		target, kind = p.primary()
		targets = append(targets, target)
	}
	p.expect('=')
	return p.assign(target.Line(), targets, p.list())
}

// assign returns an assignment that gopher-lua compiles as Lua does.
func (p *parser) assign(line int, targets, values []ast.Expr) ast.Stmt {
	if interferes(targets, values) {
		return p.separate(line, targets, values)
	}
	return at(p, line, &ast.AssignStmt{Lhs: targets, Rhs: values})
}

// interferes reports whether gopher-lua would evaluate an expression of an assignment to several variables after it
// changed a variable that the expression uses. For example,
//
//	a, b = b, a
//
// would set both to b, because a local variable is assigned at once.
func interferes(targets, values []ast.Expr) bool {
	isVariable := func(target ast.Expr) bool {
		_, ok := target.(*ast.IdentExpr)
		return ok
	}
	switch {
	case len(values) > len(targets): // would overwrite other variables
		return true
	case !slices.ContainsFunc(targets, isVariable):
		return false
	case len(targets) > 1:
		return true
	}
	switch values[0].(type) {
	case *ast.LogicalOpExpr: // the variable would keep its value where the first operand decides
		return true
	case *ast.Comma3Expr: // would take the value of the variable declared after it
		return true
	}
	return false
}

// separate returns a block that evaluates everything before it assigns. Lua assigns from right to left.
//
//	do local v1, v2 = b, a; b = v2; a = v1 end
func (p *parser) separate(line int, targets, values []ast.Expr) ast.Stmt {
	var names []string // that no variable of a script can have
	var all []ast.Expr
	variable := func() ast.Expr {
		names = append(names, "(value "+strconv.Itoa(len(names))+")")
		return at(p, line, &ast.IdentExpr{Value: names[len(names)-1]})
	}
	keep := func(value ast.Expr) ast.Expr {
		if _, ok := value.(ast.ConstExpr); ok {
			return value
		}
		all = append(all, value)
		return variable()
	}
	for i, target := range targets {
		if field, ok := target.(*ast.AttrGetExpr); ok {
			targets[i] = at(p, line, &ast.AttrGetExpr{Object: keep(field.Object), Key: keep(field.Key)})
		}
	}
	all = append(all, values...)
	block := []ast.Stmt{nil}
	for _, target := range targets {
		block = append(block, at(p, line, &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{variable()}}))
	}
	slices.Reverse(block[1:])
	for len(names) < len(all) {
		variable()
	}
	block[0] = at(p, line, &ast.LocalAssignStmt{Names: names, Exprs: all})
	return at(p, line, &ast.DoBlockStmt{Stmts: block})
}
