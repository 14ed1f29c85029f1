package routine

import "strings"

// Nearest returns the name of the list that is closest to a misspelt one, or "" when none is close: at most one letter and a
// third of them may differ, letter case apart, and at least one must be right. Failing that it is a longer name that begins
// like it.
func Nearest(name string, names []string) string {
	best, bestDistance := "", min(len(name)/3+2, len(name))
	for _, candidate := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	for _, candidate := range names {
		if best == "" && len(name) >= 3 && strings.HasPrefix(strings.ToLower(candidate), strings.ToLower(name)) {
			best = candidate
		}
	}
	return best
}

// DidYouMean completes an error message about an unknown name: `, did you mean "gemm"?`, or "" when nothing is near.
func DidYouMean(name string, names []string) string {
	if nearest := Nearest(name, names); nearest != "" {
		return `, did you mean "` + nearest + `"?`
	}
	return ""
}

// distance counts the insertions, deletions, substitutions and swaps of neighbours between two words.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
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
