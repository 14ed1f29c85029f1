package main

import (
	"bytes"
	"html"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"roclua/host"
)

var (
	href    = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id      = regexp.MustCompile(`id="([^"]*)"`)
	example = regexp.MustCompile(`(?s)<pre><code class="language-lua[^"]*">(.*?)</code></pre>`)
)

// written returns all files but the program.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	t.Chdir("..")
	files, err := files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestLinks follows all links between the pages.
func TestLinks(t *testing.T) {
	files := written(t)
	anchors := map[string]bool{}
	for name, text := range files {
		anchors[name+"#"] = true
		for _, match := range id.FindAllSubmatch(text, -1) {
			anchors[name+"#"+string(match[1])] = true
		}
	}
	pages := 0
	for name, text := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		pages++
		for _, match := range href.FindAllStringSubmatch(string(text), -1) {
			file, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(file, ":") {
				continue
			}
			if file == "" {
				file = path.Base(name)
			}
			if to := path.Join(path.Dir(name), file) + "#" + anchor; !anchors[to] {
				t.Errorf("%s links to %s, which does not exist", name, to)
			}
		}
	}
	if pages < 200 {
		t.Errorf("%d pages", pages)
	}
}

// TestSize holds the page, without the program, below 200 kB.
func TestSize(t *testing.T) {
	files, size := written(t), 0
	for _, name := range []string{"index.html", "roclua.js", "wasm_exec.js", "style.css"} {
		size += len(files[name])
	}
	if size > 200_000 {
		t.Errorf("the page has %d bytes", size)
	}
}

// TestExamples runs the examples of the manual that have a button Run.
func TestExamples(t *testing.T) {
	files, ran := written(t), 0
	t.Chdir(t.TempDir())
	for name, text := range files {
		for _, match := range example.FindAllSubmatch(text, -1) {
			script := html.UnescapeString(string(match[1]))
			if !strings.Contains(script, "require") {
				continue
			}
			ran++
			if err := os.WriteFile("example.lua", []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			env := host.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: time.Now, CPUs: 1,
				Getenv: func(string) string { return "" }}
			if code := host.Main([]string{"run", "example.lua", "--quiet", "--isolation", "case"}, env); code != 0 {
				t.Errorf("an example of %s: exit code %d\n%s\n%s", name, code, script, &out)
			}
		}
	}
	if ran == 0 {
		t.Error("no example has a button")
	}
	t.Logf("%d examples", ran)
}
