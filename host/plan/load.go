package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/input"
	"roclua/luabind"
)

// LoadScenarios reads and describes the scripts of a configuration. A script that cannot be loaded is a scenario that
// is Broken. args are the arguments of scripts.
func LoadScenarios(ctx context.Context, cfg *config.Config, args []string) ([]*Scenario, error) {
	var list []*Scenario
	for _, s := range cfg.Scenarios {
		found, err := findScripts(cfg.Path(s.Script), s.Script, roots(cfg))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			source, err := input.File(f.path, input.Script)
			scenarios, err := loader{cfg, args, SearchPaths(cfg, f.path)}.load(ctx, f, source, err)
			if err != nil {
				return nil, err
			}
			if f.scenario != "" {
				if scenarios, err = named(scenarios, f.name+"/"+f.scenario, f.path); err != nil {
					return nil, err
				}
			}
			for _, sc := range scenarios {
				sc.Settings = s
			}
			list = append(list, scenarios...)
		}
	}
	return list, nil
}

// SearchPaths returns the folders that require searches for a script: its own, and those of the configuration.
func SearchPaths(cfg *config.Config, script string) []string {
	paths := []string{filepath.Dir(script)}
	for _, p := range cfg.Library {
		paths = append(paths, cfg.Path(p))
	}
	return paths
}

// roots lists the folders of scripts that the configuration names.
func roots(cfg *config.Config) []string {
	var list []string
	for _, s := range cfg.Scenarios {
		path := cfg.Path(s.Script)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			list = append(list, path)
		}
	}
	return list
}

// foundScript is a file with the name of its scenario. Of a file that returns a list it is one scenario, when that is
// not "".
type foundScript struct{ path, name, scenario string }

// nameOf is a script's path in the first of the folders that contains it, else its file's name; without .lua.
func nameOf(path string, roots []string) string {
	for _, root := range roots {
		if name, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(name, "..") {
			return filepath.ToSlash(strings.TrimSuffix(name, ".lua"))
		}
	}
	return strings.TrimSuffix(filepath.Base(path), ".lua")
}

// findScripts lists a file, or every .lua file below a folder, sorted by name.
func findScripts(path, script string, roots []string) ([]foundScript, error) {
	path, scenario := SplitScenario(path)
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: script %q: %w", script, err)
	}
	if !info.IsDir() {
		return []foundScript{{path, nameOf(path, roots), scenario}}, nil
	}
	var list []foundScript
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(p) == ".lua" {
			list = append(list, foundScript{p, nameOf(p, []string{path}), ""})
		}
		return err
	})
	return list, err
}

// describeTimeout bounds the top level of a script, which declares the scenario.
const describeTimeout = 2 * time.Second

// loader describes scripts.
type loader struct {
	config  *config.Config
	args    []string // arguments of scripts
	folders []string // folders that require searches
}

// load returns the scenarios of a file: those that its top level declares, or one that is broken. unread is the error
// of reading the file. load fails only if ctx ends.
func (l loader) load(ctx context.Context, f foundScript, source []byte, unread error) ([]*Scenario, error) {
	file := filepath.ToSlash(f.path)
	declared, err := []*luabind.Scenario{{}}, unread
	if unread != nil {
		err, source = fmt.Errorf("cannot read the script: %w", unread), nil
	} else {
		declared, err = l.describe(ctx, file, source)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		declared[0].Plain = true
	}
	var list []*Scenario
	for _, d := range declared {
		sc := &Scenario{Name: f.name, File: file, Source: source, Declared: d, SearchPaths: l.folders, Broken: err}
		if d.Name != "" {
			sc.Name += "/" + d.Name
		}
		list = append(list, sc)
	}
	return list, nil
}

// describe compiles a file and runs its top level. With an error it returns one scenario that has only the required
// files.
func (l loader) describe(ctx context.Context, file string, source []byte) ([]*luabind.Scenario, error) {
	script, err := luabind.Compile(file, source)
	if err != nil {
		return []*luabind.Scenario{{}}, err
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	return script.Describe(ctx, luabind.Options{LibraryPaths: l.folders, Sandbox: l.config.Sandbox, Args: l.args,
		Env: l.config.Env, Limits: l.config.Limits.Bounds()})
}

// LoadErrors returns the errors of the scripts that cannot be loaded, as one error; nil if there are none.
func LoadErrors(cases []*Case) error {
	var list []error
	seen := map[*Scenario]bool{}
	for _, c := range cases {
		if err := c.Definition.Broken; err != nil && !seen[c.Definition] {
			seen[c.Definition] = true
			list = append(list, err)
		}
	}
	if list == nil {
		return nil
	}
	return exit.With(exit.Script, errors.Join(list...))
}
