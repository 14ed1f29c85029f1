//go:build lint

package lint

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// avoided are phrases that readers misread or look up, with what to write instead. A space in an expression matches a
// line break with the marker of a comment, too.
var avoided = []struct{ phrase, write string }{
	{`the the|an an|of of|to to|in in|is is|are are|and and|or or|for for|with with|that that`, "it once"},
	{`besides?`, "next to, in addition to, or except"},
	{`tells?|told|telling`, "report, say, show or describe"},
	{`(?:gives?|gave|given|giving)(?: \w+){0,3} back`, "return or free"},
	{`(?:goes|go|went|gone|going) on`, "continue"},
	{`(?:holds?|held|holding)(?: \w+){0,3} against`, "compare with, or check against"},
	{`(?:stands?|stood|standing) for`, "mean or represent"},
	{`of (?:its|their|one's|our|your|my) own`, "its own, or a separate ..."},
	{`(?:somebody|nobody|who(?:m|so)?ever)`, "the subject: a caller, a script, no test"},
	{`(?:anew|hence|thence|whence|thereof|whereof|lest|wherein|albeit|upon)`, "a common word"},
}

// maxColumns is the longest line allowed in Go, Lua and Markdown. A tab counts tabWidth columns, as in .editorconfig.
const (
	maxColumns = 120
	tabWidth   = 4
)

// The text files. Recorded data and machine-readable files are excluded.
var (
	textExtensions = []string{".go", ".lua", ".md", ".toml", ".txt", ".txtar", ".tmpl", ".sh", ".py", ".c", ".js",
		".css", ".html", ".yml"}
	textNames = []string{"Makefile", "run", ".editorconfig", ".gitattributes", ".gitignore"}
)

// phrases is all of avoided in one expression, a group for each.
var phrases = func() *regexp.Regexp {
	var all []string
	for _, a := range avoided {
		all = append(all, `(`+strings.ReplaceAll(a.phrase, " ", `\s+(?:(?://|--|[#>*])\s*)?`)+`)`)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// checkProse returns the violations in a file, whose name decides what is text in it.
func checkProse(name, text string) (found []string) {
	add := func(offset int, format string, values ...any) {
		line := 1 + strings.Count(text[:offset], "\n")
		found = append(found, fmt.Sprintf("%s:%d: %s", name, line, fmt.Sprintf(format, values...)))
	}
	readable := text
	if path.Ext(name) == ".go" {
		readable = readableGo(text)
	}
	for _, m := range phrases.FindAllStringSubmatchIndex(readable, -1) {
		for i, a := range avoided {
			if m[2*i+2] >= 0 {
				add(m[0], "%q: write %s", readable[m[0]:m[1]], a.write)
			}
		}
	}
	switch path.Ext(name) {
	case ".go", ".lua", ".md", ".js":
		longLines(name, text, add)
	}
	return found
}

// readableGo returns Go source with everything blanked except comments and string literals.
func readableGo(text string) string {
	readable := []byte(text)
	for i := range readable {
		if readable[i] != '\n' {
			readable[i] = ' '
		}
	}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			return string(readable)
		case token.COMMENT, token.STRING:
			copy(readable[file.Offset(pos):], literal)
		}
	}
}

// longLines finds the lines that exceed maxColumns. Tables, URLs, Go directives, Markdown code blocks and the generated
// reference may exceed it.
func longLines(name, text string, add func(offset int, format string, values ...any)) {
	if name == "docs/reference.md" {
		return
	}
	fenced, offset := false, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if path.Ext(name) == ".md" && strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
		}
		columns := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) + (tabWidth-1)*strings.Count(line, "\t")
		exempt := fenced || strings.Contains(line, "://") || strings.HasPrefix(trimmed, "|") ||
			strings.ContainsAny(line, "│├┌└") || strings.HasPrefix(trimmed, "//go:")
		if columns > maxColumns && !exempt {
			add(offset, "%d columns: write at most %d", columns, maxColumns)
		}
		offset += len(line)
	}
}

// textFiles returns the text files of the repository, with slashes and relative to its root folder, except this one.
func textFiles(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			hidden := len(base) > 1 && base[0] == '.' && base != ".ci" && base != ".github"
			if hidden || slices.Contains([]string{"dist", "fuzz", "node_modules"}, base) || name == "web/public" {
				return fs.SkipDir
			}
		} else if slices.Contains(textExtensions, path.Ext(base)) || slices.Contains(textNames, base) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "tests/lint/prose_test.go" })
}

// TestProse checks the wording of every text file (comments, messages, pages and scripts) and the length of lines.
func TestProse(t *testing.T) {
	for _, name := range textFiles(t) {
		text, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range checkProse(name, string(text)) {
			t.Error(f)
		}
	}
}

func TestCheckProse(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"phrase in a comment", "a.go", "package a\n\n// It tells who\n", `a.go:3: "tells": write report, say, show or describe`},
		{"phrase across lines", "a.go", "package a\n\n// The loop goes\n// on.\n", `a.go:3: "goes\n// on": write continue`},
		{"words within a phrase", "a.md", "They give the memory back.\n", `a.md:1: "give the memory back": write return or free`},
		{"a word twice", "a.md", "It is the\nthe handle.\n", `a.md:1: "the\nthe": write it once`},
		{"phrase in a string", "a.go", "package a\n\nvar _ = \"it goes on\"\n", `a.go:3: "goes on": write continue`},
		{"code is not prose", "a.go", "package a\n\nvar told = besides(upon)\n", ""},
		{"Lua comment across lines", "a.lua", "-- The query goes\n-- on.\n", `a.lua:1: "goes\n-- on": write continue`},
		{"long line", "a.lua", "-- " + strings.Repeat("x", 120) + "\n", "a.lua:1: 123 columns: write at most 120"},
		{"long table", "a.md", "| " + strings.Repeat("x", 120) + "\n", ""},
		{"long output", "a.md", "```\n" + strings.Repeat("x", 140) + "\n```\n", ""},
		{"tabs", "a.go", "package a\n\n" + strings.Repeat("\t", 31) + "\n", "a.go:3: 124 columns: write at most 120"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if have := strings.Join(checkProse(tt.file, tt.text), "\n"); have != tt.want {
				t.Errorf("have %q\nwant %q", have, tt.want)
			}
		})
	}
}
