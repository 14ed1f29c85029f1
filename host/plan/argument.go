package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/recording"
	"roclua/input"
	"roclua/internal/nearest"
)

// load turns one argument into a configuration and its scenarios: standard input, a script, a configuration, one
// scenario of a script, scenarios of config.DefaultFile by their name or folder, or a folder of scripts.
func (s *Selection) load(ctx context.Context, in Input, arg string) (*config.Config, []*Scenario, error) {
	file, name := SplitScenario(arg)
	switch {
	case arg == "-":
		source, err := input.Stream(ctx, in.Stdin, "standard input", input.Script)
		if err != nil {
			return nil, nil, err
		}
		return s.loadScript(ctx, in, "stdin", ".", source)
	case name != "":
		cfg, scenarios, err := s.loadScriptFile(ctx, in, file)
		if err != nil {
			return nil, nil, err
		}
		found, err := named(scenarios, strings.TrimSuffix(filepath.Base(file), ".lua")+"/"+name, file)
		return cfg, found, err
	case filepath.Ext(arg) == ".lua":
		return s.loadScriptFile(ctx, in, arg)
	case filepath.Ext(arg) == ".toml":
		return s.loadFile(ctx, in, arg)
	case recording.IsFile(arg):
		return s.loadRecording(in, arg)
	}
	return s.loadName(ctx, in, arg)
}

// isFile reports whether an argument is a file or a folder, and not the name of a scenario.
func isFile(arg string) bool {
	file, _ := SplitScenario(arg)
	info, err := os.Stat(file)
	return arg == "-" || filepath.Ext(file) == ".lua" || filepath.Ext(file) == ".toml" || recording.IsFile(file) ||
		err == nil && info.IsDir()
}

// isScript reports whether a script exists.
func isScript(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// SplitScenario splits FILE.lua/NAME, which is one scenario of a file that returns a list. name is "" for other
// arguments.
func SplitScenario(arg string) (file, name string) {
	if folder, last := filepath.Split(arg); filepath.Ext(strings.TrimRight(folder, `/\`)) == ".lua" && last != "" {
		return strings.TrimRight(folder, `/\`), last
	}
	return arg, ""
}

// loadName loads the scenarios of config.DefaultFile that have a name or are in a folder, or else the scripts of a
// folder. Without that file, the name of a script may lack its extension.
func (s *Selection) loadName(ctx context.Context, in Input, arg string) (*config.Config, []*Scenario, error) {
	info, err := os.Stat(arg)
	isFolder, exists := err == nil && info.IsDir(), err == nil && !info.IsDir()
	cfg, scenarios, err := s.loadFile(ctx, in, config.DefaultFile)
	_, missing := os.Stat(config.DefaultFile)
	noConfig := err != nil && errors.Is(missing, fs.ErrNotExist)
	switch {
	case noConfig && !isFolder && !exists && isScript(arg+".lua"):
		return s.loadScriptFile(ctx, in, arg+".lua")
	case noConfig && !isFolder && !exists:
		return nil, nil, fmt.Errorf("%q is not a .toml or .lua file, so it names a scenario: %w", arg, err)
	case err != nil && !noConfig:
		return nil, nil, err
	}
	found, err := named(scenarios, arg, config.DefaultFile)
	switch {
	case err == nil:
		return cfg, found, nil
	case exists:
		return nil, nil, fmt.Errorf("%s is neither a configuration (.toml) nor a script (.lua) nor a recording", arg)
	case !isFolder:
		return nil, nil, err
	}
	cfg = config.New(arg)
	cfg.Scenarios = []config.Scenario{{Script: arg}}
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	scenarios, err = LoadScenarios(ctx, cfg, in.Args, in.Workers)
	return cfg, scenarios, err
}

// named returns the scenarios of a name, or of a folder of names such as query. A file that cannot be loaded may have
// any scenario.
func named(scenarios []*Scenario, name, where string) ([]*Scenario, error) {
	name = strings.TrimRight(filepath.ToSlash(name), "/")
	var found []*Scenario
	for _, sc := range scenarios {
		isInBroken := sc.Broken != nil && strings.HasPrefix(name, sc.Name+"/")
		if sc.Name == name || strings.HasPrefix(sc.Name, name+"/") || isInBroken {
			found = append(found, sc)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	known := map[string]bool{}
	for _, sc := range scenarios {
		for part := sc.Name; part != "."; part = path.Dir(part) {
			known[part] = true
		}
	}
	return nil, exit.With(exit.Nothing, fmt.Errorf("%s has no scenario %q%s (see roclua list)", where, name,
		nearest.DidYouMean(name, slices.Sorted(maps.Keys(known)))))
}

func (s *Selection) loadFile(ctx context.Context, in Input, path string) (*config.Config, []*Scenario, error) {
	cfg, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	scenarios, err := LoadScenarios(ctx, cfg, in.Args, in.Workers)
	return cfg, scenarios, err
}

// loadScriptFile loads a script that an argument names, which must be readable.
func (s *Selection) loadScriptFile(ctx context.Context, in Input, path string) (*config.Config, []*Scenario, error) {
	source, err := input.File(path, input.Script)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the script: %w", err)
	}
	return s.loadScript(ctx, in, path, filepath.Dir(path), source)
}

// loadScript loads a script. path names it in messages.
func (s *Selection) loadScript(ctx context.Context, in Input, path, folder string, source []byte) (*config.Config,
	[]*Scenario, error) {
	cfg := config.New(path)
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	f := foundScript{path: path, name: strings.TrimSuffix(filepath.Base(path), ".lua")}
	scenarios, err := loader{cfg, in.Args, []string{folder}, describer(cfg, in.Workers)}.load(ctx, f, source, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		known := func(sc *Scenario) bool { return sc.Broken != nil || sc.hasParam(name) }
		if !slices.ContainsFunc(scenarios, known) {
			return nil, nil, unknownParam(path, name, scenarios...)
		}
	}
	for _, sc := range scenarios {
		sc.Settings = config.Scenario{Script: path}
	}
	return cfg, scenarios, nil
}

func (s *Selection) loadRecording(in Input, path string) (*config.Config, []*Scenario, error) {
	cfg := config.New(path)
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	scenarios, err := recorded(foundScript{path: path, name: withoutExtension(filepath.Base(path))})
	for _, sc := range scenarios {
		sc.Settings = config.Scenario{Recording: path}
	}
	return cfg, scenarios, err
}

// apply applies the environment, --set and the flags, which override the file, and validates the configuration.
func (s *Selection) apply(in Input, cfg *config.Config) error {
	return cfg.Apply(config.Overrides{Getenv: in.Getenv, Set: s.Set, Flags: in.Flags, NoDevices: in.NoRun})
}
