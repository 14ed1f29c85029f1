package site

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
)

// links are the addresses to which the pages link.
type links struct {
	markdown goldmark.Markdown
	files    map[string]string // by the path of a page in the project: "platforms.md"
	anchors  map[string]string // by the anchor of a heading in docs/reference.md
	names    map[string]string // by a function, a routine or an object
}

func newLinks(pages []*page) *links {
	l := &links{files: map[string]string{"reference.md": "reference.html"}, anchors: map[string]string{},
		names: map[string]string{}}
	l.markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe()))
	for i, p := range pages {
		if i < len(handwritten) {
			l.files[handwritten[i]+".md"] = p.File
		}
		l.anchors[strings.TrimSuffix(p.File, ".html")] = p.File
		for _, name := range p.names {
			if l.names[name] == "" {
				l.names[name] = p.File
			}
		}
	}
	return l
}

// render returns the HTML of a page, with links between the pages. Names of functions in code lead to their pages.
func (l *links) render(p *page) (template.HTML, error) {
	source := []byte(p.Text)
	tree := l.markdown.Parser().Parse(gmtext.NewReader(source))
	var gone []ast.Node
	var code []*ast.CodeSpan
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if to, ok := l.address(string(n.Destination)); ok {
				n.Destination = []byte(to)
			} else {
				gone = append(gone, n)
			}
		case *ast.CodeSpan:
			if _, inLink := n.Parent().(*ast.Link); !inLink {
				code = append(code, n)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	for _, n := range code {
		l.linkCode(p, n, source)
	}
	for _, n := range gone { // files of the project that the site does not have
		for n.HasChildren() {
			n.Parent().InsertBefore(n.Parent(), n, n.FirstChild())
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var b bytes.Buffer
	err = l.markdown.Renderer().Render(&b, source, tree)
	// A screen reader reads a header without text, too.
	return template.HTML(strings.ReplaceAll(b.String(), "<th></th>", "<td></td>")), err
}

// address returns where a link leads to on the site.
func (l *links) address(to string) (address string, ok bool) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasSuffix(to, ".html") {
		return to, true
	}
	file, anchor, _ := strings.Cut(to, "#")
	if file == "reference.md" && anchor != "" {
		if topic, isTopic := strings.CutPrefix(anchor, "topic-"); isTopic {
			topic, _, _ = strings.Cut(topic, "-")
			anchor = "topic-" + topic
		}
		address, ok = l.anchors[anchor]
		return address, ok
	}
	if address, ok = l.files[file]; ok && anchor != "" {
		address += "#" + anchor
	}
	return address, ok
}

// linkCode makes code a link to the page that describes it.
func (l *links) linkCode(p *page, code *ast.CodeSpan, source []byte) {
	first, ok := code.FirstChild().(*ast.Text)
	if !ok {
		return
	}
	text, _, _ := strings.Cut(string(first.Value(source)), "(")
	to := l.names[text]
	if to == "" || to == p.File {
		return
	}
	link := ast.NewLink()
	link.Destination = []byte(to)
	code.Parent().ReplaceChild(code.Parent(), code, link)
	link.AppendChild(link, code)
}
