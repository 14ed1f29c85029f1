package nearest

import "strings"

// Costs of the differences between names. The most frequent typing errors cost least.
const (
	swap      = 2 // two adjacent letters are exchanged
	repeated  = 2 // a letter is written twice, or only once
	ending    = 2 // a letter is missing at the end
	symmetry  = 2 // the matrix is called symmetric instead of Hermitian
	edit      = 3 // a letter is missing, wrong or too many
	digit     = 4 // a digit replaces a letter
	formWord  = 4 // a word such as "batched" is missing or too many
	precision = 6 // the first letters denote two precisions
)

// symmetric has the letters of routines that do the same for real and for complex numbers: dsyevd and zheevd.
var symmetric = []struct{ real, complex string }{{"sy", "he"}, {"sp", "hp"}, {"sb", "hb"}, {"or", "un"}}

// distance returns the cost of turning a into b, both in lower case.
func distance(a, b string) int {
	var before []int // the row before row
	row := make([]int, len(b)+1)
	for j := 1; j <= len(b); j++ {
		row[j] = row[j-1] + inserted(a, b, 0, j)
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = row[0] + repeats(a, i)
		for j := 1; j <= len(b); j++ {
			next[j] = min(row[j]+repeats(a, i), next[j-1]+inserted(a, b, i, j), row[j-1]+replaced(a, b, i, j))
			if i > 1 && j > 1 {
				next[j] = min(next[j], before[j-2]+pair(a[i-2:i], b[j-2:j]))
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// repeats returns the cost of adding or removing letter i of a name, counted from 1.
func repeats(name string, i int) int {
	if i > 1 && name[i-1] == name[i-2] {
		return repeated
	}
	return edit
}

// inserted returns the cost of letter j of b after letter i of a.
func inserted(a, b string, i, j int) int {
	if i == len(a) && i > 0 {
		return min(ending, repeats(b, j))
	}
	return repeats(b, j)
}

// replaced returns the cost of replacing letter i of a by letter j of b.
func replaced(a, b string, i, j int) int {
	x, y := a[i-1], b[j-1]
	switch {
	case x == y:
		return 0
	case i == 1 && j == 1 && isPrecision(x) && isPrecision(y):
		return precision
	case isDigit(x) != isDigit(y):
		return digit
	}
	return edit
}

// pair returns the cost of replacing two letters by two others.
func pair(a, b string) int {
	if a[0] == b[1] && a[1] == b[0] {
		return swap
	}
	for _, s := range symmetric {
		if a == s.real && b == s.complex || a == s.complex && b == s.real {
			return symmetry
		}
	}
	return precision
}

func isPrecision(c byte) bool { return strings.IndexByte("sdczh", c) >= 0 }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
