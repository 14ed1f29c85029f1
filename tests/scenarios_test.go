package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind"
)

// item is an example or a claim of a page, listed in docs/documents.md.
type item struct {
	page, section, claim string
	scenarios            []string
}

// aPage matches sources that are pages of a release. Other scenarios cite functions of the libraries.
var aPage = lazy(`ROCm \d`)

// items reads docs/documents.md.
func items(t *testing.T) []item {
	t.Helper()
	text, err := os.ReadFile("../docs/documents.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []item
	page := ""
	scenario := regexp.MustCompile("`([^`]+)`")
	for _, line := range strings.Split(string(text), "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			page = title
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if page == "" || !strings.HasPrefix(line, "| ") || cells[0] == "section" {
			continue
		}
		if len(cells) != 3 {
			t.Errorf("%d cells, want 3: %s", len(cells), line)
			continue
		}
		one := item{page: page, section: cells[0], claim: cells[1]}
		for _, m := range scenario.FindAllStringSubmatch(cells[2], -1) {
			one.scenarios = append(one.scenarios, m[1])
		}
		list = append(list, one)
	}
	return list
}

// sources returns the key source of every scenario, by the name of the scenario.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../scripts/*/[^_]*.lua")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, err := luabind.Compile(file, text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := script.Describe(t.Context(), luabind.Options{LibraryPaths: []string{filepath.Dir(file)}})
		if err != nil {
			t.Fatal(err)
		}
		declared := list[0]
		if len(list) != 1 || declared.Plain {
			t.Errorf("%s has no run, or several scenarios", file)
		}
		name := filepath.ToSlash(strings.TrimSuffix(strings.TrimPrefix(file, filepath.Join("..", "scripts")+
			string(filepath.Separator)), ".lua"))
		found[name] = declared.Source
	}
	return found
}

// TestEveryItemHasAScenario checks docs/documents.md: each example and claim of a page has scenarios that exist and
// cite the page, and each scenario that cites a page is in its table. TestDefaultRun runs the scenarios.
func TestEveryItemHasAScenario(t *testing.T) {
	list, cited := items(t), sources(t)
	if len(list) < 78 {
		t.Errorf("%d examples and claims, want at least 78", len(list))
	}
	shown := map[string][]string{} // the scenarios of each page
	for _, one := range list {
		if len(one.scenarios) == 0 {
			t.Errorf("%s, %s: %q has no scenario", one.page, one.section, one.claim)
		}
		for _, name := range one.scenarios {
			source, ok := cited[name]
			switch {
			case !ok:
				t.Errorf("%s, %s: there is no scripts/%s.lua", one.page, one.section, name)
			case !strings.Contains(source, one.page):
				t.Errorf("scripts/%s.lua shows %q of %s, but its source does not cite the page", name, one.claim,
					one.page)
			}
			shown[one.page] = append(shown[one.page], name)
		}
	}
	for name, source := range cited {
		pages := 0
		for page, names := range shown {
			if !strings.Contains(source, page) {
				continue
			}
			pages++
			if !slices.Contains(names, name) {
				t.Errorf("scripts/%s.lua cites %s, whose table in docs/documents.md does not name it", name, page)
			}
		}
		if pages == 0 && aPage().MatchString(source) {
			t.Errorf("scripts/%s.lua cites a page that docs/documents.md does not have: %q", name, source)
		}
	}
	checkPages(t, shown)
}

// checkPages checks that scripts/README.md lists the same pages.
func checkPages(t *testing.T, shown map[string][]string) {
	t.Helper()
	readme, err := os.ReadFile("../scripts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for page := range shown {
		if !strings.Contains(string(readme), "| "+page+" |") {
			t.Errorf("scripts/README.md does not list %s", page)
		}
	}
}

// TestRoutinesWithWorkspace compares the number of routines of rocSOLVER that can need workspace, and the families of
// the others, with docs/documents.md.
func TestRoutinesWithWorkspace(t *testing.T) {
	all, can := 0, 0
	var never []string
	for _, r := range routine.All() {
		switch {
		case r.Library != routine.RocSOLVER:
			continue
		case len(r.Family.Buffers) > 0:
			can++
		case !slices.Contains(never, r.Family.Name):
			never = append(never, r.Family.Name)
		}
		all++
	}
	slices.Sort(never)
	last := len(never) - 1
	want := fmt.Sprintf("(%d of %d can; those of %s and %s never do)", can, all, strings.Join(never[:last], ", "),
		never[last])
	if !slices.ContainsFunc(items(t), func(i item) bool { return strings.Contains(i.claim, want) }) {
		t.Errorf("docs/documents.md does not say %q", want)
	}
}
