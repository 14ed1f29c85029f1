package topics

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/hip/defect"
	"roclua/host/config"
	"roclua/internal/escape"
	"roclua/luabind/api"
	"roclua/luabind/manual"
)

// mostFound is how many pages a search shows, and mostLine how many bytes of a line.
const (
	mostFound = 5
	mostLine  = 90
)

// found is a page with a word, and the first line that has it.
type found struct {
	name, line string
	score      int
}

// search returns a page that lists the pages with a word, the most relevant first; nil if no page has it. A text with a
// dot is a name, not a word. Pages of routines are left out, because all of them have the same words.
func search(text string, program manual.Program) manual.Page {
	var list []found
	word := strings.ToLower(text)
	topics := len(program.Topics)
	for i, name := range searched(program) {
		var b strings.Builder
		for _, page := range pagesOf(name, program) {
			page(&b)
		}
		f := find(name, b.String(), word)
		if f.score == 0 {
			continue
		}
		if i < topics {
			f.score *= 3
		}
		list = append(list, f)
	}
	if len(list) == 0 || len(word) < 3 || strings.Contains(word, ".") {
		return nil
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	return func(w io.Writer) {
		fmt.Fprintf(w, "nothing is called %q; pages that have it (roclua docs NAME):\n", text)
		for _, f := range list[:min(mostFound, len(list))] {
			fmt.Fprintf(w, "  %-24s %s\n", f.name, f.line)
		}
	}
}

// searched lists the names of the pages that search reads, topics first.
func searched(program manual.Program) []string {
	var list []string
	for _, t := range program.Topics {
		list = append(list, t.Name)
	}
	list = append(list, "exit")
	for _, k := range config.Keys {
		list = append(list, k.Name)
	}
	list = append(list, findingCodes()...)
	for _, f := range api.Functions() {
		list = append(list, f.Title())
	}
	return append(list, defect.IDs()...)
}

// find looks for a word of small letters in a page. The name and the first line count most.
func find(name, page, word string) found {
	f := found{name: name}
	if strings.Contains(strings.ToLower(name), word) {
		f.score += 10
	}
	for i, line := range strings.Split(page, "\n") {
		n := strings.Count(strings.ToLower(line), word)
		if n == 0 {
			continue
		}
		if f.line == "" {
			f.line = around(escape.Text(strings.TrimSpace(line)), word)
		}
		if f.score += n; i == 0 {
			f.score += 5
		}
	}
	return f
}

// around cuts a long line, so that it has the word.
func around(line, word string) string {
	before, after := "", ""
	if i := strings.Index(strings.ToLower(line), word); i+len(word) > mostLine {
		i = min(i, len(line)) // a small letter can have other bytes
		line, before = line[i-min(i, mostLine/2):], "…"
	}
	if len(line) > mostLine {
		line, after = line[:mostLine], "…"
	}
	return before + strings.ToValidUTF8(line, "") + after
}
