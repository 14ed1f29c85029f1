package tests

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// maxColumns is the longest line allowed in Go, Lua and Markdown. A tab counts tabWidth columns, as in .editorconfig.
const (
	maxColumns = 120
	tabWidth   = 4
)

// TestProse checks the wording of every text file: comments, messages, pages, scripts and Go identifiers. The rules
// are in prose_rules_test.go.
func TestProse(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all files")
	}
	t.Parallel()
	for _, name := range textFiles(t, "..") {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range checkProse(name, string(text)) {
			t.Error(f)
		}
	}
}

// finding is one violation of a rule.
type finding struct {
	file    string
	line    int
	message string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.message) }

// checkProse returns the violations in a file. The name decides which rules apply.
func checkProse(name, text string) []finding {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var found []finding
	add := func(offset int, format string, values ...any) {
		line := 1 + strings.Count(text[:offset], "\n")
		found = append(found, finding{name, line, fmt.Sprintf(format, values...)})
	}
	readable := text
	if path.Ext(name) == ".go" {
		var identifiers []identifier
		readable, identifiers = readableGo(text)
		for _, id := range identifiers {
			for _, word := range camelWords(id.name) {
				if write, banned := bannedIdentifiers[word]; banned {
					add(id.offset, "identifier %s: write %s", id.name, write)
				}
			}
		}
	}
	for _, m := range findPhrases(readable) {
		add(m.offset, "%q: write %s", m.phrase, m.rule.write)
	}
	switch path.Ext(name) {
	case ".go", ".lua", ".md", ".js":
		found = append(found, longLines(name, text)...)
	}
	slices.SortStableFunc(found, func(a, b finding) int { return a.line - b.line })
	return found
}

type identifier struct {
	name   string
	offset int
}

// readableGo returns Go source with everything blanked except comments and string literals, and its identifiers.
func readableGo(text string) (string, []identifier) {
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
	var identifiers []identifier
	for {
		pos, kind, literal := s.Scan()
		at := file.Offset(pos)
		switch kind {
		case token.EOF:
			return string(readable), identifiers
		case token.COMMENT, token.STRING:
			copy(readable[at:], text[at:min(at+len(literal), len(text))])
		case token.IDENT:
			identifiers = append(identifiers, identifier{literal, at})
		}
	}
}

// camelWords returns the lower-case words of an identifier: "perLoanBytes" has per, loan and bytes.
func camelWords(name string) []string {
	var words []string
	start := 0
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) || r == '_' {
			words = append(words, strings.ToLower(strings.Trim(name[start:i], "_")))
			start = i
		}
	}
	return append(words, strings.ToLower(strings.Trim(name[start:], "_")))
}

// longLines returns the lines that exceed maxColumns. Tables, URLs, Go directives, Markdown code blocks and the
// generated reference may exceed it.
func longLines(name, text string) []finding {
	var found []finding
	if name == "docs/reference.md" {
		return nil
	}
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if path.Ext(name) == ".md" && strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
		}
		columns := utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
		exempt := fenced || strings.Contains(line, "://") || strings.HasPrefix(trimmed, "|") ||
			strings.ContainsAny(line, "│├┌└") || strings.HasPrefix(trimmed, "//go:")
		if columns > maxColumns && !exempt {
			found = append(found, finding{name, i + 1, fmt.Sprintf("%d columns: write at most %d", columns, maxColumns)})
		}
	}
	return found
}

// textFiles returns the text files below a folder, with slashes and relative to it. It omits recorded data and hidden
// folders, except hidden folders of the repository.
func textFiles(t *testing.T, root string) []string {
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			hidden := len(base) > 1 && base[0] == '.' && base != ".ci" && base != ".github"
			if hidden || base == "dist" || base == "fuzz" || base == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains(proseExtensions, path.Ext(base)) || slices.Contains(proseNames, base) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(proseExempt, name) })
}

func TestProseRules(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"phrase in a comment", "a.go", "package a\n\n// It tells who\n", []string{`a.go:3: "tells": write reports, says, shows or describes`}},
		{"phrase across lines", "a.go", "package a\n\n// The loop goes\n// on.\n", []string{`a.go:3: "goes on": write continues`}},
		{"words within a phrase", "a.go", "package a\n\n// They give the\n// memory back.\n", []string{`a.go:3: "give the memory back": write returns, frees or releases`}},
		{"phrase in a string", "a.go", "package a\n\nvar _ = \"it goes on\"\n", []string{`a.go:3: "goes on": write continues`}},
		{"code is not prose", "a.go", "package a\n\nvar stands = standsBeforeAnswers(stood)\n", nil},
		{"exception", "a.md", "The standard library sorts in order to compare.\n", nil},
		{"Lua comment across lines", "a.lua", "-- The query goes\n-- on.\n", []string{`a.lua:1: "goes on": write continues`}},
		{"identifier", "a.go", "package a\n\nvar lastLoan int\n", []string{"a.go:3: identifier lastLoan: write allocation or borrow"}},
		{"identifier within a word", "a.go", "package a\n\nvar plane, Trials int\n", nil},
		{"long line", "a.lua", "-- " + strings.Repeat("x", 120) + "\n", []string{"a.lua:1: 123 columns: write at most 120"}},
		{"long table", "a.md", "| " + strings.Repeat("x", 120) + "\n", nil},
		{"long output", "a.md", "```\n" + strings.Repeat("x", 140) + "\n```\n", nil},
		{"tabs", "a.go", "package a\n\n" + strings.Repeat("\t", 31) + "\n", []string{"a.go:3: 124 columns: write at most 120"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var have []string
			for _, f := range checkProse(tt.file, tt.text) {
				have = append(have, f.String())
			}
			if !slices.Equal(have, tt.want) {
				t.Errorf("have %q\nwant %q", have, tt.want)
			}
		})
	}
}
