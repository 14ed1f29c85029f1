package script

import (
	"reflect"

	"github.com/yuin/gopher-lua/ast"
)

// gopher-lua miscompiles a jump back to code that starts with a jump: it continues somewhere else. Code starts with a
// jump where a condition is constant, so that constant conditions are evaluated before the code is compiled. For
// example, the following starts the whole script again:
//
//	for k in pairs({ 1 }) do local a = true or b end

var expressionType = reflect.TypeFor[ast.Expr]()

// foldAll evaluates constant conditions in the expressions that v, a pointer or a slice, leads to. It does not enter
// functions.
func foldAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		foldAll(v.Elem())
		if v.Type() == expressionType && v.CanSet() {
			v.Set(reflect.ValueOf(fold(v.Interface().(ast.Expr))))
		}
	case reflect.Pointer:
		if _, ok := v.Interface().(*ast.FunctionExpr); !ok && !v.IsNil() {
			foldAll(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			foldAll(v.Index(i))
		}
	case reflect.Struct:
		for _, i := range fieldsOf(v.Type()) {
			foldAll(v.Field(i))
		}
	}
}

// fold returns a shorter expression of the same value, if a part of it is constant.
func fold(expr ast.Expr) ast.Expr {
	switch e := expr.(type) {
	case *ast.UnaryNotOpExpr:
		if truth, constant := truthOf(e.Expr); constant {
			var result ast.Expr = &ast.TrueExpr{}
			if truth {
				result = &ast.FalseExpr{}
			}
			result.SetLine(e.Line())
			result.SetLastLine(e.LastLine())
			return result
		}
	case *ast.LogicalOpExpr:
		truth, constant := truthOf(e.Lhs)
		switch {
		case !constant:
		case truth == (e.Operator == "and"):
			return single(e.Rhs)
		default:
			return e.Lhs
		}
	}
	return expr
}

// truthOf reports whether a constant expression counts as true.
func truthOf(expr ast.Expr) (truth, constant bool) {
	switch e := expr.(type) {
	case *ast.TrueExpr, *ast.NumberExpr, *ast.StringExpr:
		return true, true
	case *ast.FalseExpr, *ast.NilExpr:
		return false, true
	case *ast.UnaryMinusOpExpr:
		return true, isNumber(e)
	case *ast.ArithmeticOpExpr:
		return true, isNumber(e)
	}
	return false, false
}

// isNumber reports whether an expression is a number, or an operation on numbers.
func isNumber(expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.NumberExpr:
		return true
	case *ast.UnaryMinusOpExpr:
		return isNumber(e.Expr)
	case *ast.ArithmeticOpExpr:
		return isNumber(e.Lhs) && isNumber(e.Rhs)
	}
	return false
}

// single makes an expression that may have several values have one, as if it were in parentheses.
func single(expr ast.Expr) ast.Expr {
	switch e := expr.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return expr
}

// foldStatement returns the part of a statement that is executed, if its condition is constant.
func foldStatement(statement ast.Stmt) ast.Stmt {
	b := &blockBuilder{at: statement}
	switch st := statement.(type) {
	case *ast.IfStmt:
		foldAll(reflect.ValueOf(&st.Condition))
		truth, constant := truthOf(st.Condition)
		switch {
		case !constant:
			return statement
		case truth:
			b.statements = st.Then
		default:
			b.statements = st.Else
		}
		return b.block()
	case *ast.WhileStmt:
		foldAll(reflect.ValueOf(&st.Condition))
		if truth, constant := truthOf(st.Condition); constant && !truth {
			return b.block()
		}
		st.Stmts = b.padded(st.Stmts)
	case *ast.RepeatStmt:
		st.Stmts = b.padded(st.Stmts)
	}
	return statement
}

// padded adds a statement to the body of a loop that has none.
func (b *blockBuilder) padded(body []ast.Stmt) []ast.Stmt {
	if len(body) > 0 {
		return body
	}
	b.local([]string{b.name()}, nil)
	return b.statements
}
