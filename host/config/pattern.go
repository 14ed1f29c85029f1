package config

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern selects cases, as --filter, skip and known_failures have it: items between commas, which must all hold, or
// the whole id of a case. An item is
//
//	KEY=VALUE  a value that the case has, if it has the key
//	/.../      a regular expression that the id matches
//	TEXT       text anywhere in the id
type Pattern struct {
	text  string
	items []item
}

// item is one condition of a pattern.
type item struct {
	text   string
	regexp *regexp.Regexp // nil for others
}

// ParsePattern reads a pattern.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	for rest, more := text, true; more; {
		var one string
		if end := expressionEnd(rest); end > 0 {
			one, rest, more = rest[:end], strings.TrimPrefix(rest[end:], ","), end < len(rest)
			re, err := regexp.Compile(one[1 : end-1])
			if err != nil {
				return nil, err
			}
			p.items = append(p.items, item{one, re})
			continue
		}
		if one, rest, more = strings.Cut(rest, ","); one == "" && text != "" {
			return nil, fmt.Errorf("%q has an empty item between commas", text)
		}
		p.items = append(p.items, item{text: one})
	}
	return p, nil
}

// expressionEnd returns the end of a regular expression between slashes at the start of a text: its last slash that a
// comma or nothing follows, before the next item; 0 if there is none.
func expressionEnd(text string) int {
	if !strings.HasPrefix(text, "/") {
		return 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] == '/' && text[i-1] != '\\' && (i+1 == len(text) || text[i+1] == ',') {
			return i + 1
		}
	}
	return 0
}

// Matches reports whether a case is selected. valueOf returns the value of a key of the case, as ids have it.
func (p *Pattern) Matches(id string, valueOf func(key string) (value string, ok bool)) bool {
	if p.text == id {
		return true
	}
	for _, i := range p.items {
		if !i.holds(id, valueOf) {
			return false
		}
	}
	return true
}

func (i item) holds(id string, valueOf func(key string) (string, bool)) bool {
	if i.regexp != nil {
		return i.regexp.MatchString(id)
	}
	if key, want, ok := strings.Cut(i.text, "="); ok {
		if value, has := valueOf(key); has {
			return value == want
		}
	}
	return strings.Contains(id, i.text)
}

func (p *Pattern) String() string { return p.text }

// Slashes returns the pattern with slashes around the items that look like regular expressions; "" if none does.
func (p *Pattern) Slashes() string {
	var items []string
	found := false
	for _, i := range p.items {
		if i.regexp == nil && (strings.ContainsAny(i.text, `^$*+?()|\`) || strings.Contains(i.text, "[") &&
			strings.Contains(i.text, "]")) {
			i.text, found = "/"+i.text+"/", true
		}
		items = append(items, i.text)
	}
	if !found {
		return ""
	}
	return strings.Join(items, ",")
}
