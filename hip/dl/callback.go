//go:build linux || darwin || freebsd

package dl

import "github.com/ebitengine/purego"

// NewCallback returns a C function of one argument, an integer or a pointer, that calls a Go function, on whatever
// thread C calls it. It stays valid for the life of the process, which can have about 2000 of them.
func NewCallback(function func(uintptr)) uintptr { return purego.NewCallback(function) }
