package watch

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"roclua/host/config"
	"roclua/host/plan"
)

// sources are the files that a run depends on. Paths are absolute. Links in the folders of a path are resolved, because
// the system reports changes under the resolved path.
type sources struct {
	files   map[string]bool // may include files that do not exist
	scripts map[string]bool // folders whose scripts all belong to the run
	added   map[string]bool // files under the names with which they were added
}

// sources collects the known files of the arguments, the configuration, the plan and the last run.
func (l *Loop) sources() *sources {
	s := &sources{files: map[string]bool{}, scripts: map[string]bool{}, added: map[string]bool{}}
	for _, arg := range l.arguments() {
		s.add(arg)
		if isFolder(arg) {
			s.scripts[realPath(arg)] = true
		}
		if filepath.Ext(arg) != ".toml" {
			continue
		}
		if cfg, err := config.Load(arg); err == nil {
			s.addScripts(cfg)
		}
	}
	for _, c := range l.cases {
		s.add(c.Definition.Path())
		if c.Baseline != "" {
			s.add(c.Baseline)
		}
		for _, path := range c.Definition.Declared.Required {
			s.add(path)
		}
	}
	for _, r := range l.results {
		for _, path := range r.Record.Required {
			s.add(path)
		}
	}
	return s
}

// arguments returns the files that the arguments name: scripts, configurations, and folders of scripts.
func (l *Loop) arguments() []string {
	var list []string
	for _, name := range l.Names {
		name, _ = plan.SplitScenario(name)
		if isFolder(name) {
			list = append(list, name)
		}
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

// addScripts adds the scripts that a configuration names, and their folders.
func (s *sources) addScripts(cfg *config.Config) {
	for _, scenario := range cfg.Scenarios {
		path, _ := plan.SplitScenario(cfg.Path(scenario.File()))
		s.add(path)
		if isFolder(path) {
			s.scripts[realPath(path)] = true
		}
	}
}

func (s *sources) add(path string) {
	if s.added[path] {
		return
	}
	s.added[path] = true
	for _, path := range realPaths(path) {
		s.files[path] = true
	}
}

// folders lists the folders to watch: the folders of files, or the nearest that exist, and of scripts.
func (s *sources) folders() []string {
	list := map[string]bool{}
	for path := range s.files {
		folder := filepath.Dir(path)
		for !isFolder(folder) && folder != filepath.Dir(folder) {
			folder = filepath.Dir(folder)
		}
		list[folder] = true
		if isFolder(path) {
			list[path] = true
		}
	}
	for root := range s.scripts {
		for _, folder := range foldersBelow(root) {
			list[folder] = true
		}
	}
	return slices.Sorted(maps.Keys(list))
}

// foldersBelow lists a folder and all folders below it that can have scenarios.
func foldersBelow(root string) []string {
	var list []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
		case path != root && plan.IsModule(d.Name()):
			return fs.SkipDir
		default:
			list = append(list, path)
		}
		return nil
	})
	return list
}

// include reports whether the run depends on a changed file or folder.
func (s *sources) include(changed string) bool {
	for file := range s.files {
		if affects(changed, file) {
			return true
		}
	}
	for root := range s.scripts {
		if affects(changed, root) || contains(root, changed) && isFolder(changed) {
			return true
		}
	}
	return false
}
