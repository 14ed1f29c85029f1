package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		at    string
		want  *Revision
	}{
		{"no repository", nil, ".", nil},
		{"a branch", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": hashA + "\n"},
			".", &Revision{hashA, "main"}},
		{"a folder below", map[string]string{".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": hashA,
			"x/y/z": ""}, "x/y", &Revision{hashA, "a/b"}},
		{"no branch", map[string]string{".git/HEAD": hashB + "\n"}, ".", &Revision{hashB, ""}},
		{"packed", map[string]string{".git/HEAD": "ref: refs/heads/main",
			".git/packed-refs": "# pack-refs\n" + hashB + " refs/heads/other\n" + hashA + " refs/heads/main\n^" +
				hashB + "\n"},
			".", &Revision{hashA, "main"}},
		{"a file has precedence over the packed file", map[string]string{".git/HEAD": "ref: refs/heads/main",
			".git/refs/heads/main": hashB, ".git/packed-refs": hashA + " refs/heads/main\n"}, ".",
			&Revision{hashB, "main"}},
		{"another working tree", map[string]string{"tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
			"main/.git/worktrees/tree/HEAD":      "ref: refs/heads/work\n",
			"main/.git/worktrees/tree/commondir": "../..\n", "main/.git/refs/heads/work": hashA}, "tree",
			&Revision{hashA, "work"}},
		{"no commit", map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, ".", nil},
		{"another format", map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n", ".git/reftable/x": ""}, ".",
			nil},
		{"not a hash", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "x"}, ".", nil},
		{"a path out of the repository", map[string]string{".git/HEAD": "ref: refs/../../secret", "secret": hashA}, ".",
			nil},
		{"a broken file", map[string]string{".git": "what"}, ".", nil},
	} {
		folder := t.TempDir()
		for name, text := range test.files {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(test.want, Of(filepath.Join(folder, test.at))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestAgreesWithGit compares with git for a repository that git made.
func TestAgreesWithGit(t *testing.T) {
	folder := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com"},
			args...)...)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git found")
	}
	git("init", "--initial-branch", "trunk")
	git("commit", "--allow-empty", "--message", "first")
	want := &Revision{git("rev-parse", "HEAD"), "trunk"}
	if diff := cmp.Diff(want, Of(folder)); diff != "" {
		t.Error(diff)
	}
	git("pack-refs", "--all")
	if diff := cmp.Diff(want, Of(folder)); diff != "" {
		t.Errorf("packed: %s", diff)
	}
	git("checkout", "--detach")
	want.Branch = ""
	if diff := cmp.Diff(want, Of(folder)); diff != "" {
		t.Errorf("detached: %s", diff)
	}
}
