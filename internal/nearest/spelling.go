package nearest

import (
	"slices"
	"strings"
)

// spelling is a name in lower case, without the words at its end that say which form of a routine it is.
type spelling struct {
	stem string
	form []string // of formWords, each once
}

// formWords are the words that names of routines end with.
var formWords = []string{"batched", "strided", "ex", "64"}

// split separates the form from a name. Its words may be misspelled or abbreviated: "_strided_btached", "_strid".
func split(name string) spelling {
	s := spelling{stem: strings.ToLower(name)}
	for {
		rest, word := cutWord(s.stem)
		if word == "" || rest == "" {
			return s
		}
		if !slices.Contains(s.form, word) {
			s.form = append(s.form, word)
		}
		s.stem = rest
	}
}

// cutWord cuts a word of formWords from the end of a name; word is "" if there is none.
func cutWord(name string) (rest, word string) {
	at := strings.LastIndexByte(name, '_')
	last := name[at+1:]
	for _, w := range formWords {
		if at > 0 && isWord(last, w) {
			return name[:at], w
		}
		if before, ok := strings.CutSuffix(last, w); ok && len(w) > 2 {
			return strings.TrimSuffix(name[:at+1]+before, "_"), w
		}
	}
	return name, ""
}

// isWord reports whether text is a word, its beginning, or a misspelling of it.
func isWord(text, word string) bool {
	if len(word) <= 2 {
		return text == word
	}
	return len(text) >= 3 && (strings.HasPrefix(word, text) ||
		difference(len(text), len(word)) <= 2 && distance(text, word) <= 2*edit)
}

// many is the number of known names from which on a name must be closer: among hundreds of short names, some are like
// any name by chance.
const many = 200

// limit returns the largest distance of the stem of a close name, out of a number of known names.
func (s spelling) limit(known int) int {
	if known > many {
		return edit * (1 + len(s.stem)/5)
	}
	return edit * (1 + len(s.stem)/3)
}

// otherForm returns the cost of another form of a name.
func (s spelling) otherForm(other spelling) int {
	n := 0
	for _, w := range formWords {
		if slices.Contains(s.form, w) != slices.Contains(other.form, w) {
			n += formWord
		}
	}
	return n
}

// continued returns the known names of the same form that begin with the name, which has three letters or more.
func (s spelling) continued(known []string) (list []string) {
	for _, candidate := range known {
		c := split(candidate)
		if len(s.stem) >= 3 && strings.HasPrefix(c.stem, s.stem) && s.otherForm(c) == 0 {
			list = append(list, candidate)
		}
	}
	return list
}
