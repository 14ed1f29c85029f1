// Package site renders the manual as linked HTML pages: the guide, the other pages, and the reference in parts, with an
// index for their search.
package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"roclua/docs"
	"roclua/host/topics"
	"roclua/luabind/manual"
)

// picture is the file in docs.Files that the guide shows.
const picture = "report.png"

// handwritten are the pages of docs.Files, in the order of the navigation.
var handwritten = []string{"guide", "habits", "loads", "platforms", "ci", "cluster", "documents", "lua"}

// page is a page of the site.
type page struct {
	File    string // "rocsolver-getrf.html"
	Title   string
	Section string // title of its part of the navigation
	Text    string // in Markdown, without the title

	isFamily bool     // it describes the routines of a family
	names    []string // functions, routines and objects that it describes
	HTML     template.HTML
}

// Files returns the files of the site by name: the pages, of which index.html is the first, index.json for the search,
// and a picture. The layout gets a page's fields, the Sections of the navigation, and the security Policy.
func Files(layout *template.Template, policy string) (map[string][]byte, error) {
	pages, err := render()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range pages {
		var b bytes.Buffer
		if err := layout.Execute(&b, view{p, navigation(pages, p), policy}); err != nil {
			return nil, err
		}
		files[p.File] = b.Bytes()
	}
	if files["index.json"], err = index(pages); err != nil {
		return nil, err
	}
	files[picture], err = docs.Files.ReadFile(picture)
	return files, err
}

// render returns all pages with their HTML. The first is the start.
func render() ([]*page, error) {
	pages := []*page{}
	for _, name := range handwritten {
		text, err := docs.Files.ReadFile(name + ".md")
		if err != nil {
			return nil, err
		}
		title, body := cutTitle(string(text))
		pages = append(pages, &page{File: name + ".html", Title: title, Section: "Manual", Text: body})
	}
	pages[0].File = "index.html"
	var reference strings.Builder
	manual.Reference(&reference, topics.Program())
	pages = append(pages, split(reference.String())...)
	links := newLinks(pages)
	for _, p := range pages {
		var err error
		if p.HTML, err = links.render(p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
	}
	return pages, nil
}

// cutTitle separates text from its first line, the title.
func cutTitle(text string) (title, body string) {
	title, body, _ = strings.Cut(text, "\n")
	return strings.TrimLeft(title, "# "), body
}

// view is what the layout shows.
type view struct {
	*page
	Sections []section
	Policy   string
}

// section is a part of the navigation.
type section struct {
	Title string
	Open  bool // has the shown page
	Pages []link
}

type link struct {
	*page
	Current bool
}

// navigation returns the sections in the order of their first pages.
func navigation(pages []*page, shown *page) []section {
	var list []section
	for _, p := range pages {
		if len(list) == 0 || list[len(list)-1].Title != p.Section {
			list = append(list, section{Title: p.Section})
		}
		s := &list[len(list)-1]
		s.Pages = append(s.Pages, link{p, p == shown})
		s.Open = s.Open || p == shown
	}
	return list
}

// entry is a page in the index of the search.
type entry struct {
	File  string `json:"f"`
	Title string `json:"t"`
	About string `json:"a"` // first sentence
	Names string `json:"n"` // what it describes, separated by spaces
	Words string `json:"w"` // words of the text, each once
}

// index returns the index of the search.
func index(pages []*page) ([]byte, error) {
	var entries []entry
	for _, p := range pages {
		entries = append(entries, entry{p.File, p.Title, about(p.Text), strings.Join(p.names, " "), words(p.Text)})
	}
	return json.Marshal(entries)
}
