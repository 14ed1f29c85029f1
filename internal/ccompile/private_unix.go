//go:build unix

package ccompile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkPrivate returns an error if another user can replace a file or a folder: they own it, or can write to it. In
// a folder such as /tmp, with the sticky bit, they cannot replace files of others. A group with the number of
// its user has no other members by convention.
func checkPrivate(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return unusable(path, err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return unusable(path, errors.New("its owner is unknown"))
	}
	mode := info.Mode()
	switch {
	case int(owner.Uid) != 0 && int(owner.Uid) != os.Geteuid():
		return unusable(path, fmt.Errorf("it belongs to user %d, who can replace its content", owner.Uid))
	case mode&fs.ModeSymlink != 0:
		return unusable(path, errors.New("it is a link"))
	case mode.IsDir() && mode&fs.ModeSticky != 0:
		return nil
	case mode&0o002 != 0, mode&0o020 != 0 && owner.Gid != owner.Uid:
		return unusable(path, fmt.Errorf("other users can write to it (mode %#o)", mode.Perm()))
	}
	return nil
}
