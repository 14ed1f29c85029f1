//go:build !js

package nogpu

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// machines are the processors by GOARCH: the loader, and the name in its cache, which has libraries of others, too.
var machines = map[string]struct{ loader, name string }{
	"amd64": {"/lib64/ld-linux-x86-64.so.2", "x86-64"}, "arm64": {"/lib/ld-linux-aarch64.so.1", "AArch64"},
}

// loaded is a library that the loader loads with a program.
type loaded struct{ name, path string } // the path is "" if it is missing

// libraries returns the libraries that the loader loads with a program or a library that needs some, nearest first.
func libraries(object string) []loaded {
	list := exec.Command(machines[runtime.GOARCH].loader, object)
	list.Env = append(os.Environ(), "LD_TRACE_LOADED_OBJECTS=1") // as ldd does
	out, _ := list.Output()
	var all []loaded
	for line := range strings.Lines(string(out)) {
		if name, path, ok := strings.Cut(strings.TrimSpace(line), " => "); ok {
			path, _, _ = strings.Cut(path, " (")
			all = append(all, loaded{name, strings.TrimPrefix(path, "not found")})
		}
	}
	return all
}

// Find returns the path of the first library of several names that the loader finds without the help of an object. A
// name with a folder is a path. It returns "" if there is none.
func Find(names ...string) string {
	folders := strings.FieldsFunc(os.Getenv("LD_LIBRARY_PATH"), func(c rune) bool { return c == ':' || c == ';' })
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

// cached returns the paths of libraries in the loader's cache, by name. A line of ldconfig is
// "libc.so.6 (libc6,x86-64) => /lib/x86_64-linux-gnu/libc.so.6".
var cached = sync.OnceValue(func() map[string]string {
	out, _ := exec.Command("/sbin/ldconfig", "-p").Output()
	paths := map[string]string{}
	for line := range strings.Lines(string(out)) {
		entry, path, _ := strings.Cut(strings.TrimSpace(line), " => ")
		name, kind, _ := strings.Cut(entry, " (")
		if _, ok := paths[name]; !ok && strings.Contains(kind, machines[runtime.GOARCH].name) {
			paths[name] = path
		}
	}
	return paths
})
