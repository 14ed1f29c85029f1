// Package revision finds the git revision of a folder.
package revision

import (
	"os/exec"
	"strings"
)

// Revision is the commit that is checked out. Files can have changed since.
type Revision struct {
	Commit string `json:"commit"`           // hash of the commit
	Branch string `json:"branch,omitempty"` // branch; absent when none is checked out
}

// Of returns the revision of the repository that contains a folder. It returns nil if there is no repository or no git,
// if the repository has no commit, or if it belongs to another user, whom git does not trust. This command of git runs
// no program that a repository names.
func Of(folder string) *Revision {
	out, err := exec.Command("git", "-C", folder, "rev-parse", "HEAD", "--abbrev-ref", "HEAD").Output()
	fields := strings.Fields(string(out))
	if err != nil || len(fields) != 2 {
		return nil
	}
	r := &Revision{Commit: fields[0], Branch: fields[1]}
	if r.Branch == "HEAD" { // of a commit without a branch
		r.Branch = ""
	}
	return r
}
