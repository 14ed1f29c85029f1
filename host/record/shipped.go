package record

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"roclua/internal/ccompile"
)

// below returns the folder of a compiled library in an archive, relative to the folder of the program or to the one
// above. It depends on the source, so that a program never uses the library of another release.
func below(l ccompile.Library) string {
	sum := sha256.Sum256(fmt.Append(nil, l.Files)) // in the order of their names
	return filepath.Join("lib", "roclua", fmt.Sprintf("%x", sum[:8]))
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
