package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/luabind/record"
	"roclua/workspace"
)

// Scenario is a script with its declarations and settings.
type Scenario struct {
	Name        string // "query/minimum_size"
	File        string // the script's path as messages show it, with slashes
	Source      []byte // text of the script; nil if it cannot be read
	Declared    *record.Scenario
	Settings    config.Scenario
	SearchPaths []string // folders that require searches

	key  string            // of the settings in the configuration: "scenario[0]"; "" for none
	axes map[string]string // the flags --axis that replaced axes of the settings, by parameters

	// Broken is why the script cannot be loaded: it cannot be read or compiled, its top level raises an error, or it
	// declares an invalid scenario. The scenario is then a plain script, with a case on each target that fails.
	Broken *record.End

	// Limited is the limit that the top level reached before it declared anything. Its cases may have more time: it
	// runs as a plain script.
	Limited *record.End
}

// Tags returns the tags that the script and the configuration set.
func (sc *Scenario) Tags() []string { return slices.Concat(sc.Declared.Tags, sc.Settings.Tags) }

// Path returns the scenario's file.
func (sc *Scenario) Path() string { return filepath.FromSlash(sc.File) }

// LoadError returns why the script cannot be loaded; nil if it can.
func (sc *Scenario) LoadError() *record.End { return cmp.Or(sc.Broken, sc.Limited) }

// ErrorText returns why the script cannot be loaded; "" if it can.
func (sc *Scenario) ErrorText() string {
	if sc.LoadError() == nil {
		return ""
	}
	return sc.LoadError().String()
}

// settingError is an error about a setting of a scenario.
type settingError struct {
	key   string // in the settings: "matrix.n"
	ofRun bool   // the key is one of the whole run: "params.n"
	err   error
}

func (e *settingError) Error() string { return e.err.Error() }
func (e *settingError) Unwrap() error { return e.err }

// locate adds to an error about a setting where its value comes from.
func (sc *Scenario) locate(cfg *config.Config, err error) error {
	var wrong *settingError
	if !errors.As(err, &wrong) {
		return err
	}
	axis, isAxis := strings.CutPrefix(wrong.key, "matrix.")
	axis, _, _ = strings.Cut(axis, "[")
	switch flag := sc.axes[axis]; {
	case wrong.ofRun:
		return cfg.At(wrong.key, err)
	case isAxis && flag != "":
		return fmt.Errorf("%s: %w", flag, err)
	case sc.key == "":
		return err
	}
	return cfg.At(sc.key+"."+wrong.key, err)
}

// checkTolerances parses the tolerances of the whole run and of the scenario. If its script cannot be loaded, they
// are not used.
func (sc *Scenario) checkTolerances(cfg *config.Config) error {
	if sc.Broken != nil {
		return nil
	}
	for _, of := range []struct {
		ofRun bool
		texts map[string]string
	}{{true, cfg.Tolerance}, {false, sc.Settings.Tolerance}} {
		for _, name := range slices.Sorted(maps.Keys(of.texts)) {
			if _, err := baseline.ParseTolerance(of.texts[name]); err != nil {
				key := "tolerance." + name
				return &settingError{key: key, ofRun: of.ofRun, err: fmt.Errorf("tolerance: %s: %w", name, err)}
			}
		}
	}
	return nil
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

// schemes returns the schemes to run under: the chosen ones, or all that the scenario has. A scenario that
// opens its own handles has none.
func (sc *Scenario) schemes() ([]string, error) {
	have, without := sc.Declared.Schemes, "it opens its own handles"
	if sc.Declared.Recording {
		without = "its handles have the memory that the program set"
	}
	if sc.Settings.Bytes != 0 && (len(have) == 0 || sc.Declared.Recording && len(sc.Settings.Schemes) == 0) {
		return nil, &settingError{key: "bytes",
			err: fmt.Errorf("scenario %s: bytes has no effect, because %s", sc.Name, without)}
	}
	if len(sc.Settings.Schemes) == 0 {
		if len(have) == 0 {
			return []string{""}, nil
		}
		return have, nil
	}
	if sc.Declared.Recording {
		have = slices.Concat(have, workspace.Schemes)
	}
	for i, s := range sc.Settings.Schemes {
		if !slices.Contains(have, s) {
			return nil, &settingError{key: fmt.Sprintf("schemes[%d]", i),
				err: fmt.Errorf("scenario %s: scheme %s is not one of its schemes (%s)", sc.Name, s,
					cmp.Or(strings.Join(have, ", "), without))}
		}
	}
	return sc.Settings.Schemes, nil
}

// baselineFile is the file that keeps the values of a scenario: the configured file, or one named after the scenario
// in the configured folder, which is "" for a file; both are "" for none.
func (sc *Scenario) baselineFile(cfg *config.Config) (folder, file string) {
	path := cmp.Or(sc.Settings.Baseline, cfg.Baseline)
	switch {
	case path == "":
		return "", ""
	case filepath.Ext(path) == ".toml":
		return "", cfg.Path(path)
	}
	return cfg.Path(path), cfg.Path(filepath.Join(path, filepath.FromSlash(sc.Name)+".toml"))
}

func (sc *Scenario) hasParam(name string) bool {
	return slices.ContainsFunc(sc.Declared.Params, func(p record.Param) bool { return p.Name == name })
}

// hasAxis reports whether an axis of the name can vary something: a parameter of the scenario, or a key of faults.
func (sc *Scenario) hasAxis(name string) bool { return sc.hasParam(name) || config.IsFaultAxis(name) }

// isNumber reports whether a parameter's default is a number, as the keys of faults are.
func (sc *Scenario) isNumber(name string) bool {
	return config.IsFaultAxis(name) || slices.ContainsFunc(sc.Declared.Params, func(p record.Param) bool {
		_, number := p.Value.(float64)
		return p.Name == name && number
	})
}
