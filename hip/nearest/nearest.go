// Package nearest finds the known name that a misspelled name is most like. Error messages use it to suggest a
// correction:
//
//	fmt.Errorf("unknown scheme %q%s", name, nearest.DidYouMean(name, known))
package nearest

import "strings"

// DidYouMean returns the end of an error message about an unknown name, such as `, did you mean "gemm"?`.
// It returns "" if no known name is close.
func DidYouMean(name string, known []string) string {
	if close := Name(name, known); close != "" {
		return `, did you mean "` + close + `"?`
	}
	return ""
}

// Name returns the known name that is closest to name, or "" if none is close. Letter case is ignored.
// A name is close if fewer than 2 plus a third of the letters differ and at least one letter is right.
// Of several that are equally close, Name returns one that begins with the same letters for longest.
// If there is none, Name returns a known name that begins with name. None is close to a name of more than maxName
// bytes.
func Name(name string, known []string) string {
	if len(name) > maxName {
		return ""
	}
	best, bestDistance := "", min(len(name)/3+2, len(name))
	for _, candidate := range known {
		d := distance(strings.ToLower(name), strings.ToLower(candidate))
		if d < bestDistance || d == bestDistance && best != "" && prefix(name, candidate) > prefix(name, best) {
			best, bestDistance = candidate, d
		}
	}
	for _, candidate := range known {
		if best == "" && len(name) >= 3 && strings.HasPrefix(strings.ToLower(candidate), strings.ToLower(name)) {
			best = candidate
		}
	}
	return best
}

// maxName bounds the time to compare names, which is proportional to the product of their lengths.
const maxName = 512

// prefix counts the letters with which both names begin.
func prefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && strings.EqualFold(a[n:n+1], b[n:n+1]) {
		n++
	}
	return n
}

// distance counts the insertions, deletions, substitutions and swaps of adjacent letters that turn a into b.
func distance(a, b string) int {
	var before []int // the row before row
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
