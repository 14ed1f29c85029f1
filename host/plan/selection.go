package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"roclua/hip/nearest"
	"roclua/host/config"
	"roclua/host/exit"
)

// Selection is the choice of cases by the arguments and flags of a command.
type Selection struct {
	Filter   string   // regular expression over ids
	Set      []string // KEY=VALUE, keys of the configuration
	Axes     []string // NAME=VALUES
	Tags     []string // nil selects all
	SkipTags []string
}

// AddFlags adds the flags of the selection to a command.
func (s *Selection) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.Filter, "filter", "", "only the cases whose id matches this regular expression")
	flags.StringArrayVar(&s.Set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringArrayVar(&s.Axes, "axis", nil,
		"values of a parameter in every scenario that has it, n=64,128 or n=64:1024:x2 (repeatable)")
	flags.StringSliceVar(&s.Tags, "tags", nil, "only scenarios with one of these tags")
	flags.StringSliceVar(&s.SkipTags, "skip-tags", nil, "no scenarios with one of these tags")
}

// Input is what a selection reads, except for files.
type Input struct {
	Stdin  io.Reader                // read for the argument "-"
	Getenv func(name string) string // environment variables
	Flags  *pflag.FlagSet           // flags of the command; see config.AddFlags
}

// NothingSelected returns the error of a selection without cases.
func (s *Selection) NothingSelected() error {
	reason := "the configuration names no scenario"
	if s.Filter != "" {
		reason = fmt.Sprintf("no case id matches --filter %q", s.Filter)
	}
	return exit.With(exit.Nothing, errors.New("no case is selected: "+reason))
}

// IsPartial reports whether the selection may leave out cases of the configuration.
func (s *Selection) IsPartial() bool {
	return s.Filter != "" || s.Tags != nil || s.SkipTags != nil || s.Axes != nil
}

// Plan reads the configurations and scripts that the arguments name and lists their cases. Without arguments it reads
// config.DefaultFile.
func (s *Selection) Plan(ctx context.Context, in Input, args []string) (*config.Config, []*Case, error) {
	if len(args) == 0 {
		args = []string{config.DefaultFile}
	}
	var all *config.Config
	var cases []*Case
	for _, arg := range args {
		cfg, list, err := s.planOne(ctx, in, arg)
		if err != nil {
			return nil, nil, err
		}
		cases = append(cases, list...)
		if all == nil {
			all = cfg
		} else {
			all.Scenarios = append(all.Scenarios, cfg.Scenarios...)
		}
	}
	if err := s.checkAxes(cases); err != nil {
		return nil, nil, err
	}
	cases = slices.DeleteFunc(cases, func(c *Case) bool { return !s.wantsTags(c.Definition.Tags()) })
	if s.Filter != "" {
		re, err := regexp.Compile(s.Filter)
		if err != nil {
			return nil, nil, fmt.Errorf("--filter: %w", err)
		}
		cases = slices.DeleteFunc(cases, func(c *Case) bool { return !re.MatchString(c.ID) })
	}
	return all, cases, nil
}

// planOne lists the cases that one argument names: a file's, a scenario's, or the one case of an id.
func (s *Selection) planOne(ctx context.Context, in Input, arg string) (*config.Config, []*Case, error) {
	id := ""
	if IsCaseID(arg) {
		id, arg = arg, config.DefaultFile
	}
	cfg, scenarios, err := s.load(ctx, in, arg)
	if err != nil {
		return nil, nil, err
	}
	for _, sc := range scenarios {
		if err := sc.setAxes(s.Axes); err != nil {
			return nil, nil, err
		}
	}
	list, err := Cases(cfg, scenarios)
	if err != nil || id == "" {
		return cfg, list, err
	}
	found := slices.DeleteFunc(slices.Clone(list), func(c *Case) bool { return c.ID != id })
	if len(found) == 0 {
		return nil, nil, exit.With(exit.Nothing, fmt.Errorf("%s has no case %q%s (see roclua inspect)",
			config.DefaultFile, id, nearest.DidYouMean(id, ids(list))))
	}
	return cfg, found, nil
}

func ids(cases []*Case) []string {
	var list []string
	for _, c := range cases {
		list = append(list, c.ID)
	}
	return list
}

// checkAxes makes sure that every axis of the command line is a parameter of some scenario.
func (s *Selection) checkAxes(cases []*Case) error {
	for _, text := range s.Axes {
		name, _, _ := strings.Cut(text, "=")
		if !slices.ContainsFunc(cases, func(c *Case) bool { return c.Definition.hasAxis(name) }) {
			known := config.FaultAxes()
			for _, c := range cases {
				for _, p := range c.Definition.Declared.Params {
					known = append(known, p.Name)
				}
			}
			return fmt.Errorf("--axis %s: no scenario has a parameter %q%s", text, name, nearest.DidYouMean(name,
				known))
		}
	}
	return nil
}

// wantsTags reports whether a scenario with these tags is selected.
func (s *Selection) wantsTags(tags []string) bool {
	has := func(tag string) bool { return slices.Contains(tags, tag) }
	return !slices.ContainsFunc(s.SkipTags, has) && (s.Tags == nil || slices.ContainsFunc(s.Tags, has))
}

// load turns one argument into a configuration and its scenarios.
func (s *Selection) load(ctx context.Context, in Input, arg string) (*config.Config, []*Scenario, error) {
	switch {
	case arg == "-":
		source, err := io.ReadAll(in.Stdin)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot read standard input: %w", err)
		}
		return s.loadScript(ctx, in, "stdin", ".", source)
	case filepath.Ext(arg) == ".lua":
		return s.loadScript(ctx, in, arg, filepath.Dir(arg), nil)
	case filepath.Ext(arg) == ".toml":
		return s.loadFile(ctx, in, arg)
	}
	cfg, scenarios, err := s.loadFile(ctx, in, config.DefaultFile)
	if err != nil {
		return nil, nil, fmt.Errorf("%q is not a .toml or .lua file, so it names a scenario: %w", arg, err)
	}
	found := slices.DeleteFunc(slices.Clone(scenarios), func(s *Scenario) bool { return s.Name != arg })
	if len(found) == 0 {
		return nil, nil, exit.With(exit.Nothing, fmt.Errorf("%s has no scenario %q%s (see roclua list)",
			config.DefaultFile, arg, nearest.DidYouMean(arg, Names(scenarios))))
	}
	return cfg, found, nil
}

func (s *Selection) loadFile(ctx context.Context, in Input, path string) (*config.Config, []*Scenario, error) {
	cfg, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	scenarios, err := LoadScenarios(ctx, cfg)
	return cfg, scenarios, err
}

func (s *Selection) loadScript(ctx context.Context, in Input, path, folder string, source []byte) (*config.Config,
	[]*Scenario, error) {
	cfg := config.New(path)
	if err := s.apply(in, cfg); err != nil {
		return nil, nil, err
	}
	scenarios, err := loadScenarios(ctx, cfg, foundScript{path, strings.TrimSuffix(filepath.Base(path), ".lua")}, source,
		[]string{folder})
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		if !slices.ContainsFunc(scenarios, func(sc *Scenario) bool { return sc.hasParam(name) }) {
			return nil, nil, unknownParam(path, name, scenarios...)
		}
	}
	for _, sc := range scenarios {
		sc.Settings = config.Scenario{Script: path}
	}
	return cfg, scenarios, nil
}

// apply applies the environment, --set and the flags, which override the file, and validates the configuration.
func (s *Selection) apply(in Input, cfg *config.Config) error {
	return cfg.Apply(config.Overrides{Getenv: in.Getenv, Set: s.Set, Flags: in.Flags})
}
