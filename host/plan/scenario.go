package plan

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/luabind"
)

// Scenario is a script with what it declares and how it is run.
type Scenario struct {
	Name        string // "query/minimum_size"
	Script      *luabind.Script
	Declared    *luabind.Scenario
	Settings    config.Scenario
	SearchPaths []string // folders that require searches
}

// Tags returns the tags of the script and those of the configuration.
func (sc *Scenario) Tags() []string { return slices.Concat(sc.Declared.Tags, sc.Settings.Tags) }

// Path returns the scenario's file.
func (sc *Scenario) Path() string { return filepath.FromSlash(sc.Script.Name) }

// Names lists the names of scenarios, sorted.
func Names(list []*Scenario) []string {
	var names []string
	for _, sc := range list {
		names = append(names, sc.Name)
	}
	slices.Sort(names)
	return names
}

// LoadScenarios compiles and describes the scripts of a configuration.
func LoadScenarios(ctx context.Context, cfg *config.Config) ([]*Scenario, error) {
	var list []*Scenario
	for _, s := range cfg.Scenarios {
		found, err := findScripts(cfg.Path(s.Script), s.Script, roots(cfg))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			scenarios, err := loadScenarios(ctx, cfg, f, nil, SearchPaths(cfg, f.path))
			if err == nil && f.scenario != "" {
				scenarios, err = named(scenarios, f.name+"/"+f.scenario, f.path)
			}
			if err != nil {
				return nil, err
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

// loadScenarios compiles a file, or source when it is not nil, and runs its top level, which declares its scenarios.
// require searches folders.
func loadScenarios(ctx context.Context, cfg *config.Config, f foundScript, source []byte,
	folders []string) ([]*Scenario, error) {
	if source == nil {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return nil, fmt.Errorf("cannot read the script: %w", err)
		}
		source = text
	}
	script, err := luabind.Compile(filepath.ToSlash(f.path), source)
	if err != nil {
		return nil, exit.With(exit.Script, err)
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	declared, err := script.Describe(ctx, luabind.Options{LibraryPaths: folders, Sandbox: cfg.Sandbox,
		Limits: cfg.Limits.Bounds()})
	if err != nil {
		return nil, exit.With(exit.Script, &LoadError{err, declared[0].Required})
	}
	var list []*Scenario
	for _, d := range declared {
		sc := &Scenario{Name: f.name, Script: script, Declared: d, SearchPaths: folders}
		if d.Name != "" {
			sc.Name += "/" + d.Name
		}
		list = append(list, sc)
	}
	return list, nil
}

// LoadError is an error in the top level of a script.
type LoadError struct {
	error
	Required []string // files in which the script looked for modules
}

// Unwrap returns the error that the script raised.
func (e *LoadError) Unwrap() error { return e.error }

// schemes returns the schemes to run under: what the settings choose of those that the scenario has. A scenario that
// opens its own handles has none.
func (sc *Scenario) schemes() ([]string, error) {
	have := sc.Declared.Schemes
	if len(have) == 0 && sc.Settings.Bytes != 0 {
		return nil, fmt.Errorf("scenario %s: bytes has no effect, because it opens its own handles", sc.Name)
	}
	if len(sc.Settings.Schemes) == 0 {
		if len(have) == 0 {
			return []string{""}, nil
		}
		return have, nil
	}
	for _, s := range sc.Settings.Schemes {
		if !slices.Contains(have, s) {
			return nil, fmt.Errorf("scenario %s: scheme %s is not one of its schemes (%s)", sc.Name, s,
				cmp.Or(strings.Join(have, ", "), "it opens its own handles"))
		}
	}
	return sc.Settings.Schemes, nil
}

// baselineFile is the file that keeps the values of a scenario: the configured file, or one named after the scenario
// in the configured folder; "" for none.
func (sc *Scenario) baselineFile(cfg *config.Config) string {
	path := cmp.Or(sc.Settings.Baseline, cfg.Baseline)
	if path == "" {
		return ""
	}
	if filepath.Ext(path) != ".toml" {
		path = filepath.Join(path, filepath.FromSlash(sc.Name)+".toml")
	}
	return cfg.Path(path)
}

// tolerances are those of the scenario, and those of the whole run for other values.
func (sc *Scenario) tolerances(cfg *config.Config) (baseline.Tolerances, error) {
	all := baseline.Tolerances{}
	for _, texts := range []map[string]string{cfg.Tolerance, sc.Settings.Tolerance} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			t, err := baseline.ParseTolerance(texts[name])
			if err != nil {
				return nil, fmt.Errorf("tolerance: %s: %w", name, err)
			}
			all[name] = t
		}
	}
	return all, nil
}

func (sc *Scenario) hasParam(name string) bool {
	return slices.ContainsFunc(sc.Declared.Params, func(p luabind.Param) bool { return p.Name == name })
}

// hasAxis reports whether an axis of the name can vary something: a parameter of the scenario, or a key of faults.
func (sc *Scenario) hasAxis(name string) bool { return sc.hasParam(name) || config.IsFaultAxis(name) }

// isNumber reports whether a parameter's default is a number, as the keys of faults are.
func (sc *Scenario) isNumber(name string) bool {
	return config.IsFaultAxis(name) || slices.ContainsFunc(sc.Declared.Params, func(p luabind.Param) bool {
		_, number := p.Value.(float64)
		return p.Name == name && number
	})
}
