//go:build !js

package record

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/internal/ccompile"
)

// Ship compiles the libraries to lib/roclua of a folder. It returns an error if they need a C library that is not old
// enough for an archive.
func Ship(ctx context.Context, folder string) error {
	recorder, audit := Libraries()
	for _, l := range []ccompile.Library{recorder, audit} {
		path, err := l.Path(ctx)
		if err == nil {
			err = loadsAnywhere(path)
		}
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, below(l))
		err = errors.Join(os.MkdirAll(to, 0o755), os.WriteFile(filepath.Join(to, l.Name), text, 0o755))
		if err != nil {
			return err
		}
	}
	return nil
}

// oldest is the minor version of the oldest GNU C library, 2.28 of 2018, with which the shipped libraries work.
const oldest = 28

// loadsAnywhere checks that a library needs nothing but an old C library.
func loadsAnywhere(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	imports, err := f.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, s := range imports {
		minor, optional := 0, s.Name == "__gmon_start__" || strings.HasPrefix(s.Name, "_ITM_")
		fmt.Sscanf(s.Version, "GLIBC_2.%d", &minor)
		if minor > oldest || s.Version == "" && !optional {
			return fmt.Errorf("%s needs %s of %q, want glibc 2.%d or older", path, s.Name, s.Version, oldest)
		}
	}
	needed, err := f.ImportedLibraries()
	if err == nil && len(needed) > 0 && !slices.Equal(needed, []string{"libc.so.6"}) {
		return fmt.Errorf("%s needs %q, want nothing but libc.so.6", path, needed)
	}
	return err
}
