package config

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roclua/internal/nearest"
	"roclua/internal/units"
)

// Pattern selects cases, as --filter, skip and known_failures have it: items between commas, which must all hold, or
// the whole id of a case. An item is
//
//	KEY=VALUE  a value that the case has, if it has the key
//	/.../      a regular expression that the id matches
//	TEXT       text anywhere in the id
type Pattern struct {
	text  string
	isID  bool
	items []item
}

// item is one condition of a pattern.
type item struct {
	text   string
	regexp *regexp.Regexp // nil for others
	number float64        // the value of KEY=VALUE; NaN if it is not a number
}

// caseID matches an id as reports print it: SCENARIO[KEY=VALUE,...]@PLATFORM/PROFILE/ARCH.
var caseID = sync.OnceValue(func() *regexp.Regexp {
	const arch = `[a-z]+_?[0-9]\w*(\*[0-9]+)?`
	return regexp.MustCompile(`^[^\[\],=@]+(\[.*\])?@\w+/[^/@]+/` + arch + `(,` + arch + `)*$`)
})

// ParsePattern reads a pattern.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text, isID: caseID().MatchString(text)}
	for rest, more := text, !p.isID; more; {
		var i item
		rest = strings.TrimSpace(rest)
		if end := expressionEnd(rest); end > 0 {
			i.text, rest, more = rest[:end], strings.TrimPrefix(rest[end:], ","), end < len(rest)
			var err error
			if i.regexp, err = regexp.Compile(i.text[1 : end-1]); err != nil {
				return nil, err
			}
		} else if i.text, rest, more = strings.Cut(rest, ","); i.text == "" && text != "" {
			return nil, fmt.Errorf("%q has an empty item between commas", text)
		}
		i.text = strings.TrimSpace(i.text)
		var err error
		if i.number, err = units.Parse(i.text[strings.Index(i.text, "=")+1:]); err != nil {
			i.number = math.NaN()
		}
		p.items = append(p.items, i)
	}
	return p, nil
}

// expressionEnd returns the end of a regular expression between slashes at the start of text: its first slash that a
// comma or nothing follows; 0 if there is none.
func expressionEnd(text string) int {
	for i := 2; i < len(text) && text[0] == '/'; i++ {
		if text[i] == '/' && text[i-1] != '\\' && (i+1 == len(text) || text[i+1] == ',') {
			return i + 1
		}
	}
	return 0
}

func (p *Pattern) String() string { return p.text }

// Matches reports whether a case is selected. valueOf returns the value of a key of the case, as ids have it.
func (p *Pattern) Matches(id string, valueOf func(key string) (value string, ok bool)) bool {
	return id == p.text || !p.isID && !slices.ContainsFunc(p.items, func(i item) bool { return !i.holds(id, valueOf) })
}

func (i *item) holds(id string, valueOf func(key string) (string, bool)) bool {
	if i.regexp != nil {
		return i.regexp.MatchString(id)
	}
	if key, want, ok := strings.Cut(i.text, "="); ok {
		if value, has := valueOf(key); has {
			n, err := strconv.ParseFloat(value, 64) // ids have 1.048576e+06 for 1M
			return value == want || err == nil && n == i.number
		}
	}
	return strings.Contains(id, i.text)
}

// Advice suggests a pattern near one that selects no case; "" for none. ids are the ids of all
// cases, pairs their keys with values: "n=64". set writes a pattern as its user does.
func (p *Pattern) Advice(ids, pairs []string, set func(pattern string) string) string {
	if p.isID {
		return nearest.DidYouMean(p.text, ids)
	}
	var items []string
	advice, slashes := "", false
	for _, i := range p.items {
		isText, contains := !strings.Contains(i.text, "="), func(id string) bool { return strings.Contains(id, i.text) }
		switch {
		case i.regexp != nil || slices.Contains(pairs, i.text) || isText && slices.ContainsFunc(ids, contains):
		case strings.ContainsAny(i.text, `\^$*+?()[]{}|`):
			i.text, slashes = "/"+i.text+"/", true
		default:
			advice = cmp.Or(advice, nearest.DidYouMean(i.text, pairs))
		}
		items = append(items, i.text)
	}
	if slashes {
		return "; a regular expression is between slashes: " + set(strings.Join(items, ","))
	}
	return advice
}
