// Package revision finds the git revision of a folder by reading the files of its repository. It runs no program, so
// that a repository of unknown origin cannot make it run one.
package revision

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"roclua/input"
)

// Revision is the commit that is checked out. Files can have changed since.
type Revision struct {
	Commit string `json:"commit"`           // hash of the commit
	Branch string `json:"branch,omitempty"` // branch; absent when none is checked out
}

// Of returns the revision of the repository that contains a folder. It returns nil if there is no repository, or if it
// has no commit or an unknown format.
func Of(folder string) *Revision {
	at, err := filepath.Abs(folder)
	if err != nil {
		return nil
	}
	for {
		if r, ok := open(at); ok {
			return r.head()
		}
		parent := filepath.Dir(at)
		if parent == at {
			return nil
		}
		at = parent
	}
}

// repository is the folder with the state of a working tree.
type repository struct {
	own    string // folder of the working tree's own files, such as HEAD
	common string // folder of the files that all working trees share
}

// open returns the repository whose working tree is the folder.
func open(folder string) (repository, bool) {
	dir := filepath.Join(folder, ".git")
	if info, err := os.Stat(dir); err != nil {
		return repository{}, false
	} else if !info.IsDir() { // the folder is an additional working tree or a submodule
		path, ok := strings.CutPrefix(read(dir), "gitdir: ")
		if !ok {
			return repository{}, false
		}
		dir = join(folder, path)
	}
	r := repository{dir, dir}
	if path := read(filepath.Join(dir, "commondir")); path != "" {
		r.common = join(dir, path)
	}
	return r, read(filepath.Join(dir, "HEAD")) != ""
}

// head returns the revision that HEAD names, or nil.
func (r repository) head() *Revision {
	head := read(filepath.Join(r.own, "HEAD"))
	ref, isRef := strings.CutPrefix(head, "ref: ")
	if !isRef {
		return revision(head, "")
	}
	if !strings.HasPrefix(ref, "refs/") || !filepath.IsLocal(ref) {
		return nil
	}
	branch := strings.TrimPrefix(ref, "refs/heads/")
	for _, folder := range []string{r.own, r.common} {
		if hash := read(filepath.Join(folder, ref)); hash != "" {
			return revision(hash, branch)
		}
	}
	for line := range strings.Lines(read(filepath.Join(r.common, "packed-refs"))) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return revision(hash, branch)
		}
	}
	return nil
}

var hash = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
})

func revision(commit, branch string) *Revision {
	if !hash().MatchString(commit) {
		return nil
	}
	return &Revision{Commit: commit, Branch: branch}
}

// read returns the content of a file without spaces around it, "" if it cannot be read.
func read(path string) string {
	text, err := input.File(path, input.Git)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// join returns a path that is absolute or relative to a folder.
func join(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
