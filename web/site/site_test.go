package site

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
)

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
