// Package nearest finds the known names that are most similar to a misspelled name. Error messages use it to suggest a
// correction:
//
//	fmt.Errorf("unknown scheme %q%s", name, nearest.DidYouMean(name, known))
//
// Names of routines of BLAS and LAPACK are short, and one letter makes a different operation of them. Their parts
// therefore count separately: a suggestion has the precision ("d") and the form ("_batched") of the misspelled name if
// there is such a routine, and the rest of the name must be close without the letters of the form.
package nearest

import (
	"cmp"
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
	var b strings.Builder
	b.WriteString(", did you mean ")
	for i, close := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(`"` + close + `"`)
	}
	b.WriteString("?")
	return b.String()
}

// maxName bounds the time to compare names, which is proportional to the product of their lengths.
const maxName = 512

// maxSuggestions bounds the names that are equally close. A routine of an unknown precision has five.
const maxSuggestions = 5

// Names returns the known names that are closest to name: several if they are equally close, those that begin with the
// same letters for longest first, and none if no name is close. Letter case is ignored. A name is close if few letters
// differ and at least one letter is right; of many known names fewer letters may differ than of a few. If no name is
// close, Names returns those that begin with name. None is close to a name of more than maxName bytes.
func Names(name string, known []string) []string {
	if len(name) > maxName {
		return nil
	}
	typed := split(name)
	limit := typed.limit(len(known))
	var list []string
	best := limit
	for _, candidate := range known {
		c := split(candidate)
		if ending*difference(len(typed.stem), len(c.stem)) > limit {
			continue
		}
		letters, d := distance(typed.stem, c.stem), typed.otherForm(c)
		d += letters
		if letters > 0 && d > limit || letters >= edit*len(typed.stem) {
			continue
		}
		if d < best || len(list) == 0 {
			list, best = nil, d
		}
		if d == best {
			list = append(list, candidate)
		}
	}
	if len(list) == 0 {
		list = typed.continued(known)
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(prefix(name, b), prefix(name, a)) })
	list = unique(list)
	return list[:min(len(list), maxSuggestions)]
}

func difference(a, b int) int { return max(a, b) - min(a, b) }

// unique removes repeated names.
func unique(list []string) []string {
	var once []string
	for _, name := range list {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// prefix counts the letters that both names begin with.
func prefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && strings.EqualFold(a[n:n+1], b[n:n+1]) {
		n++
	}
	return n
}
