package watch

import (
	"io/fs"
	"os"
	"path/filepath"

	"roclua/host/config"
	"roclua/host/plan"
)

// sources are the files that a run depends on, by their absolute paths.
type sources struct {
	files    map[string]bool   // may include files that do not exist
	folders  map[string]bool   // whose scripts all belong to the run
	absolute map[string]string // by the path in a script or a configuration, because many cases have the same
}

// find collects the known files of the arguments, the configuration, the plan and the last run.
func (l *Loop) find() {
	l.sources = sources{map[string]bool{}, map[string]bool{}, map[string]string{}}
	for _, arg := range l.arguments() {
		l.add(arg)
		if filepath.Ext(arg) != ".toml" {
			continue
		}
		if cfg, err := config.Load(arg); err == nil {
			for _, scenario := range cfg.Scenarios {
				path, _ := plan.SplitScenario(cfg.Path(scenario.File()))
				l.add(path)
			}
		}
	}
	for _, c := range l.cases {
		l.add(c.Definition.Path())
		if c.Baseline != "" {
			l.add(c.Baseline)
		}
		l.add(c.Definition.Declared.Required...)
	}
	for _, r := range l.results {
		l.add(r.Record.Required...)
	}
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

// add adds files, and folders with all scripts in them.
func (s *sources) add(paths ...string) {
	for _, path := range paths {
		if _, known := s.absolute[path]; known {
			continue
		}
		if absolute := s.path(path); isFolder(path) {
			s.folders[absolute] = true
		} else {
			s.files[absolute] = true
		}
	}
}

func (s *sources) path(path string) string {
	absolute, known := s.absolute[path]
	if !known {
		absolute, _ = filepath.Abs(path)
		s.absolute[path] = absolute
	}
	return absolute
}

// state describes the files as they are; nil is a file that does not exist. Links are followed.
func (s *sources) state() map[string]fs.FileInfo {
	state := map[string]fs.FileInfo{}
	for file := range s.files {
		state[file], _ = os.Stat(file)
	}
	for root := range s.folders {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && path != root && plan.IsModule(d.Name()):
				return fs.SkipDir
			case !d.IsDir() && filepath.Ext(path) == ".lua":
				state[path], _ = os.Stat(path)
			}
			return nil
		})
	}
	return state
}

// isSame reports whether a file is as before: it was not written, replaced, created or removed.
func isSame(before, now fs.FileInfo) bool {
	if before == nil || now == nil {
		return before == nil && now == nil
	}
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
