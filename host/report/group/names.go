package group

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Name is a common name for cases whose ids differ only in some parts.
type Name struct {
	Text  string // solve[n={1,2}]@cpu/{rocm-6.4,rocm-7.2}/gfx90a, a shell expands it to the ids
	Cases int
}

// Names describes ids by few names, in the order of the ids. Each id is in exactly one name.
func Names(ids []string) []Name {
	var list []Name
	for _, b := range boxes(ids) {
		list = append(list, Name{b.text(), b.size()})
	}
	return list
}

// Varying describes some cases of a group by the parts that distinguish them from the rest: "n=64 rocm-7.2".
func Varying(some, all []string) []Name {
	whole := boxes(all)
	if len(whole) == 0 || slices.ContainsFunc(whole, func(b *box) bool { return b.shape() != whole[0].shape() }) {
		return Names(some)
	}
	distinct := make([]map[string]bool, len(whole[0].parts)) // values of each part in the group
	for i := range distinct {
		distinct[i] = map[string]bool{}
		for _, b := range whole {
			for _, v := range b.parts[i].values {
				distinct[i][v] = true
			}
		}
	}
	var list []Name
	for _, b := range boxes(some) {
		var words []string
		for i, p := range b.parts {
			if len(p.values) < len(distinct[i]) {
				words = append(words, p.text())
			}
		}
		if len(words) == 0 {
			words = []string{b.text()}
		}
		list = append(list, Name{strings.Join(words, " "), b.size()})
	}
	return list
}

// box is a set of ids: all combinations of the values of its parts.
type box struct {
	scenario string
	parts    []part
	params   int // number of parts that are parameters; the others are parts of the target
}

// part is a parameter, or a part of the target if its name is empty.
type part struct {
	name   string
	values []string
}

// parse reads an id such as solve[scheme=manual,n=64]@cpu/rocm-7.2/gfx90a. An id with other punctuation is all
// scenario.
func parse(id string) *box {
	left, target, hasTarget := strings.Cut(id, "@")
	scenario, params, hasParams := strings.Cut(strings.TrimSuffix(left, "]"), "[")
	b := &box{scenario: scenario}
	if strings.ContainsAny(id, "{} \n") || hasParams != strings.HasSuffix(left, "]") {
		return &box{scenario: id}
	}
	if hasParams {
		for param := range strings.SplitSeq(params, ",") {
			name, value, ok := strings.Cut(param, "=")
			if !ok {
				return &box{scenario: id} // the comma is part of a value
			}
			b.parts = append(b.parts, part{name, []string{value}})
		}
	}
	b.params = len(b.parts)
	if hasTarget {
		for value := range strings.SplitSeq(target, "/") {
			b.parts = append(b.parts, part{"", []string{value}})
		}
	}
	return b
}

// boxes merges ids that differ in one part, the last parts first, until no more can be merged.
func boxes(ids []string) []*box {
	var list []*box
	for _, id := range ids {
		list = append(list, parse(id))
	}
	for before := -1; before != len(list); {
		before = len(list)
		most := 0
		for _, b := range list {
			most = max(most, len(b.parts))
		}
		for back := 1; back <= most; back++ {
			list = mergeAlong(list, back)
		}
	}
	return list
}

// mergeAlong merges the boxes that differ only in one part, counted from the end.
func mergeAlong(list []*box, back int) []*box {
	var merged []*box
	same := map[string]*box{}
	for _, b := range list {
		at := len(b.parts) - back
		if at < 0 {
			merged = append(merged, b)
			continue
		}
		key := b.keyWithout(at)
		if first := same[key]; first != nil {
			first.parts[at].values = append(first.parts[at].values, b.parts[at].values...)
			continue
		}
		same[key] = b
		merged = append(merged, b)
	}
	return merged
}

// keyWithout is equal for boxes that differ only in one part.
func (b *box) keyWithout(skipped int) string {
	key := b.shape()
	for i, p := range b.parts {
		if i != skipped {
			key += "\x00" + strings.Join(slices.Sorted(slices.Values(p.values)), "\x01")
		}
	}
	return key
}

// shape is the scenario and the names of the parts.
func (b *box) shape() string {
	key := b.scenario + "\x00" + strconv.Itoa(b.params)
	for _, p := range b.parts {
		key += "\x00" + p.name
	}
	return key
}

func (b *box) size() int {
	n := 1
	for _, p := range b.parts {
		n *= len(p.values)
	}
	return n
}

func (b *box) text() string {
	var params, target []string
	for _, p := range b.parts[:b.params] {
		params = append(params, p.text())
	}
	for _, p := range b.parts[b.params:] {
		target = append(target, p.text())
	}
	text := b.scenario
	if len(params) > 0 {
		text += "[" + strings.Join(params, ",") + "]"
	}
	if len(target) > 0 {
		text += "@" + strings.Join(target, "/")
	}
	return text
}

// Lists longer than valuesShown are shortened. A progression of at least valuesForRange values is written as a range.
const (
	valuesShown    = 12
	valuesForRange = 4
)

func (p part) text() string {
	text := p.values[0]
	if len(p.values) > 1 {
		text = "{" + valuesText(p.values) + "}"
	}
	if p.name != "" {
		return p.name + "=" + text
	}
	return text
}

// valuesText lists values: numbers in ascending order, others in their original order.
func valuesText(values []string) string {
	numbers := make([]int, len(values))
	for i, v := range values {
		n, err := strconv.Atoi(v)
		if err != nil || strconv.Itoa(n) != v {
			return listText(values)
		}
		numbers[i] = n
	}
	slices.Sort(numbers)
	if step, ok := progression(numbers); ok {
		text := fmt.Sprintf("%d..%d", numbers[0], numbers[len(numbers)-1])
		if step != 1 {
			text += fmt.Sprintf("..%d", step)
		}
		return text
	}
	sorted := make([]string, len(values))
	for i, n := range numbers {
		sorted[i] = strconv.Itoa(n)
	}
	return listText(sorted)
}

func listText(values []string) string {
	if n := len(values); n > valuesShown {
		values = append(slices.Clone(values[:valuesShown-2]), "…", values[n-1])
	}
	return strings.Join(values, ",")
}

// progression returns the difference between consecutive numbers if it is constant.
func progression(numbers []int) (step int, ok bool) {
	if len(numbers) < valuesForRange {
		return 0, false
	}
	step = numbers[1] - numbers[0]
	for i := 2; i < len(numbers); i++ {
		if numbers[i]-numbers[i-1] != step {
			return 0, false
		}
	}
	return step, step > 0
}
