package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDocumentsAreTrue runs the examples of the documents. For each document it processes the code blocks in sequence,
// in one temporary folder:
//
//	```lua solve.lua     writes a file
//	```console           runs the commands after $ in a shell and compares their output
//
// A line of three dots matches any lines. Times are not compared. With -update the output replaces the text in the
// document, except in blocks with such a line.
func TestDocumentsAreTrue(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the documents show a POSIX shell")
	}
	if testing.Short() {
		t.Skip("the transcripts of the command line have the same commands")
	}
	t.Parallel()
	for _, name := range []string{"README.md", "docs/guide.md", "docs/ci.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(filepath.Join("..", name))
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fresh := play(t, string(text))
			if *update && fresh != string(text) {
				if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// fenced matches a code block: its language, the file name and the lines.
var fenced = lazy("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// play runs the examples of a document and returns it with the output of its commands.
func play(t *testing.T, document string) string {
	folder := t.TempDir()
	return fenced().ReplaceAllStringFunc(document, func(block string) string {
		m := fenced().FindStringSubmatch(block)
		language, file, lines := m[1], m[2], m[3]
		switch {
		case file != "":
			path := filepath.Join(folder, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
				t.Fatal(err)
			}
		case language == "console":
			return "```console\n" + playBlock(t, folder, lines) + "```"
		}
		return block
	})
}

// playBlock runs the commands of one block.
func playBlock(t *testing.T, folder, lines string) string {
	var fresh strings.Builder
	for _, part := range strings.Split("\n"+strings.TrimSuffix(lines, "\n"), "\n$ ")[1:] {
		command, want, _ := strings.Cut(part+"\n", "\n")
		shell := exec.Command("sh", "-c", command)
		shell.Dir = folder
		shell.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(folder, ".cache"), "GITHUB_ACTIONS=",
			"ROCLUA_BLAS=go") // the same results on every machine
		out, err := shell.CombinedOutput()
		if _, ended := err.(*exec.ExitError); err != nil && !ended {
			t.Fatalf("%s: %v", command, err)
		}
		have := string(out)
		switch {
		case agree(have, want):
			have = want
		case !*update || strings.Contains(want, "\n...\n") || strings.HasPrefix(want, "...\n"):
			t.Errorf("$ %s\nprints\n%s\nwant\n%s", command, have, want)
			have = want
		}
		fresh.WriteString("$ " + command + "\n" + have)
	}
	return fresh.String()
}

var times = lazy(`\b\d+\.\d+ s\b|\btime="[\d.]+"`)

// agree reports whether an output matches the text of a document. A line of three dots matches any lines.
func agree(have, want string) bool {
	have, want = times().ReplaceAllString(have, "0.0 s"), times().ReplaceAllString(want, "0.0 s")
	pieces := strings.Split("\n"+want, "\n...\n")
	if len(pieces) == 1 {
		return have == want
	}
	rest := "\n" + have
	for i, piece := range pieces {
		at := strings.Index(rest, piece)
		if at < 0 || i == 0 && at > 0 || i == len(pieces)-1 && piece != "" && !strings.HasSuffix(rest, piece) {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return true
}
