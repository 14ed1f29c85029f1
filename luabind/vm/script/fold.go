package script

import "github.com/yuin/gopher-lua/ast"

// gopher-lua miscompiles a jump back to code that starts with a jump: it continues somewhere else. Code starts with a
// jump where a condition is constant, so that constant conditions are evaluated before the code is compiled. For
// example, the following starts the whole script again:
//
//	for k in pairs({ 1 }) do local a = true or b end

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
