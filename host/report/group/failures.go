package group

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roclua/host/baseline"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Failure is one or more problems shared by the same cases.
type Failure struct {
	Outcome  result.Outcome // most severe outcome of the problems
	Problems []*Problem
	Cases    []*result.Result
}

// Problem is a failure at one place of a script, or of one value of a baseline.
type Problem struct {
	File      string // script and line, if known
	Line      int
	Variants  []*Variant // at least one
	Traceback []string   // traceback of the first case's error, innermost first

	outcome result.Outcome
	rank    rank
	changed string // name of the value that changed; "" for other problems
	growth  float64
	cases   []int               // indexes of the cases in the results
	byText  map[string]*Variant // variants
}

// rank orders problems of the tested program, the most severe first.
type rank int

const (
	wrongResult rank = iota // failed checks, errors, limits
	leak                    // leaks, hazards, reads of unwritten memory
	flaky                   // failed checks and errors of attempts before one that passed
	changedStatus
	changedSize
	changedCount // how often something was called that is no error
	changedTime
	newValue
	interrupted
	unchanged
)

// Variant is a problem with the values of some of its cases.
type Variant struct {
	Title   string   // "solve.lua:7: equal"
	Details []string // "have 1", "want 2" of a check
	Cases   []*result.Result

	text string // all on one line
}

// Failures groups the problems of the cases that fail the run. Problems are equal if their kind, place and message
// agree except for numbers. Problems of the same cases form one Failure. A case can be in several failures with
// different problems. The most severe failures are first.
func Failures(results []*result.Result) []*Failure {
	var problems []*Problem
	byKey := map[string]*Problem{}
	for i, c := range results {
		if !c.FailsRun() {
			continue
		}
		occurrences := map[string]int{}
		for _, found := range problemsOf(c) {
			occurrences[found.key]++
			key := found.key + "\x00" + strconv.Itoa(occurrences[found.key])
			p := byKey[key]
			if p == nil {
				p = &found.Problem
				p.byText = map[string]*Variant{}
				byKey[key], problems = p, append(problems, p)
			}
			p.cases = append(p.cases, i)
			p.add(c, found.Variant)
		}
	}
	return merge(problems, results)
}

// merge combines the problems of the same cases into one Failure.
func merge(problems []*Problem, results []*result.Result) []*Failure {
	var list []*Failure
	byCases := map[string]*Failure{}
	for _, p := range problems {
		key := fmt.Sprint(p.cases)
		f := byCases[key]
		if f == nil {
			f = &Failure{Outcome: p.outcome}
			for _, i := range p.cases {
				f.Cases = append(f.Cases, results[i])
			}
			byCases[key], list = f, append(list, f)
		}
		f.Outcome = result.MostSevere(f.Outcome, p.outcome)
		f.Problems = append(f.Problems, p)
	}
	slices.SortStableFunc(list, func(a, b *Failure) int {
		return worst(slices.MinFunc(a.Problems, worst), slices.MinFunc(b.Problems, worst))
	})
	return list
}

// worst orders problems, the most severe first.
func worst(a, b *Problem) int {
	severity := 0
	if a.outcome != b.outcome {
		severity = 1
		if result.MostSevere(a.outcome, b.outcome) == a.outcome {
			severity = -1
		}
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), severity, cmp.Compare(b.growth, a.growth))
}

// IDs returns the ids of the cases.
func (f *Failure) IDs() []string { return idsOf(f.Cases) }

// IDs returns the ids of the cases.
func (v *Variant) IDs() []string { return idsOf(v.Cases) }

func idsOf(cases []*result.Result) []string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

