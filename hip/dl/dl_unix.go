//go:build linux || darwin || freebsd

package dl

import "github.com/ebitengine/purego"

func open(name string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL) })
}

func lookup(handle uintptr, name string) (uintptr, error) {
	return pinned(func() (uintptr, error) { return purego.Dlsym(handle, name) })
}

func register(function any, symbol uintptr) { purego.RegisterFunc(function, symbol) }
