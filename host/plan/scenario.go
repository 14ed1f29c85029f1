package plan

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/config"
	"roclua/luabind"
)

// Scenario is a script with what it declares and how it is run.
type Scenario struct {
	Name        string // "query/minimum_size"
	File        string // the script's path as messages show it, with slashes
	Source      []byte // text of the script; nil if it cannot be read
	Declared    *luabind.Scenario
	Settings    config.Scenario
	SearchPaths []string // folders that require searches

	// Broken is why the script cannot be loaded: it cannot be read or compiled, its top level raises an error, or it
	// declares an invalid scenario. The scenario is then a plain script, with a case on each target that fails.
	Broken *luabind.End
}

// Tags returns the tags of the script and those of the configuration.
func (sc *Scenario) Tags() []string { return slices.Concat(sc.Declared.Tags, sc.Settings.Tags) }

// Path returns the scenario's file.
func (sc *Scenario) Path() string { return filepath.FromSlash(sc.File) }

// ErrorText returns why the script cannot be loaded; "" if it can.
func (sc *Scenario) ErrorText() string {
	if sc.Broken == nil {
		return ""
	}
	return sc.Broken.String()
}

// Names lists the names of scenarios, sorted.
func Names(list []*Scenario) []string {
	var names []string
	for _, sc := range list {
		names = append(names, sc.Name)
	}
	slices.Sort(names)
	return names
}

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
