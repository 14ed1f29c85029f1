package script

import (
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/yuin/gopher-lua/ast"

	"roclua/luabind/vm/internal/convert"
)

// correction changes a syntax tree where gopher-lua compiles it differently from Lua 5.1, and the code that is compiled
// from it.
type correction struct {
	jumps  map[int]*jump // by their marks and the lines after these
	breaks int           // replaced so far
}

// apply changes the syntax tree of a chunk.
func (c *correction) apply(chunk []ast.Stmt) { c.function(chunk, 0) }

// function corrects the body of a function. locals is the number of local variables at its beginning.
func (c *correction) function(body []ast.Stmt, locals int) {
	top := &scope{locals: locals}
	c.block(body, top, false)
}

// block corrects statements. They have a scope that ends with them, except for the condition of repeat.
func (c *correction) block(statements []ast.Stmt, s *scope, repeat bool) {
	for i, statement := range statements {
		if assign, ok := statement.(*ast.AssignStmt); ok && c.interferes(assign) {
			statement = c.separate(assign)
		}
		statement = c.breakByGoto(foldStatement(statement))
		statements[i] = statement
		if label, ok := statement.(*ast.LabelStmt); ok {
			s.label(label.Name, !repeat && onlyLabels(statements[i+1:]))
		}
		c.statement(statement, s)
	}
	s.resolve()
}

// statement corrects the parts of a statement, and counts the local variables that it declares.
func (c *correction) statement(statement ast.Stmt, s *scope) {
	if jump, ok := statement.(*ast.GotoStmt); ok {
		j := s.jump(jump, firstMark+len(c.jumps))
		c.jumps[j.mark], c.jumps[j.mark+1] = j, j
		return
	}
	mark(statement, s.locals, 0)
	switch st := statement.(type) {
	case *ast.LocalAssignStmt:
		for len(st.Names) < len(st.Exprs) { // values without a variable would overwrite others
			st.Names = append(st.Names, "(extra)")
		}
		declared := 0 // by the compiler, before the value of a function
		if isFunction(st) {
			declared = 1
			if st.LastLine() == 0 && names(st.Exprs, st.Names[0]) { // local f = function, which does not see f
				st.Names, declared = append(st.Names, "(none)"), 0
			}
		}
		c.expressions(st.Exprs, s.locals+declared, declared)
		s.locals += len(st.Names)
	case *ast.DoBlockStmt:
		c.block(st.Stmts, s.inner(0), false)
	case *ast.WhileStmt:
		c.expressions(&st.Condition, s.locals, 0)
		c.block(st.Stmts, s.inner(0), false)
	case *ast.RepeatStmt:
		body := s.inner(0)
		c.block(st.Stmts, body, true)
		c.expressions(&st.Condition, body.locals, 0)
	case *ast.IfStmt:
		c.expressions(&st.Condition, s.locals, 0)
		c.block(st.Then, s.inner(0), false)
		c.block(st.Else, s.inner(0), false)
	case *ast.NumberForStmt:
		if st.Step == nil {
			st.Step = &ast.NumberExpr{Value: "1"}
			st.Step.SetLine(st.Init.Line())
		}
		mark(st, s.locals+hiddenLocals, 0)
		for i, part := range []*ast.Expr{&st.Init, &st.Limit, &st.Step} {
			c.expressions(part, s.locals+i+1, 1)
		}
		c.block(st.Stmts, s.inner(hiddenLocals+1), false)
	case *ast.GenericForStmt:
		mark(st, s.locals+hiddenLocals, 0)
		c.expressions(st.Exprs, s.locals+hiddenLocals, hiddenLocals)
		c.block(st.Stmts, s.inner(hiddenLocals+len(st.Names)), false)
	case *ast.FuncDefStmt:
		self := 0
		if st.Name.Func == nil {
			self = 1
		}
		mark(st.Func, s.locals, 0)
		c.expressions(st.Name, s.locals, 0)
		c.function(st.Func.Stmts, self+parameters(st.Func.ParList))
	default:
		c.expressions(statement, s.locals, 0)
	}
}

// hiddenLocals is how many local variables without a name a for statement has.
const hiddenLocals = 3

// isFunction reports whether a statement declares one variable with a function as its value.
func isFunction(st *ast.LocalAssignStmt) bool {
	if len(st.Names) != 1 || len(st.Exprs) != 1 {
		return false
	}
	_, ok := st.Exprs[0].(*ast.FunctionExpr)
	return ok
}

// names reports whether a part of a syntax tree has a variable of a name.
func names(part any, name string) (found bool) {
	eachNode(reflect.ValueOf(part), func(node any) bool {
		variable, ok := node.(*ast.IdentExpr)
		found = found || ok && variable.Value == name
		return !found
	})
	return found
}

// parameters returns how many local variables the parameters of a function are. Functions with ... have one for the
// table arg.
func parameters(list *ast.ParList) int {
	n := len(list.Names)
	if list.HasVargs {
		n++
	}
	return n
}

