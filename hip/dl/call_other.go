//go:build !(linux || darwin || freebsd)

package dl

import "errors"

// Call cannot be reached: Open opens no library on this system.
func Call(uintptr, ...uintptr) uintptr { panic("dl: libraries cannot be opened on this system") }

// NewCallback cannot be reached: Open opens no library on this system.
func NewCallback(func(uintptr)) uintptr { panic("dl: libraries cannot be opened on this system") }

// CallArgs cannot be reached: Open opens no library on this system.
func CallArgs(uintptr, []Arg) uintptr { panic("dl: libraries cannot be opened on this system") }

// CallKept cannot be reached: Open opens no library on this system.
func CallKept(uintptr, []uintptr) uintptr { panic("dl: libraries cannot be opened on this system") }

// CallWords cannot be reached: Open opens no library on this system.
func CallWords(uintptr, []uintptr) uintptr { panic("dl: libraries cannot be opened on this system") }

var errNoLoader = errors.New("libraries are opened on Linux, macOS and FreeBSD only")

func open(string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return 0, errNoLoader })
}

func lookup(uintptr, string) (uintptr, error) { return 0, errNoLoader }

func register(any, uintptr) { panic("dl: libraries cannot be opened on this system") }
