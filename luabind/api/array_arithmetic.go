package api

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
)

// The result of arithmetic has the wider type of the operands.
const widerType = "; it has the wider type of the operands, and d or z if one is an array of integers"

func operation(name, about string) Param {
	return withDefault(enum(name, routine.Operation, about), int64(routine.OperationNone))
}

func factor(name, about string) Param {
	return optional(Param{Name: name, Kind: Element, About: about + ": a number or {re, im}"}, "1")
}

func arrayArithmetic() []*Function {
	return []*Function{
		declare("multiply", "returns the product op(A) op(B), computed in double precision; a vector is a matrix of "+
			"one column",
			numbers("A", "the first factor"), numbers("B", "the second factor"),
			operation("transA", "operation on A, such as rocblas.operation_transpose"),
			operation("transB", "operation on B")).returns("product", "roclua.array", "the product"+widerType),
		declare("add", "returns alpha A + beta B, computed in double precision", numbers("A", "the first array"),
			numbers("B", "the second array, of the same shape"), factor("alpha", "factor of A"),
			factor("beta", "factor of B")).
			returns("sum", "roclua.array", "the sum"+widerType+"; complex if a factor is"),
		declare("subtract", "returns A - B, computed in double precision", numbers("A", "the first array"),
			numbers("B", "the second array, of the same shape")).
			returns("difference", "roclua.array", "the difference"+widerType),
		declare("scale", "returns alpha A", numbers("A", "the array"),
			Param{Name: "alpha", Kind: Element, About: "the factor: a number or {re, im}"}).method().
			returns("scaled", "roclua.array", "the product"+widerType+"; complex if the factor is"),
		declare("transpose", "returns the transpose of a matrix", numbers("A", "the matrix")).method().
			results(newArray),
		declare("conjugate_transpose", "returns the conjugate transpose of a matrix; of a real one the transpose",
			numbers("A", "the matrix")).method().results(newArray),
		declare("orthogonal_factor", "returns Q of a QR factorization, with as many columns as there are reflections",
			numbers("QR", "the factors that geqrf computed"),
			numbers("tau", "the scalars that geqrf computed, one for each reflection")).results(newArray),
	}
}

func batch() Param {
	about := "number of problems that the arrays hold, each in as many columns, or elements of a vector"
	return withDefault(integer("batch", 1, maxCount, about), int64(1))
}

func residualResult(about string) Result {
	return Result{"residual", "number", about + "; of a batch the largest; NaN when an element is NaN or infinite"}
}

var aResidual = residualResult("the residual")

