package tests

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// proseRule is a phrase to avoid and its replacement. It is compiled on first use, because every program started by the
// tests loads the rules.
type proseRule struct {
	expression string
	write      string
	exceptions []string // a match that overlaps one of these expressions is a literal use

	compiled func() *regexp.Regexp // matches at the start of a string
}

// phrase makes a rule from regular expressions, which match whole words in any case and across line breaks.
func phrase(expression, write string, exceptions ...string) *proseRule {
	return &proseRule{expression: expression, write: write, exceptions: exceptions,
		compiled: sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(`(?i)^(?:` + expression + `)\b`)
		})}
}

// firstWords returns the possible first words of a match, in lower case.
func (r *proseRule) firstWords() []string {
	parsed, err := syntax.Parse(r.expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	words := prefixes(parsed)
	for i, p := range words {
		word, _, _ := strings.Cut(p, " ")
		words[i] = strings.ToLower(word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// prefixes returns the strings matched by an expression, each up to its first space or longer.
func prefixes(re *syntax.Regexp) []string {
	var list []string
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []string{""}
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= re.Rune[i+1]; c++ {
				list = append(list, string(c))
			}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return prefixes(re.Sub[0])
	case syntax.OpQuest, syntax.OpStar, syntax.OpRepeat:
		return append(prefixes(re.Sub[0]), "")
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			list = append(list, prefixes(sub)...)
		}
	case syntax.OpConcat:
		list = []string{""}
		for _, sub := range re.Sub {
			list = extended(list, prefixes(sub))
		}
	default:
		panic("unexpected expression " + re.String())
	}
	return list
}

// extended appends each of the parts to the strings without a space.
func extended(list, parts []string) []string {
	var all []string
	for _, s := range list {
		if strings.Contains(s, " ") {
			all = append(all, s)
			continue
		}
		for _, part := range parts {
			all = append(all, s+part)
		}
	}
	return all
}

// rulesByWord returns the rules that can match at a word in lower case.
var rulesByWord = sync.OnceValue(func() map[string][]*proseRule {
	rules := map[string][]*proseRule{}
	for _, r := range proseRules {
		for _, word := range r.firstWords() {
			rules[word] = append(rules[word], r)
		}
	}
	return rules
})

// match is a phrase found by a rule at an offset.
type match struct {
	offset int
	phrase string
	rule   *proseRule
}

// longestPhrase bounds the bytes of a phrase, so that rules only look at so many.
const longestPhrase = 200

// findPhrases returns the matches of the rules outside their exceptions.
func findPhrases(text string) []match {
	line, offsets := oneLine(text)
	var found []match
	for at := 0; at < len(line); {
		end := at
		for end < len(line) && isWord(line[end]) {
			end++
		}
		for _, r := range rulesByWord()[strings.ToLower(line[at:end])] {
			length := r.compiled().FindStringIndex(line[at:min(at+longestPhrase, len(line))])
			if length != nil && !r.allowed(line, at, at+length[1]) {
				found = append(found, match{offsets[at], line[at : at+length[1]], r})
			}
		}
		at = end + 1
	}
	return found
}

// allowed reports whether a match is part of an exception.
func (r *proseRule) allowed(text string, low, high int) bool {
	for _, e := range r.exceptions {
		for _, at := range regexp.MustCompile("(?i)"+e).FindAllStringIndex(text, -1) {
			if at[0] < high && low < at[1] {
				return true
			}
		}
	}
	return false
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// oneLine returns words with single spaces between them, and the offset of each byte in the given string. It omits
// comment and list markers at the start of lines, so that phrases are found across line breaks.
func oneLine(text string) (line string, offsets []int) {
	var b strings.Builder
	start := true // of a line
	for i, c := range text {
		switch {
		case c == '\n', start && strings.ContainsRune("/-#*>", c), unicode.IsSpace(c):
			start = start || c == '\n'
			if n := len(offsets); n == 0 || b.String()[n-1] != ' ' {
				b.WriteByte(' ')
				offsets = append(offsets, i)
			}
		default:
			start = false
			n, _ := b.WriteRune(c)
			for range n {
				offsets = append(offsets, i)
			}
		}
	}
	return b.String(), offsets
}
