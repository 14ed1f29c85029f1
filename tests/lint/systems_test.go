//go:build lint

package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestSystems checks the types of the program on other systems, from the source of all packages: this takes a tenth of
// the time of a build. For the browser it checks the tests, too, as "GOOS=js GOARCH=wasm go vet ./..." does. "make
// nightly" builds the program for each system of a release.
func TestSystems(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range []string{"linux/arm64", "darwin/arm64", "windows/amd64", "js/wasm"} {
		t.Run(system, func(t *testing.T) {
			name, arch, _ := strings.Cut(system, "/")
			pattern, tests := ".", name == "js"
			if tests {
				pattern = "./..."
			}
			loaded, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
					packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
				Dir: root, Tests: tests,
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+name, "GOARCH="+arch),
				ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
					f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
					if f != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
						removeBodies(f)
					}
					return f, err
				},
			}, pattern)
			if err != nil {
				t.Fatal(err)
			}
			packages.Visit(loaded, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					if strings.HasPrefix(p.PkgPath, "roclua") && !strings.HasSuffix(p.PkgPath, ".test") {
						t.Error(err)
					}
				}
			})
		})
	}
}

// removeBodies removes the bodies of a file's functions: importers need their types only.
func removeBodies(f *ast.File) {
	for _, d := range f.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
