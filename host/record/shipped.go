package record

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"roclua/internal/ccompile"
)

// below returns the folder of a compiled library in an archive, relative to the folder of the program or to the one
// above. It depends on the source, so that a program never uses the library of another release.
func below(l ccompile.Library) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		fmt.Fprintf(h, "%q %q", name, l.Files[name])
	}
	return filepath.Join("lib", "roclua", fmt.Sprintf("%x", h.Sum(nil)[:8]))
}

// shipped returns the path of a library that came with the program; "" if it did not.
func shipped(program string, l ccompile.Library) string {
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	for _, folder := range []string{filepath.Dir(program), filepath.Dir(filepath.Dir(program))} {
		path := filepath.Join(folder, below(l), l.Name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}