// Headline describes the first problem on one line and counts the others.
func (f *Failure) Headline() string {
	p := f.Problems[0]
	text := p.headline()
	if n := len(f.Problems) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// headline describes the problem on one line. Of a value that changed in several cases it says in how many.
func (p *Problem) headline() string {
	first := p.Variants[0]
	others := len(p.Variants) - 1
	switch {
	case p.changed != "" && len(p.cases) > 1 && others == 0:
		return fmt.Sprintf("%s in all %d cases", first.text, len(p.cases))
	case p.changed != "" && others > 0:
		return fmt.Sprintf("%s changed in %d cases; in %d of them: %s", p.changed, len(p.cases), len(first.Cases),
			strings.TrimPrefix(first.text, p.changed+": "))
	case others > 0:
		return fmt.Sprintf("%s (and %s)", first.text, units.Count(others, "other value"))
	}
	return first.text
}

// add adds a case to the variant with its text.
func (p *Problem) add(c *result.Result, found Variant) {
	v := p.byText[found.text]
	if v == nil {
		v = &found
		p.byText[found.text], p.Variants = v, append(p.Variants, v)
	}
	v.Cases = append(v.Cases, c)
}

// occurrence is a problem of one case.
type occurrence struct {
	Problem
	Variant
	key string // kind, place and message without numbers
}

// problemsOf lists the problems of a case. A problem that occurs several times is listed once.
func problemsOf(c *result.Result) []occurrence {
	var list []occurrence
	script := occurrence{Problem: Problem{outcome: result.Failed, File: c.Script, Line: 1}}
	for _, check := range c.Record.Checks {
		if !check.Passed {
			list = append(list, checkProblem(script, check))
		}
	}
	for _, change := range slices.SortedStableFunc(slices.Values(c.Changes), Worst) {
		p := script
		p.outcome, p.key, p.text = result.OutcomeOf(change), "change\x00"+change.Name, change.String()
		p.Title, p.rank, p.changed = "baseline: "+p.text, rankOf(change), change.Name
		p.growth = growth(change)
		list = append(list, p)
	}
	if c.Record.End != nil {
		list = append(list, endProblem(script, c))
	}
	for _, text := range c.Record.Problems {
		p := script
		p.key, p.Title, p.text, p.rank = "problem\x00"+withoutNumbers(text), text, firstLine(text), leak
		p.File, p.Line = placeIn(text, p)
		list = append(list, p)
	}
	if c.Outcome() == result.Flaky {
		for i, text := range c.Record.Retried {
			p := script
			p.outcome, p.rank, p.key = result.Flaky, flaky, "flaky\x00"+withoutNumbers(text)
			p.Title = fmt.Sprintf("attempt %d: %s", i+1, text)
			p.text = firstLine(p.Title)
			p.File, p.Line = placeIn(text, p)
			list = append(list, p)
		}
	}
	if reason := c.Record.Skipped; reason != "" && len(list) > len(c.Changes) {
		p := script
		p.Title = "the case then skipped itself, so that the rest did not run: " + reason
		p.key, p.text = "skip\x00"+withoutNumbers(reason), firstLine(p.Title)
		list = append(list, p)
	}
	return countRepeats(list)
}

// rankOf returns the rank of a value that differs from its baseline.
func rankOf(c baseline.Change) rank {
	_, isText := c.New.(string)
	switch {
	case c.Kind == baseline.Same:
		return unchanged
	case result.OutcomeOf(c) == result.New:
		return newValue
	case counts(c):
		return changedCount
	case isText || c.Kind == baseline.Gone || strings.HasPrefix(c.Name, "status."):
		return changedStatus
	case strings.HasSuffix(c.Name, baseline.MedianOf) || c.Name == "seconds":
		return changedTime
	}
	return changedSize
}

// counts reports whether a value says how often something happened that is no error: calls, waits, more successes, and
// answers to size queries.
func counts(c baseline.Change) bool {
	status := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	return record.IsCounter(c.Name) && (!strings.HasPrefix(c.Name, "status.") ||
		status == "success" && growth(c) > 0 || status == "size_increased" || status == "size_unchanged")
}

func checkProblem(p occurrence, check record.Check) occurrence {
	p.key = "check\x00" + check.Where + "\x00" + withoutNumbers(check.Text)
	if file, line, ok := result.ParsePlace(check.Where); ok {
		p.File, p.Line = file, line
	}
	p.Title, p.Traceback = check.Where+": "+check.Text, traceOf(check.Traceback)
	p.Details = []string{"have " + check.Have, "want " + check.Want}
	p.text = fmt.Sprintf("%s: have %s, want %s", p.Title, check.Have, check.Want)
	return p
}

func endProblem(p occurrence, c *result.Result) occurrence {
	end := c.Record.End
	p.outcome, p.Title = c.Outcome(), end.String()
	p.key, p.text = fmt.Sprintf("end\x00%s\x00%s", end.Kind, withoutNumbers(p.Title)), firstLine(p.Title)
	if p.outcome == result.Interrupted {
		p.rank = interrupted
	}
	if end.Line > 0 {
		p.File, p.Line = end.File, end.Line
	}
	p.Traceback = traceOf(end.Traceback)
	return p
}

// traceOf returns the lines of a traceback. One line only repeats the place.
func traceOf(text string) []string {
	if trace := strings.TrimSpace(text); strings.Contains(trace, "\n") {
		return strings.Split(trace, "\n")
	}
	return nil
}

// countRepeats keeps the first of the problems with equal text, and adds the count.
func countRepeats(list []occurrence) []occurrence {
	times := map[string]int{}
	var kept []occurrence
	for _, p := range list {
		if times[p.key+p.text]++; times[p.key+p.text] == 1 {
			kept = append(kept, p)
		}
	}
	for i, p := range kept {
		if n := times[p.key+p.text]; n > 1 {
			kept[i].Title += fmt.Sprintf(" (%d times)", n)
			kept[i].text += fmt.Sprintf(" (%d times)", n)
		}
	}
	return kept
}

// placeIn returns the line of a script that a message names, or the line of the problem.
func placeIn(text string, p occurrence) (file string, line int) {
	if at := place().FindStringSubmatch(text); at != nil {
		p.File, p.Line, _ = result.ParsePlace(at[1])
	}
	return p.File, p.Line
}

// place matches the first line of a script in a message, such as "(solve.lua:12)".
var place = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[ (])((?:[^\s():]+\.lua|stdin):\d+)\b`)
})

// number matches a place, which is kept, or a number with an optional unit.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.lua:\d+|\b0x[0-9a-f]+|\b\d[\d.]*(e[+-]?\d+)?( ?([KMGT]i)?B\b)?`)
})

// withoutNumbers replaces the numbers in a message, which often differ between cases, but not script line numbers.
func withoutNumbers(text string) string {
	return number().ReplaceAllStringFunc(text, func(match string) string {
		if strings.HasPrefix(match, ".lua") {
			return match
		}
		return "#"
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
