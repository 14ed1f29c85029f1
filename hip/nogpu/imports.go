//go:build !js

package nogpu

import (
	"cmp"
	"debug/elf"
	"regexp"
	"slices"
	"strings"
)

// imported returns the major version of HIP that programs and libraries need, and the functions of it: those that they
// and the libraries loaded with them import, and all that the installed HIP has, because a program can start others. If
// they need several versions, it is the first one. It ignores files that are not ELF files, such as scripts, and
// libraries that are missing: the loader reports them.
func imported(objects []string) (release string, list []symbol) {
	var all []elf.ImportedSymbol
	seen := map[string]bool{}
	read := func(path string) (dynamic bool) {
		f, err := elf.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		if symbols, _ := f.ImportedSymbols(); !seen[path] {
			all, seen[path] = append(all, symbols...), true
		}
		needed, _ := f.DynString(elf.DT_NEEDED)
		return needed != nil
	}
	for _, object := range objects {
		if !read(object) {
			continue
		}
		for _, l := range libraries(object) {
			version, ok := strings.CutPrefix(l.name, soname+".")
			if ok && release == "" {
				release, list = version, installed(l.path)
			}
			if !ok {
				read(l.path)
			}
		}
	}
	for _, s := range all {
		if s.Library == soname+"."+release {
			list = append(list, symbol{s.Name, s.Version})
		} else if s.Library == "" && unversioned.MatchString(s.Name) {
			list = append(list, symbol{s.Name, firstVersion})
		}
	}
	slices.SortFunc(list, func(a, b symbol) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.version, b.version))
	})
	return release, slices.CompactFunc(list, func(a, b symbol) bool { return a.name == b.name })
}

// installed returns the functions of an installed HIP.
func installed(path string) (list []symbol) {
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	symbols, _ := f.DynamicSymbols()
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC && strings.HasPrefix(s.Version, "hip_") {
			list = append(list, symbol{s.Name, s.Version})
		}
	}
	return list
}

// An import without a version is a function of HIP if its name says so. Any version satisfies it.
var unversioned = regexp.MustCompile(`^(__)?hip[A-Z]`)

const firstVersion = "hip_4.2"
