package record

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"roclua/hip/routine"
	"roclua/internal/ccompile"
)

// isRoutine reports whether a function is a routine of rocBLAS or rocSOLVER.
func isRoutine(name string) bool {
	_, ok := routine.Lookup(name)
	return ok
}

// Folder returns the folder of a compiled library below the folder of the program in an archive. It depends on the
// source, so that a program never uses the library of another release.
func Folder(l ccompile.Library) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		fmt.Fprintf(h, "%q %q", name, l.Files[name])
	}
	return filepath.Join("lib", "roclua", fmt.Sprintf("%x", h.Sum(nil)[:8]))
}

// Shipped returns the path of a library that came with the program; "" if it did not.
func Shipped(l ccompile.Library) string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return ""
	}
	path := filepath.Join(filepath.Dir(program), Folder(l), l.Name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
