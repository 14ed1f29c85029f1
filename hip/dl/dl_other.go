//go:build !(linux || darwin || freebsd)

package dl

import "errors"

var errNoLoader = errors.New("libraries are opened on Linux, macOS and FreeBSD only")

func open(string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return 0, errNoLoader })
}

func lookup(uintptr, string) (uintptr, error) { return 0, errNoLoader }

func register(any, uintptr) { panic("dl: libraries cannot be opened on this system") }
