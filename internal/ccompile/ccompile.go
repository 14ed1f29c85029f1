// Package ccompile compiles C source that is embedded in the program. The system's compiler makes a shared library at
// its first use, in a cache of the user:
//
//	path, err := ccompile.Library{
//		Name:  "libamdhip64.so.7",
//		Files: map[string]string{"hip.c": source},
//		Args:  []string{"-O2", "hip.c", "-lpthread"},
//	}.Path(ctx)
//
// A program that loads a library runs its code, so the cache must belong to the user: if another user can write to it,
// Path returns an error.
package ccompile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Library is the source of a shared library.
type Library struct {
	Name  string            // file name of the library
	Links []string          // other names for it in its folder
	Files map[string]string // text of the source files, by name
	Args  []string          // of the compiler, after those that make a shared library; Files are in its working folder
}

// Compiler is the command that compiles.
const Compiler = "cc"

// Path returns the path of the library and compiles it if the cache does not have it. The folder of the path contains
// nothing else that a loader uses. Every error means that the library is not available, and names the remedy.
func (l Library) Path(ctx context.Context) (string, error) {
	cache, err := openCache()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, l.key())
	path := filepath.Join(folder, l.Name)
	if _, err := os.Lstat(path); err == nil {
		return path, errors.Join(checkPrivate(folder), checkPrivate(path))
	}
	removeAbandoned(cache)
	temporary, err := os.MkdirTemp(cache, temporaryPrefix)
	if err != nil {
		return "", unusable(cache, err)
	}
	defer os.RemoveAll(temporary) // after the rename there is nothing to remove
	if err := l.compile(ctx, temporary); err != nil {
		return "", err
	}
	err = os.Rename(temporary, folder)
	if _, e := os.Lstat(path); err != nil && e == nil { // another process was faster
		err = errors.Join(checkPrivate(folder), checkPrivate(path))
	}
	if err != nil {
		return "", unusable(cache, err)
	}
	return path, nil
}

// key is a hash of everything that the library depends on. Machines that share a home folder can differ in processor
// and C library.
func (l Library) key() string {
	h := sha256.New()
	system, _ := os.ReadFile("/etc/os-release")
	fmt.Fprintf(h, "%s %q %q %q %q", runtime.GOARCH, system, l.Name, l.Links, l.Args)
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		fmt.Fprintf(h, "%q %q", name, l.Files[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// compile writes the sources and the library to a folder.
func (l Library) compile(ctx context.Context, folder string) error {
	compiler, err := exec.LookPath(Compiler)
	if err != nil {
		return fmt.Errorf("%s must be compiled at its first use, and there is no C compiler: %w; install one, such as "+
			"the package gcc", l.Name, err)
	}
	for name, text := range l.Files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return unusable(folder, err)
		}
	}
	c := exec.CommandContext(ctx, compiler, append([]string{"-shared", "-fPIC", "-o", l.Name}, l.Args...)...)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s does not compile %s: %w\n%s\nto do: install a complete C compiler with the headers of "+
			"the C library, such as the packages gcc and libc6-dev", compiler, l.Name, err, excerpt(out))
	}
	for _, link := range l.Links {
		if err := os.Symlink(l.Name, filepath.Join(folder, link)); err != nil {
			return unusable(folder, err)
		}
	}
	return finish(filepath.Join(folder, l.Name))
}

// excerpt returns the first lines of the compiler's messages.
func excerpt(out []byte) string {
	const most = 10
	lines := strings.SplitN(strings.TrimSpace(string(out)), "\n", most+1)
	return strings.Join(lines[:min(len(lines), most)], "\n")
}

// finish makes a file permanent before it gets its name. It cannot be changed afterwards.
func finish(path string) error {
	if err := os.Chmod(path, 0o500); err != nil {
		return unusable(path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return unusable(path, err)
	}
	defer f.Close()
	return f.Sync()
}

// Folders of unfinished compilations start with temporaryPrefix. One that was killed leaves its folder.
const (
	temporaryPrefix = "unfinished-"
	abandonedAfter  = time.Hour
)

func removeAbandoned(cache string) {
	list, _ := filepath.Glob(filepath.Join(cache, temporaryPrefix+"*"))
	for _, folder := range list {
		if info, err := os.Lstat(folder); err == nil && time.Since(info.ModTime()) > abandonedAfter {
			os.RemoveAll(folder)
		}
	}
}

// openCache returns the folder of compiled libraries, and creates it if it does not exist.
func openCache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for compiled libraries: %w; %s", err, advice)
	}
	cache := filepath.Join(base, "roclua", "compiled")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", unusable(cache, err)
	}
	cache, err = filepath.EvalSymlinks(cache)
	if err != nil {
		return "", unusable(base, err)
	}
	for folder := cache; ; folder = filepath.Dir(folder) {
		if err := checkPrivate(folder); err != nil {
			return "", err
		}
		if folder == filepath.Dir(folder) {
			return cache, nil
		}
	}
}

const advice = "set XDG_CACHE_HOME to a folder that only you can write"

func unusable(path string, err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		path, err = inPath.Path, inPath.Err
	}
	return fmt.Errorf("the folder for compiled libraries cannot be used: %s: %w; %s", path, err, advice)
}
