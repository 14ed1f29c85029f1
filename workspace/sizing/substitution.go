package sizing

import "math"

// substitutes reports whether trsm solves by substitution, without memory: the reachable part of its tuning table.
func (s *triangular) substitutes() bool {
	k, _ := s.order()
	if k <= 32 || s.m <= 64 && s.n <= 64 {
		return true
	}
	if !s.left {
		return false
	}
	if s.n <= 32 && s.batch >= 16 && s.m <= 511 || s.n >= 33 && s.n <= 128 && s.m <= 340 {
		if s.pointers {
			return !(s.real && s.m <= 40 && s.n >= 65)
		}
		return s.m <= 480
	}
	return false
}

// substitution is a row of the tuning table of batched solves by substitution on the left, for orders up to a number.
// With at least this many columns of B it solves block by block, and products of matrices update the blocks below.
// Narrow is for up to 32 columns.
type substitution struct{ order, narrow, wide int64 }

const never = math.MaxInt64

var substitutionsOfReal = []substitution{{40, never, never}, {64, never, 65}, {80, 7, 33}, {511, 2, 33}}

var substitutionsOfComplex = []substitution{{40, never, 89}, {64, never, 65}, {80, 13, 33}, {112, never, never},
	{176, never, 73}, {480, 5, 33}, {511, never, never}}

// multiplies reports whether a batched solve by substitution multiplies by products of matrices.
func (s *triangular) multiplies() bool {
	if k, _ := s.order(); !s.left || k <= 32 || s.m <= 64 && s.n <= 64 {
		return false
	}
	table := substitutionsOfReal
	if !s.real {
		table = substitutionsOfComplex
	}
	for _, row := range table {
		switch {
		case s.m > row.order:
		case s.n <= 32:
			return s.n >= row.narrow
		default:
			return s.n >= row.wide
		}
	}
	return false
}
