package site

import (
	"regexp"
	"slices"
	"strings"
)

// split divides the reference: its introduction, a page for each module, object and topic, and for each routine family.
func split(reference string) []*page {
	title, text := cutTitle(reference)
	parts := headings(text, "## ")
	pages := []*page{{File: "reference.html", Title: title, Section: "Reference", Text: parts[0].text}}
	for _, part := range parts[1:] {
		families := headings(part.text, "### ")
		p := newPage(part.title, part.text)
		pages = append(pages, p)
		if len(families) == 1 {
			continue
		}
		p.Section, p.Text = p.Title, "\nThe families of routines.\n"+families[0].text+"\n"
		library := "rocblas-"
		if p.Title == "Solver" {
			library = "rocsolver-"
		}
		for _, f := range families[1:] {
			file := library + f.title + ".html"
			p.Text += "* [" + f.title + "](" + file + "): " + about(f.text) + "\n"
			pages = append(pages, &page{File: file, Title: f.title, Section: p.Title, Text: f.text, isFamily: true})
		}
	}
	for _, p := range pages {
		p.names = names(p)
	}
	return pages
}

// newPage returns the page for a part of the reference: "Module rocblas", "Topic axes: parameters that take ...".
func newPage(title, text string) *page {
	kind, name, ok := strings.Cut(title, " ")
	sections := map[string]string{"Module": "Modules", "Object": "Objects", "Topic": "Topics"}
	if section := sections[kind]; ok && section != "" {
		name, summary, _ := strings.Cut(name, ": ")
		if summary != "" {
			text = "\n" + strings.ToUpper(summary[:1]) + summary[1:] + ".\n" + text
		}
		return &page{File: strings.ToLower(kind) + "-" + name + ".html", Title: name, Section: section, Text: text}
	}
	return &page{File: slug(title) + ".html", Title: title, Section: "Tables", Text: text}
}

// heading is the text below a heading. The first of a list has the text before the first heading, and no title.
type heading struct{ title, text string }

// headings divides text at the headings with a mark, except in blocks of code.
func headings(text, mark string) []heading {
	list := []heading{{}}
	isCode := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			isCode = !isCode
		}
		if title, ok := strings.CutPrefix(line, mark); ok && !isCode {
			list = append(list, heading{title: strings.TrimSpace(title)})
			continue
		}
		list[len(list)-1].text += line
	}
	return list
}

// slug returns the address of a heading: "Exit codes" is "exit-codes".
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	name     = regexp.MustCompile(`^[A-Za-z_][\w.:]*$`)
	word     = regexp.MustCompile(`[A-Za-z_][\w.:-]{2,}`)
)

// names returns what a page describes: the functions whose calls it shows, and the routines of a family, which it lists
// first.
func names(p *page) []string {
	var list []string
	add := func(text string) {
		if name.MatchString(text) && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	text := p.Text
	if p.isFamily {
		text, _, _ = strings.Cut(text, "```") // the list of routines is before the call
	}
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		before, _, isCall := strings.Cut(span[1], "(")
		switch {
		case p.isFamily:
			for one := range strings.FieldsSeq(span[1]) {
				add(one)
			}
		case isCall && (p.Section == "Modules" || p.Section == "Objects"):
			add(before)
		}
	}
	if p.Section != "Tables" {
		add(p.Title)
	}
	return list
}

// about returns the first sentence of text, without marks.
func about(text string) string {
	for block := range strings.SplitSeq(text, "\n\n") {
		block = strings.TrimSpace(block)
		if block == "" || strings.ContainsAny(block[:1], "#|<!*-") || strings.HasPrefix(block, "```") {
			continue
		}
		sentence, _, _ := strings.Cut(strings.ReplaceAll(block, "\n", " "), ". ")
		return strings.NewReplacer("`", "", "\\|", "|").Replace(strings.TrimSuffix(sentence, "."))
	}
	return ""
}

// words returns the words of text in lower case, each once.
func words(text string) string {
	seen := map[string]bool{}
	var list []string
	for _, w := range word.FindAllString(text, -1) {
		w = strings.Trim(strings.ToLower(w), ".:-")
		if !seen[w] {
			seen[w], list = true, append(list, w)
		}
	}
	return strings.Join(list, " ")
}
