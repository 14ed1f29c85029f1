package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/plan"
)

// affected lists the cases to run after the changes. When the configuration changed these are all cases; otherwise the
// cases of scripts that changed or that require a changed module, cases whose baseline changed, and new cases.
func (l *Loop) affected() []*plan.Case {
	changed := changeSet{changed: l.changed, results: map[string]bool{}}
	configChanged := func(arg string) bool { return filepath.Ext(arg) == ".toml" && changed.includeAny(arg) }
	if l.all || slices.ContainsFunc(l.arguments(), configChanged) {
		return l.cases
	}
	scripts := map[string]bool{}
	for _, r := range l.results {
		if changed.includeAny(r.Record.Required...) {
			scripts[filepath.FromSlash(r.Script)] = true
		}
	}
	for _, c := range l.cases {
		if changed.includeAny(c.Definition.Path()) || changed.includeAny(c.Definition.Declared.Required...) {
			scripts[c.Definition.Path()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(l.cases), func(c *plan.Case) bool {
		return l.results[c.ID] != nil && !scripts[c.Definition.Path()] &&
			(c.Baseline == "" || !changed.includeAny(c.Baseline))
	})
}

// changeSet finds the files that changes affect.
type changeSet struct {
	changed map[string]bool
	results map[string]bool // earlier results by file, because many cases depend on few files
}

// includeAny reports whether the changes affect one of the files.
func (s changeSet) includeAny(files ...string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		included, ok := s.results[file]
		if !ok {
			included = slices.ContainsFunc(realPaths(file), s.include)
			s.results[file] = included
		}
		return included
	})
}

func (s changeSet) include(path string) bool {
	for changed := range s.changed {
		if affects(changed, path) {
			return true
		}
	}
	return false
}

// affects reports whether a changed path affects a file: it is the file, a folder that contains it, or, when the file
// is a folder, a script in it.
func affects(changed, file string) bool {
	return changed == file || contains(changed, file) || contains(file, changed) && filepath.Ext(changed) == ".lua"
}

// contains reports whether a path is below a folder.
func contains(folder, path string) bool {
	separator := string(filepath.Separator)
	return strings.HasPrefix(path, strings.TrimSuffix(folder, separator)+separator)
}

// realPaths returns the paths at which a file can change: its own and, for a link, the target's.
func realPaths(path string) []string {
	list := []string{realPath(path)}
	if target, err := filepath.EvalSymlinks(list[0]); err == nil && target != list[0] {
		list = append(list, target)
	}
	return list
}

// realPath resolves the links in the folders of a path, as far as they exist.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil || path == filepath.Dir(path) {
		return path
	}
	folder := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	} else {
		folder = realPath(folder)
	}
	return filepath.Join(folder, filepath.Base(path))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