// expressions corrects a part of a syntax tree without statements, or a pointer to it, and marks it: see [mark].
func (c *correction) expressions(part any, locals, declared int) {
	foldAll(reflect.ValueOf(part))
	eachNode(reflect.ValueOf(part), func(node any) bool {
		if node, ok := node.(ast.PositionHolder); ok {
			mark(node, locals, declared)
		}
		switch node := node.(type) {
		case *ast.NumberExpr:
			c.number(node)
		case *ast.FunctionExpr:
			c.function(node.Stmts, parameters(node.ParList))
			return false
		}
		return true
	})
}

// eachNode calls visit with every node of a syntax tree, from the outside to the inside. It does not enter a node for
// which visit returns false.
func eachNode(v reflect.Value, visit func(node any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		eachNode(v.Elem(), visit)
	case reflect.Pointer:
		if !v.IsNil() && visit(v.Interface()) {
			eachNode(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachNode(v.Index(i), visit)
		}
	case reflect.Struct:
		for _, i := range fieldsOf(v.Type()) {
			eachNode(v.Field(i), visit)
		}
	}
}

// nodeFields has the fields of the types of nodes. Package reflect allocates memory for the description of a field.
var nodeFields sync.Map // []int by reflect.Type

// fieldsOf lists the fields of a type of nodes that lead to other nodes and to names.
func fieldsOf(node reflect.Type) []int {
	if known, ok := nodeFields.Load(node); ok {
		return known.([]int)
	}
	var list []int
	for i := range node.NumField() {
		if f := node.Field(i); f.IsExported() && !f.Anonymous {
			list = append(list, i)
		}
	}
	nodeFields.Store(node, list)
	return list
}

// number writes a number in decimal that gopher-lua would read as NaN, because it has more than 64 bits.
func (c *correction) number(number *ast.NumberExpr) {
	if _, err := strconv.ParseInt(number.Value, 0, 64); err != nil {
		if n, ok := convert.Parse(number.Value); ok {
			number.Value = strconv.FormatFloat(float64(n), 'e', -1, 64)
		}
	}
}

// interferes reports whether gopher-lua would evaluate an expression of an assignment to several variables after it
// changed a variable that the expression uses. For example,
//
//	a, b = b, a
//
// would set both to b, because a local variable is assigned at once.
func (c *correction) interferes(assign *ast.AssignStmt) bool {
	isVariable := func(target ast.Expr) bool {
		_, ok := target.(*ast.IdentExpr)
		return ok
	}
	switch {
	case len(assign.Rhs) > len(assign.Lhs): // would overwrite other variables
		return true
	case !slices.ContainsFunc(assign.Lhs, isVariable):
		return false
	case len(assign.Lhs) > 1:
		return true
	}
	switch assign.Rhs[0].(type) {
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
func (c *correction) separate(assign *ast.AssignStmt) ast.Stmt {
	b := &blockBuilder{at: assign}
	for i, target := range assign.Lhs {
		if field, ok := target.(*ast.AttrGetExpr); ok {
			kept := &ast.AttrGetExpr{Object: b.keep(field.Object), Key: b.keep(field.Key)}
			b.locate(kept)
			assign.Lhs[i] = kept
		}
	}
	names := make([]string, max(len(assign.Lhs), len(assign.Rhs)))
	for i := range names {
		names[i] = b.name()
	}
	b.local(names, assign.Rhs)
	for i := len(assign.Lhs) - 1; i >= 0; i-- {
		b.add(&ast.AssignStmt{Lhs: []ast.Expr{assign.Lhs[i]}, Rhs: []ast.Expr{b.variable(names[i])}})
	}
	return b.block()
}

// blockBuilder collects the statements of a block that replaces a statement.
type blockBuilder struct {
	at         ast.PositionHolder // the statement
	statements []ast.Stmt
	names      int
}

// locate gives a node the lines of the statement.
func (b *blockBuilder) locate(node ast.PositionHolder) {
	node.SetLine(b.at.Line())
	node.SetLastLine(b.at.LastLine())
}

func (b *blockBuilder) block() ast.Stmt {
	block := &ast.DoBlockStmt{Stmts: b.statements}
	b.locate(block)
	return block
}

func (b *blockBuilder) add(statement ast.Stmt) {
	b.locate(statement)
	b.statements = append(b.statements, statement)
}

// name returns a new name that no variable of a script can have.
func (b *blockBuilder) name() string {
	b.names++
	return "(value " + strconv.Itoa(b.names) + ")"
}

func (b *blockBuilder) variable(name string) ast.Expr {
	variable := &ast.IdentExpr{Value: name}
	b.locate(variable)
	return variable
}

func (b *blockBuilder) local(names []string, values []ast.Expr) {
	b.add(&ast.LocalAssignStmt{Names: names, Exprs: values})
}

// keep returns an expression with the value that another one has at the beginning of the block.
func (b *blockBuilder) keep(value ast.Expr) ast.Expr {
	if _, ok := value.(ast.ConstExpr); ok {
		return value
	}
	name := b.name()
	b.local([]string{name}, []ast.Expr{value})
	return b.variable(name)
}
