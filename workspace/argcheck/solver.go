package argcheck

import "roclua/hip/routine"

// The solver checks all its routines alike: the enumeration, then dimensions and leading dimensions, where 0 passes for
// a matrix without rows; there a query is answered. An executed call then needs its pointers. What is excused is an
// array without elements, by its own dimensions alone: in an empty batch a null matrix is still an error. An executed
// call with nothing to compute goes on: it borrows nothing, and those with an info set it to 0.
var solver = map[string]list{
	"getrf":      lapack{dims: rectangle, need: []condition{rectangular(matA), rectangular(pivots), missingInfo}}.rules,
	"getf2":      lapack{dims: rectangle, need: []condition{rectangular(matA), rectangular(pivots), missingInfo}}.rules,
	"getrf_npvt": lapack{dims: rectangle, need: []condition{rectangular(matA), missingInfo}}.rules,
	"geqrf":      lapack{dims: rectangle, need: []condition{rectangular(matA), rectangular(pivots)}}.rules,
	"getri":      lapack{dims: square, need: []condition{quadratic(matA), quadratic(pivots), missingInfo}}.rules,
	"potrf":      lapack{enum: uplo, dims: square, need: []condition{quadratic(matA), missingInfo}}.rules,
	"getrs":      lapack{enum: trans, dims: system, need: []condition{quadratic(matA), quadratic(pivots), missingB}}.rules,
	"gesv":       lapack{dims: system, need: []condition{quadratic(matA), quadratic(pivots), missingB, missingInfo}}.rules,
	"potrs":      lapack{enum: uplo, dims: system, need: []condition{quadratic(matA), missingB}}.rules,
	"posv":       lapack{enum: uplo, dims: system, need: []condition{quadratic(matA), missingB, missingInfo}}.rules,
}

var (
	uplo  = []condition{badUplo}
	trans = []condition{badTransA}

	rectangle = []routine.Slot{m, n, batchCount}
	square    = []routine.Slot{n, batchCount}
	system    = []routine.Slot{n, nrhs, batchCount}

	missingB    = null(matB).unless(either(zero(n), zero(nrhs)))
	missingInfo = null(info).unless(zero(batchCount))
)

// rectangular is a missing array that belongs to an m by n matrix, quadratic one that belongs to a matrix of order n.
func rectangular(array routine.Slot) condition { return null(array).unless(either(zero(m), zero(n))) }
func quadratic(array routine.Slot) condition   { return null(array).unless(zero(n)) }

// lapack is what distinguishes a solver routine: its enumeration if it has one, its dimensions, its missing pointers.
type lapack struct {
	enum []condition
	dims []routine.Slot
	need []condition
}

func (l lapack) rules(o operands) []rule {
	var illegal, empty []condition
	for _, d := range l.dims {
		illegal = append(illegal, negative(d))
		empty = append(empty, zero(d))
	}
	for _, matrix := range []routine.Slot{matA, matB} {
		if _, ok := o.r.ParamAt(matrix); ok {
			illegal = append(illegal, o.thinOrEmpty(matrix))
		}
	}
	return []rule{
		value(l.enum...),
		size(illegal...),
		unchanged(empty...),
		queryAnswered,
		pointers(l.need...),
	}
}
