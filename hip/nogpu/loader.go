//go:build !js

package nogpu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// object is a program or a library whose libraries are searched as the loader does.
type object struct {
	path           string
	rpath, runpath []string // folders of DT_RPATH, also of the loading object's, and of DT_RUNPATH
}

// readPaths reads the folders that an object names. DT_RUNPATH makes the loader ignore DT_RPATH.
func (o *object) readPaths(f *elf.File) {
	own := o.folders(f, elf.DT_RPATH)
	if o.runpath = o.folders(f, elf.DT_RUNPATH); len(o.runpath) > 0 {
		own = nil
	}
	o.rpath = append(own, o.rpath...)
}

// folders returns the folders of a field, with $ORIGIN replaced.
func (o *object) folders(f *elf.File, tag elf.DynTag) []string {
	values, _ := f.DynString(tag)
	origin := filepath.Dir(o.path)
	if path, err := filepath.EvalSymlinks(o.path); err == nil {
		origin = filepath.Dir(path)
	}
	text := strings.NewReplacer("$ORIGIN", origin, "${ORIGIN}", origin).Replace(strings.Join(values, ":"))
	return split(text)
}

// split splits a list of folders as the loader does, also at semicolons.
func split(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ':' || c == ';' })
}

// find returns the path of a library that the object needs; "" if there is none.
func (o *object) find(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	var folders []string
	if len(o.runpath) == 0 {
		folders = append(folders, o.rpath...)
	}
	folders = append(folders, split(os.Getenv("LD_LIBRARY_PATH"))...)
	folders = append(folders, o.runpath...)
	for _, folder := range folders {
		if path := filepath.Join(folder, name); exists(path) {
			return path
		}
	}
	return Find(name)
}

// Find returns the path of the first library of several names that the loader finds without the help of an object. A
// name with a folder is a path. It returns "" if there is none.
func Find(names ...string) string {
	folders := split(os.Getenv("LD_LIBRARY_PATH"))
	for _, name := range names {
		if strings.Contains(name, "/") {
			if exists(name) {
				return name
			}
			continue
		}
		for _, folder := range folders {
			if path := filepath.Join(folder, name); exists(path) {
				return path
			}
		}
		if path := cached()[name]; exists(path) {
			return path
		}
		for _, folder := range []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib"} {
			if path := filepath.Join(folder, name); exists(path) {
				return path
			}
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

// cached returns the paths of libraries in the loader's cache, by name.
var cached = sync.OnceValue(func() map[string]string {
	data, _ := os.ReadFile("/etc/ld.so.cache")
	return readCache(data)
})

// The format of the cache since glibc 2.2: a header of 48 bytes, which can follow an older table, and entries of 24
// bytes with the offsets of a name and of a path from the header.
const (
	cacheMagic  = "glibc-ld.so.cache1.1"
	cacheHeader = 48
	cacheEntry  = 24
)

func readCache(data []byte) map[string]string {
	at := bytes.Index(data, []byte(cacheMagic))
	if at < 0 || len(data) < at+cacheHeader {
		return nil
	}
	data = data[at:]
	count := int(binary.NativeEndian.Uint32(data[len(cacheMagic):]))
	paths := map[string]string{}
	for i := 0; i < count && cacheHeader+(i+1)*cacheEntry <= len(data); i++ {
		entry := data[cacheHeader+i*cacheEntry:]
		name, path := textAt(data, entry[4:]), textAt(data, entry[8:])
		if _, ok := paths[name]; !ok && isNative(path) {
			paths[name] = path
		}
	}
	return paths
}

// isNative reports whether a path is not one of another processor: 32-bit libraries of the same name are in the cache.
func isNative(path string) bool {
	return !strings.Contains(path, "i386-linux-gnu") && !strings.HasPrefix(path, "/lib32/") &&
		!strings.HasPrefix(path, "/usr/lib32/") && !strings.HasPrefix(path, "/libx32/")
}

// textAt returns the text that ends with a zero byte at the offset that begins a field.
func textAt(data, field []byte) string {
	offset := int(binary.NativeEndian.Uint32(field))
	if offset >= len(data) {
		return ""
	}
	text, _, _ := bytes.Cut(data[offset:], []byte{0})
	return string(text)
}
