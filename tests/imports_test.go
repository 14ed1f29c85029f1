package tests

import (
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// imports reports whether a file imports a package.
func imports(t *testing.T, file, path string) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		if name, _ := strconv.Unquote(spec.Path.Value); name == path {
			return true
		}
	}
	return false
}
