package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// git runs a command of git in a folder, and returns what it prints.
func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git found")
	}
	c := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com"},
		args...)...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func check(t *testing.T, name, folder string, want *Revision) {
	t.Helper()
	if diff := cmp.Diff(want, Of(folder)); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestOf(t *testing.T) {
	folder := t.TempDir()
	check(t, "no repository", folder, nil)
	check(t, "no folder", filepath.Join(folder, "missing"), nil)
	git(t, folder, "init", "--initial-branch", "a/b")
	check(t, "no commit", folder, nil)
	git(t, folder, "commit", "--allow-empty", "--message", "first")
	first := git(t, folder, "rev-parse", "HEAD")
	check(t, "a branch", folder, &Revision{first, "a/b"})
	below := filepath.Join(folder, "x", "y")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	check(t, "a folder below", below, &Revision{first, "a/b"})
	git(t, folder, "pack-refs", "--all")
	check(t, "packed", folder, &Revision{first, "a/b"})
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, folder, "worktree", "add", "-b", "work", tree)
	git(t, tree, "commit", "--allow-empty", "--message", "second")
	check(t, "another working tree", tree, &Revision{git(t, tree, "rev-parse", "HEAD"), "work"})
	git(t, folder, "checkout", "--detach")
	check(t, "no branch", folder, &Revision{first, ""})
	if err := os.WriteFile(filepath.Join(folder, ".git", "HEAD"), []byte("what"), 0o644); err != nil {
		t.Fatal(err)
	}
	check(t, "a broken file", folder, nil)
}
