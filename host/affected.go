package host

import (
	"maps"
	"os"
	"path/filepath"
	"roclua/host/config"
	"roclua/host/plan"
	"slices"
	"strings"
)

// Which files a run depends on, and which cases on a file that changed. Paths are absolute, and links in the folders that
// lead to them are followed, for so they are told when they change.

// places are the files that a run depends on.
type places struct {
	files   map[string]bool // also some that are not there, or not yet
	folders map[string]bool // every script below them is one of the run's
	added   map[string]bool // as they were named
}

// places collects what is known by now: of the arguments, the configuration, the plan and what ran.
func (v *vigil) places() *places {
	p := &places{files: map[string]bool{}, folders: map[string]bool{}, added: map[string]bool{}}
	for _, path := range v.wanting {
		p.add(path)
	}
	for _, arg := range v.arguments() {
		p.add(arg)
		if filepath.Ext(arg) != ".toml" {
			continue
		}
		if cfg, err := config.Load(arg); err == nil {
			p.addScripts(cfg)
		}
	}
	for _, c := range v.cases {
		p.add(c.Definition.Path())
		if c.Baseline != "" {
			p.add(c.Baseline)
		}
		for _, path := range c.Definition.Declared.Required {
			p.add(path)
		}
	}
	for _, r := range v.last {
		for _, path := range r.Record.Required {
			p.add(path)
		}
	}
	return p
}

// arguments are the files that the command line names: scripts, and configurations.
func (v *vigil) arguments() []string {
	var list []string
	for _, name := range v.names {
		if ext := filepath.Ext(name); ext != ".lua" && ext != ".toml" || plan.IsCaseID(name) {
			name = config.DefaultFile
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		list = []string{config.DefaultFile}
	}
	return list
}

// addScripts adds the scripts that a configuration names, and the folders of them.
func (p *places) addScripts(cfg *config.Config) {
	for _, s := range cfg.Scenarios {
		path := cfg.Path(s.Script)
		p.add(path)
		if isFolder(path) {
			p.folders[realPath(path)] = true
		}
	}
}

func (p *places) add(path string) {
	if p.added[path] {
		return
	}
	p.added[path] = true
	for _, path := range realPaths(path) {
		p.files[path] = true
	}
}

// toWatch lists the folders to watch: those of the files, or what is there of the way to them, and those of scripts.
func (p *places) toWatch() []string {
	list := map[string]bool{}
	for path := range p.files {
		folder := filepath.Dir(path)
		for !isFolder(folder) && folder != filepath.Dir(folder) {
			folder = filepath.Dir(folder)
		}
		list[folder] = true
		if isFolder(path) {
			list[path] = true
		}
	}
	for root := range p.folders {
		for _, folder := range foldersBelow(root) {
			list[folder] = true
		}
	}
	return slices.Sorted(maps.Keys(list))
}

// matter reports whether the run depends on what changed.
func (p *places) matter(changed string) bool {
	for file := range p.files {
		if touches(changed, file) {
			return true
		}
	}
	for root := range p.folders {
		if touches(changed, root) || within(root, changed) && isFolder(changed) {
			return true
		}
	}
	return false
}

// touches reports whether a change concerns a file: it is the file itself, a folder on the way to it, or, where a whole
// folder is depended on, a script in it.
func touches(changed, file string) bool {
	return changed == file || within(changed, file) || within(file, changed) && filepath.Ext(changed) == ".lua"
}

func within(folder, path string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// affected lists the cases that must run after the changes: all of them when the configuration changed; else those of the
// scripts that changed or required a module that did, those whose baseline changed, and those that are new.
func (v *vigil) affected() []*plan.Case {
	changed := hits{changed: v.changed, known: map[string]bool{}}
	if v.all || slices.ContainsFunc(v.arguments(), func(arg string) bool { return filepath.Ext(arg) == ".toml" && changed.any(arg) }) {
		return v.cases
	}
	scripts := map[string]bool{}
	for _, r := range v.last {
		if changed.any(r.Record.Required...) {
			scripts[filepath.FromSlash(r.Script)] = true
		}
	}
	for _, c := range v.cases {
		if changed.any(c.Definition.Path()) || changed.any(c.Definition.Declared.Required...) {
			scripts[c.Definition.Path()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(v.cases), func(c *plan.Case) bool {
		return v.last[c.ID] != nil && !scripts[c.Definition.Path()] && (c.Baseline == "" || !changed.any(c.Baseline))
	})
}

// hits tells which files the changes concern.
type hits struct {
	changed map[string]bool
	known   map[string]bool // the answers so far: many cases depend on few files
}

// any reports whether the changes concern one of the files.
func (h hits) any(files ...string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		hit, ok := h.known[file]
		if !ok {
			hit = slices.ContainsFunc(realPaths(file), h.one)
			h.known[file] = hit
		}
		return hit
	})
}

func (h hits) one(path string) bool {
	for changed := range h.changed {
		if touches(changed, path) {
			return true
		}
	}
	return false
}

// realPaths are the places where a file can change: where it is named and, when that is a link, where it is.
func realPaths(path string) []string {
	list := []string{realPath(path)}
	if target, err := filepath.EvalSymlinks(list[0]); err == nil && target != list[0] {
		list = append(list, target)
	}
	return list
}

// realPath follows the links in the folders that lead to a path, as far as they are there.
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
