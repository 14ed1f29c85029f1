package site

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/internal/atomicfile"
)

var (
	href = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(`id="([^"]*)"`)
)

// written writes the site and returns its files by name.
func written(t *testing.T) map[string]string {
	t.Helper()
	folder := t.TempDir()
	first, count, err := Write(atomicfile.OS, folder)
	if err != nil {
		t.Fatal(err)
	}
	if first != filepath.Join(folder, "index.html") {
		t.Errorf("the first page is %s", first)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files, pages := map[string]string{}, 0
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
		if filepath.Ext(e.Name()) == ".html" {
			pages++
		}
	}
	if pages != count || pages < 200 {
		t.Errorf("%d pages are reported, %d are written", count, pages)
	}
	return files
}

// TestLinks follows all links between the pages.
func TestLinks(t *testing.T) {
	files := written(t)
	anchors := map[string]bool{}
	for name, text := range files {
		anchors[name+"#"] = true
		for _, match := range id.FindAllStringSubmatch(text, -1) {
			anchors[name+"#"+match[1]] = true
		}
	}
	links := 0
	for name, text := range files {
		if filepath.Ext(name) != ".html" {
			continue
		}
		for _, match := range href.FindAllStringSubmatch(text, -1) {
			to := match[1]
			if strings.Contains(to, "://") {
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			if file == "" {
				file = name
			}
			if links++; !anchors[file+"#"+anchor] {
				t.Errorf("%s links to %s, which does not exist", name, to)
			}
		}
	}
	t.Logf("%d links", links)
}

// TestNames checks that the page of each routine is found by the routine's name, and that code leads to it.
func TestNames(t *testing.T) {
	pages, err := render()
	if err != nil {
		t.Fatal(err)
	}
	l := newLinks(pages)
	for _, r := range routine.All() {
		have := l.names[r.Name]
		if want := fmt.Sprintf("%s-%s.html", r.Library, r.Family.Name); have != want && r.Family.Name != "trtri" {
			t.Errorf("%s leads to %q, want %s", r.Name, have, want) // both libraries have trtri
		}
	}
	for name, want := range map[string]string{"hip.malloc": "module-hip.html", "handle:query": "object-handle.html",
		"t:measure": "object-test.html", "array.random": "module-array.html"} {
		if l.names[name] != want {
			t.Errorf("%s leads to %q, want %s", name, l.names[name], want)
		}
	}
	for _, p := range pages {
		if strings.Contains(string(p.HTML), "<p>#") || about(p.Text) == "" && p.Section != "Tables" {
			t.Errorf("%s has a heading that is text, or no first sentence: %.200s", p.File, p.Text)
		}
	}
}

// TestFailedWrite names the file that cannot be written.
func TestFailedWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Write(atomicfile.OS, file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a folder that is a file: %v", err)
	}
}

// TestEveryPage checks that the site has every page that is written by hand.
func TestEveryPage(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		if !slices.Contains(handwritten, name) && name != "reference" && name != "licences" {
			t.Errorf("the site lacks docs/%s.md", name)
		}
	}
}
