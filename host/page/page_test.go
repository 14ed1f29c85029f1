package page

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
)

// write returns the HTML of a page.
func write(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextsAreEscaped(t *testing.T) {
	const bad = "<script>alert(1)</script>"
	text := write(t, &Page{Title: bad, Heading: bad, Sections: []Section{{Title: bad, About: bad, Text: bad,
		Table: &Table{Columns: []Column{{Name: bad}}, Rows: [][]Cell{Cells(bad)}}}}})
	if strings.Contains(text, bad) || strings.Count(text, template.HTMLEscapeString(bad)) != 7 {
		t.Errorf("the texts are not escaped:\n%s", text)
	}
}

func TestSections(t *testing.T) {
	text := write(t, &Page{Sections: []Section{{Picture: "<svg></svg>"}, {Title: "only a title"}}})
	for part, times := range map[string]int{"<svg></svg>": 1, "<h2>": 1, "<p>": 0, "<pre": 0, "<table>": 0} {
		if n := strings.Count(text, part); n != times {
			t.Errorf("%s is there %d times, want %d", part, n, times)
		}
	}
}

func TestRowsAreBounded(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "call"}, {Name: "bytes", Number: true}}}
	for i := range mostRows + 2 {
		table.Rows = append(table.Rows, append(Cells(fmt.Sprint("call ", i)), Cell{Text: "best", Pale: true}))
	}
	text := write(t, &Page{Sections: []Section{{Table: table}}})
	if n := strings.Count(text, "<tr>"); n != mostRows+1 || !strings.Contains(text, "<p>and 2 more</p>") {
		t.Errorf("%d rows", n)
	}
	if !strings.Contains(text, `<td>call 999</td><td class="number">best</td>`) {
		t.Error("the last row is missing")
	}
}
