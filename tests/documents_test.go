package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	markdownLink  = lazy(`\]\(([^)#:]*)(?:#([^)]+))?\)`) // the file, or the page itself, and a heading
	heading       = lazy(`(?m)^#+ (.*)$`)
	notInAnchor   = lazy(`[^\p{L}\p{N}_ -]`)
	markdownPath  = lazy("`((?:host|hip|luabind|workspace|tests|scripts|docs)/[\\w./-]*)`")
	nameOfTest    = lazy(`\.(Test|Fuzz|Benchmark)\w+$`) // of a package, in security-tests.md
	htmlComment   = lazy(`(?s)<!--.*?-->`)
	fencedSection = lazy("(?ms)^```.*?^```$")
)

// tutorial has the pages whose paths are in the project of a user.
var tutorial = map[string]bool{"docs/guide.md": true, "docs/ci.md": true}

// TestDocumentPathsExist checks the links, with the headings they lead to, and the paths of files and packages in the
// documents.
func TestDocumentPathsExist(t *testing.T) {
	for _, name := range textFiles(t, "..") {
		if filepath.Ext(name) != ".md" || name == "CHANGELOG.md" {
			continue
		}
		prose := proseOf(t, name)
		for _, m := range markdownLink().FindAllStringSubmatch(prose, -1) {
			target := name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(name), m[1])
				checkPath(t, name, target)
			}
			if m[2] != "" && !anchors(proseOf(t, target))[m[2]] {
				t.Errorf("%s: %s has no heading #%s", name, target, m[2])
			}
		}
		for _, m := range markdownPath().FindAllStringSubmatch(prose, -1) {
			path, _, _ := strings.Cut(m[1], "/NAME") // a placeholder
			path = nameOfTest().ReplaceAllString(path, "")
			if !tutorial[name] && !strings.Contains(path, "folder/") {
				checkPath(t, name, path)
			}
		}
	}
}

// proseOf returns the text of a document without comments and code blocks.
func proseOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return fencedSection().ReplaceAllString(htmlComment().ReplaceAllString(string(text), ""), "")
}

// anchors returns the fragments by which links name the headings of a document, as GitHub makes them.
func anchors(prose string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading().FindAllStringSubmatch(prose, -1) {
		name := notInAnchor().ReplaceAllString(strings.ToLower(strings.TrimSpace(m[1])), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

func checkPath(t *testing.T, document, path string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("..", path)); err != nil {
		t.Errorf("%s: %s does not exist", document, path)
	}
}
