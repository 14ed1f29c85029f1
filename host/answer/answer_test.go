package answer

import (
	"html"
	"io"
	"strings"
	"testing"
)

// written returns the output of a writer.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// example is an answer with all parts.
func example() *Answer {
	table := NewTable("call", "times").Numbers(1).Cut(0, 12).Targets([]string{"a", "b"})
	table.Most, table.Rest = 1, []string{"…", "1", "0", "8"}
	table.Row("dgemm m=1 n=2 k=3 (query)", "2", "64", "64")
	table.Row("getrf\ngetrs", "1", "64", "128")
	return &Answer{Title: "title", Sections: []Section{
		{Picture: picture{}, Caption: "a picture"},
		{Heading: "calls", Lines: []string{"first", "  indented"}, Table: table, Below: []string{"below"}},
		{Heading: "nothing"},
		{Heading: "notes", Most: 2, Width: 10, List: Lines([]string{"a", "b"}, func(i int) []string {
			return []string{"of both", []string{"of one", "of other"}[i]}
		})}}}
}

type picture struct{}

func (picture) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, "<svg></svg>")
	return err
}

func TestText(t *testing.T) {
	const want = `calls
first
  indented
┌─────────────────────┬───────┬────┬────┬───┐
│ call                │ times │  a │  b │   │
├─────────────────────┼───────┼────┼────┼───┤
│ dgemm m=1 … (query) │     2 │ 64 │ 64 │   │
│ …                   │     1 │  0 │  8 │ ≠ │
└─────────────────────┴───────┴────┴────┴───┘
below

notes
  of both
  of one on
    a
  and 1 more
`
	if have := written(t, example().WriteText); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestMarkdown(t *testing.T) {
	const want = `### title

#### calls

first

* indented

| call | times | a | b |  |
|---|---:|---:|---:|---|
| dgemm m=1 n=2 k=3 (query) | 2 | 64 | 64 |  |
| getrf<br>getrs | 1 | 64 | 128 | ≠ |

below

#### notes

* of both
* of one on a
* of other on b
`
	if have := written(t, example().WriteMarkdown); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// TestPage checks the parts of a page, and that all texts are escaped.
func TestPage(t *testing.T) {
	have := written(t, example().WriteHTML)
	for _, want := range []string{"<h1>title</h1>", "<svg></svg></div>\n<p>a picture</p>\n",
		"<section id=\"calls\">\n<h2><a href=\"#calls\">calls</a></h2>", "<td></td></tr></thead>",
		"<p class=\"lines\">first\n  indented</p>", "<th scope=\"col\" class=\"number\">times</th>",
		"<td>dgemm m=1 n=2 k=3 (query)</td><td class=\"number\">2</td>", "<td class=\"warn\">≠</td>",
		"<p class=\"lines\">below</p>",
		"<ul><li>of both</li><li>of one on a</li>"} {
		if !strings.Contains(have, want) {
			t.Errorf("the page lacks %s:\n%s", want, have)
		}
	}
	columns := &Answer{Sections: []Section{{Lines: []string{"device   none", "profile  rocm-7.2"}}}}
	if have := written(t, columns.WriteHTML); !strings.Contains(have, `<p class="lines aligned">device   none`) {
		t.Errorf("lines with columns are in a proportional font:\n%s", have)
	}
	linked := &Answer{Sections: []Section{{Lines: []string{"<see ROCm/hip#12>"}}}}
	const link = `&lt;see <a href="https://github.com/ROCm/hip/issues/12">ROCm/hip#12</a>&gt;`
	if have := written(t, linked.WriteHTML); !strings.Contains(have, link) {
		t.Errorf("the page lacks %s:\n%s", link, have)
	}
	if strings.Contains(have, "nothing") || strings.Contains(have, "…") {
		t.Errorf("the page has an empty section, or is cut:\n%s", have)
	}
	const bad = "<script>alert(1)</script>"
	table := NewTable(bad)
	table.Row(bad)
	a := &Answer{Title: bad, Sections: []Section{{Heading: bad, Caption: bad, Lines: []string{bad}, Table: table,
		Below: []string{bad}, List: []string{bad}}, {Heading: "a B"}, {Heading: "a B", Lines: []string{bad}}}}
	have = written(t, a.WriteHTML)
	if strings.Contains(have, bad) || strings.Count(have, html.EscapeString(bad)) != 11 {
		t.Errorf("the texts are not escaped:\n%s", have)
	}
}

// TestLongTables checks that a page has a bounded number of rows.
func TestLongTables(t *testing.T) {
	table := NewTable("n")
	for range mostRows + 5 {
		table.Row("1")
	}
	have := written(t, (&Answer{Sections: []Section{{Table: table}}}).WriteHTML)
	if strings.Count(have, "<tr><td>") != mostRows || !strings.Contains(have, "<p>and 5 more</p>") {
		t.Errorf("%d rows", strings.Count(have, "<td>"))
	}
}
