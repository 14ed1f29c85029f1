// Package nearest finds the known names that are most similar to a misspelled name. Error messages use it to suggest a
// correction:
//
//	fmt.Errorf("unknown scheme %q%s", name, nearest.DidYouMean(name, known))
//
// Names of routines of BLAS and LAPACK are short, and one letter makes a different operation of them. A suggestion
// therefore keeps the precision ("d") and the form ("_batched") of the misspelled name if there is such a routine.
package nearest

import (
	"slices"
	"strings"
)

// DidYouMean returns the end of an error message about an unknown name, such as `, did you mean "gemm" or "gemv"?`.
// It returns "" if no known name is close.
func DidYouMean(name string, known []string) string {
	list := Names(name, known)
	if len(list) == 0 {
		return ""
	}
	last := len(list) - 1
	text := `"` + strings.Join(list[:last], `", "`) + `" or "`
	if last == 0 {
		text = `"`
	}
	return ", did you mean " + text + list[last] + `"?`
}

const (
	maxName        = 512 // bytes of a name that is compared, which bounds the time
	maxSuggestions = 5   // a routine of an unknown precision has five
	many           = 200 // known names from which on a name must be closer: some are like any name by chance
)

// Costs of differences. The most frequent typing errors cost least.
const (
	swap      = 2 // two adjacent letters are exchanged, or a letter is written twice
	edit      = 3 // a letter is missing, wrong or too many
	digit     = 4 // a digit replaces a letter
	otherForm = 4 // a word such as "batched" is missing or too many
	precision = 6 // the first letters denote two precisions
)

// Names returns the known names that are closest to name: several if they are equally close, those that start with the
// most letters of it first, or, if one starts with all of them, only such names. Letter case is ignored. If no name is
// close, Names returns those that start with name.
func Names(name string, known []string) []string {
	if len(name) > maxName {
		return nil
	}
	typed := strings.ToLower(name)
	stem, form := split(typed)
	limit := edit * (1 + len(stem)/3)
	if len(known) > many {
		limit = edit * (1 + len(stem)/5)
	}
	var list, longer []string
	best, twin := limit, hermitian(typed)
	for _, candidate := range known {
		lower := strings.ToLower(candidate)
		other, otherWords := split(lower)
		d := distance(stem, other)
		isNear := d < edit*len(stem) || strings.HasPrefix(other, stem) // a letter is right
		if form != otherWords {
			d += otherForm
		}
		d = min(d, distance(typed, lower))
		if lower == twin {
			d = 0
		}
		if len(typed) >= 3 && strings.HasPrefix(lower, typed) {
			longer = append(longer, candidate)
		}
		if !isNear || d > best {
			continue
		}
		if d < best {
			list, best = nil, d
		}
		list = append(list, candidate)
	}
	if len(list) == 0 {
		list = longer
	}
	slices.SortStableFunc(list, func(a, b string) int { return prefix(typed, b) - prefix(typed, a) })
	var once []string
	for _, candidate := range list {
		isShort := prefix(typed, candidate) < len(typed) && prefix(typed, list[0]) == len(typed)
		if !isShort && !slices.Contains(once, candidate) {
			once = append(once, candidate)
		}
	}
	return once[:min(len(once), maxSuggestions)]
}

// formWords are the words that names of routines end with.
var formWords = []string{"batched", "strided", "ex", "64"}

// joined separates words that were written without "_".
var joined = strings.NewReplacer("_strided", "_strided", "_batched", "_batched", "strided", "_strided", "batched",
	"_batched")

// split separates the words of the form from a name.
func split(name string) (stem, form string) {
	words := strings.Split(joined.Replace(name), "_")
	n := len(words)
	for n > 1 && slices.Contains(formWords, words[n-1]) {
		n--
	}
	slices.Sort(words[n:])
	return strings.Join(words[:n], "_"), strings.Join(words[n:], "_")
}

// twins are the letters of routines that do the same for real and for complex numbers: dsyevd and zheevd.
var twins = strings.NewReplacer("sy", "he", "he", "sy", "sp", "hp", "hp", "sp", "sb", "hb", "hb", "sb",
	"or", "un", "un", "or")

// hermitian returns the name of a routine for Hermitian matrices by its name for symmetric ones, and the reverse.
func hermitian(name string) string {
	if len(name) < 3 || !isPrecision(name[0]) {
		return ""
	}
	return name[:1] + twins.Replace(name[1:3]) + name[3:]
}

// distance returns the cost of turning a into b: the distance of Damerau and Levenshtein, with weights.
func distance(a, b string) int {
	n := len(b) + 1
	rows := make([]int, 3*n)
	before, row, next := rows[:n], rows[n:2*n], rows[2*n:]
	for j := range b {
		row[j+1] = row[j] + edit
	}
	for i := range a {
		removed := edit
		if i > 0 && a[i] == a[i-1] {
			removed = swap
		}
		next[0] = row[0] + removed
		for j := range b {
			next[j+1] = min(row[j+1]+removed, next[j]+edit, row[j]+replace(a[i], b[j], i+j == 0))
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+swap)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}

// replace returns the cost of replacing a letter by another.
func replace(a, b byte, areFirst bool) int {
	switch {
	case a == b:
		return 0
	case areFirst && isPrecision(a) && isPrecision(b):
		return precision
	case isDigit(a) != isDigit(b):
		return digit
	}
	return edit
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isPrecision(c byte) bool { return strings.IndexByte("sdczh", c) >= 0 }

// prefix counts the letters that both names start with.
func prefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && strings.EqualFold(a[n:n+1], b[n:n+1]) {
		n++
	}
	return n
}
