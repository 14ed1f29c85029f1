//go:build lint

package lint

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// module is a dependency.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// allowed are the licenses that require only attribution.
var allowed = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC"}

const licencesPage = "../../docs/licences.md"

var update = flag.Bool("update", false, "rewrite docs/licences.md")

// TestLicences compares docs/licences.md with the modules of the program, its tests and its tools, and checks that
// their licenses are allowed.
func TestLicences(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Licenses\n\nThe dependencies of the program, its tests and its tools. " +
		"`make docs` writes this page.\n\n" +
		"| module | version | license | used by |\n|---|---|---|---|\n")
	seen := map[string]bool{}
	for _, of := range []struct {
		where string
		list  []module
	}{
		{"the program", modulesOf(t, "list", "-deps", "-json=Module", ".")},
		{"tests", modulesOf(t, "list", "-deps", "-test", "-tags", "browser,lint", "-json=Module", "./...")},
		{"tools", modulesOf(t, "list", "-deps", "-json=Module", "tool")},
	} {
		for _, m := range of.list {
			if !seen[m.Path] {
				seen[m.Path] = true
				b.WriteString(licenceRow(t, m, of.where))
			}
		}
	}
	if *update {
		if err := os.WriteFile(licencesPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(licencesPage); err != nil || string(have) != b.String() {
		t.Errorf("docs/licences.md is stale (%v); run make docs", err)
	}
}

// licenceRow returns the line of a module in the table of the page.
func licenceRow(t *testing.T, m module, where string) string {
	return fmt.Sprintf("| %s | %s | %s | %s |\n", m.Path, m.Version, licenceOf(t, m), where)
}

// modulesOf runs go list in the root folder and returns the modules of the listed packages by name.
func modulesOf(t *testing.T, args ...string) []module {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64") // the same list on every system
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	var list []module
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ Module *module }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			list = append(list, *p.Module)
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return slices.Compact(list)
}

// licenceOf returns the licenses in the root folder of a module.
func licenceOf(t *testing.T, m module) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.Dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range files {
		name := strings.ToUpper(filepath.Base(f))
		if !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			continue // a folder
		}
		for _, match := range licensecheck.Scan(text).Match {
			if !slices.Contains(allowed, match.ID) {
				t.Errorf("%s: %s has the license %s; allowed are %s",
					m.Path, filepath.Base(f), match.ID, strings.Join(allowed, ", "))
			}
			found = append(found, match.ID)
		}
	}
	if found == nil {
		t.Errorf("%s %s has no known license", m.Path, m.Version)
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), ", ")
}