func arrayChecks() []*Function {
	return []*Function{
		declare("residual", "returns the relative residual of a solution, ||A x - b|| / (||A|| ||x||), in Frobenius "+
			"norms",
			numbers("A", "the matrix"), numbers("x", "the solutions, one in each column"),
			numbers("b", "the right-hand sides, one in each column"), batch()).results(aResidual),
		declare("lu_residual", "returns the relative residual of an LU factorization, ||P A - L U|| / ||A||, in "+
			"Frobenius norms",
			numbers("A", "the matrix"), numbers("LU", "the factors that getrf computed"),
			numbers("ipiv", "the pivot indices that getrf computed"), batch()).results(aResidual),
		declare("cholesky_residual", "returns the relative residual of a Cholesky factorization, ||A - L L^H|| / "+
			"||A|| or ||A - U^H U|| / ||A||, in Frobenius norms; it reads one triangle of each matrix",
			numbers("A", "the matrix"), numbers("factor", "the factor that potrf computed"),
			enum("uplo", routine.Fill, "the triangle"), batch()).results(aResidual),
		factorResidual("QR", "geqrf"), factorResidual("LQ", "gelqf"), factorResidual("QL", "geqlf"),
		factorResidual("RQ", "gerqf"),
		declare("orthogonality", "returns how far the columns of a matrix are from orthonormal, ||Q^H Q - I|| in the "+
			"Frobenius norm",
			numbers("Q", "the matrix"), batch()).method().results(residualResult("the norm")),
		declare("inverse_residual", "returns the relative residual of an inverse, ||A X - I|| / (||A|| ||X||), in "+
			"Frobenius norms",
			numbers("A", "the matrix"), numbers("X", "the inverse"), batch()).results(aResidual),
		declare("eigen_residual", "returns the relative residual of eigenvalues, ||A V - V diag(w)|| / (||A|| "+
			"||V||), in Frobenius norms",
			numbers("A", "the matrix"), numbers("V", "the eigenvectors, one in each column"),
			numbers("w", "the eigenvalues, one for each column of V"), batch()).results(aResidual),
		declare("generalized_residual", "returns the relative residual of generalized eigenvalues of Hermitian "+
			"matrices, ||A V - B V diag(w)|| / (||A|| ||V||) for eform_ax, ||A B V - V diag(w)|| / (||A|| ||B|| "+
			"||V||) for eform_abx, and the same with B A for eform_bax, in Frobenius norms",
			numbers("A", "the first matrix"), numbers("B", "the second matrix"),
			numbers("V", "the eigenvectors, one in each column"),
			numbers("w", "the eigenvalues, one for each column of V"),
			withDefault(enum("itype", routine.ProblemForm, "the problem"), int64(routine.EformAx)), batch()).
			results(aResidual),
		declare("svd_residual", "returns the relative residual of singular values, ||A - U diag(S) V|| / ||A||, in "+
			"Frobenius norms",
			numbers("A", "the matrix"), numbers("U", "the left singular vectors, one in each column"),
			numbers("S", "the singular values"),
			numbers("V", "the conjugated right singular vectors, one in each row, as gesvd computes them"), batch()).
			results(aResidual),
		declare("product_residual", "returns the relative residual of a product, ||C - (alpha op(A) op(B) + beta "+
			"C0)|| / (|alpha| ||A|| ||B|| + |beta| ||C0||), in Frobenius norms",
			numbers("C", "the result that gemm computed"), numbers("A", "the first factor"),
			numbers("B", "the second factor"),
			optional(Param{Name: "options", Kind: Options,
				About: "the other arguments of gemm: operations on A and B, factors, C before the call, number of " +
					"problems",
				Fields: []Param{operation("transA", "operation on A"), operation("transB", "operation on B"),
					factor("alpha", "factor of the product"), factor("beta", "factor of C0"),
					numbers("C0", "C before the call, which beta needs"), batch()}}, "")).
			results(aResidual),
		declare("is_sorted", "returns whether the elements of each column are ordered; equal ones are, NaN is not",
			numbers("values", "real numbers, such as eigenvalues or singular values"),
			withDefault(Param{Name: "order", Kind: Choice, Choices: []string{"ascending",
				"descending"}, About: "the order"}, "ascending")).
			returns("sorted", "boolean", "whether they are ordered"),
	}
}

// factorResidual declares the check of a factorization by reflections.
func factorResidual(name, routine string) *Function {
	return declare(strings.ToLower(name)+"_residual", fmt.Sprintf("returns the relative residual of a %s "+
		"factorization, ||A - %c %c|| / ||A||, in Frobenius norms", name, name[0], name[1]),
		numbers("A", "the matrix"), numbers(name, "the factors that "+routine+" computed"),
		numbers("tau", "the scalars that "+routine+" computed"), batch()).results(aResidual)
}

// arrayReferences compute references for the results of libraries.
func arrayReferences() []*Function {
	other := "; it is computed in double precision, by another method than the kernels of the platform cpu use"
	return []*Function{
		declare("solve", "returns the solution of A x = b, or the x with the smallest ||A x - b|| if A has more rows "+
			"than columns"+other, numbers("A", "the matrix"), numbers("b", "the right-hand sides, one in each column")).
			results(newArray),
		declare("inverse", "returns the inverse of a square matrix"+other, numbers("A", "the matrix")).
			results(newArray),
		declare("eigenvalues", "returns the eigenvalues of a symmetric or Hermitian matrix, ascending"+other,
			numbers("A", "the matrix, of which one triangle is read"),
			withDefault(enum("uplo", routine.Fill, "the triangle"), int64(routine.FillUpper))).results(newArray),
		declare("singular_values", "returns the singular values of a matrix, descending"+other,
			numbers("A", "the matrix")).results(newArray),
	}
}
