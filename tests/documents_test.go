package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	markdownLink  = lazy(`\]\(([^)#:]+)\)`)
	markdownPath  = lazy("`((?:host|hip|luabind|workspace|tests|scripts|docs)/[\\w./-]*)`")
	nameOfTest    = lazy(`\.(Test|Fuzz|Benchmark)\w+$`) // of a package, in security-tests.md
	htmlComment   = lazy(`(?s)<!--.*?-->`)
	fencedSection = lazy("(?ms)^```.*?^```$")
)

// tutorial has the pages whose paths are in the project of a user.
var tutorial = map[string]bool{"docs/guide.md": true, "docs/ci.md": true}

// TestDocumentPathsExist checks the links and the paths of files and packages in the documents.
func TestDocumentPathsExist(t *testing.T) {
	for _, name := range textFiles(t, "..") {
		if filepath.Ext(name) != ".md" || name == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		prose := fencedSection().ReplaceAllString(htmlComment().ReplaceAllString(string(text), ""), "")
		for _, m := range markdownLink().FindAllStringSubmatch(prose, -1) {
			checkPath(t, name, filepath.Join(filepath.Dir(name), m[1]))
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

func checkPath(t *testing.T, document, path string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("..", path)); err != nil {
		t.Errorf("%s: %s does not exist", document, path)
	}
}
