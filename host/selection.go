package host

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/internal/nearest"
)

// selection is what the arguments and flags of a command say about which cases are meant.
type selection struct {
	filter         string
	set            []string
	axes           []string
	tags, skipTags []string
}

func (o *selection) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.filter, "filter", "", "only the cases whose id matches this regular expression")
	flags.StringArrayVar(&o.set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringArrayVar(&o.axes, "axis", nil, "values of a parameter in every scenario that has it, n=64,128 or n=64:1024:x2 (repeatable)")
	flags.StringSliceVar(&o.tags, "tags", nil, "only scenarios with one of these tags")
	flags.StringSliceVar(&o.skipTags, "skip-tags", nil, "no scenarios with one of these tags")
}

func (o *selection) describe() string {
	if o.filter != "" {
		return fmt.Sprintf(": no case id matches --filter %q", o.filter)
	}
	return ": the configuration names no scenario"
}

// plan reads what the arguments name and lists its cases.
func (o *selection) plan(cmd *cobra.Command, args []string, env Env) (*config.Config, []*plannedCase, error) {
	if len(args) == 0 {
		args = []string{config.DefaultFile}
	}
	var all *config.Config
	var cases []*plannedCase
	for _, arg := range args {
		cfg, list, err := o.planOne(cmd, arg, env)
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
	if err := o.checkAxes(cases); err != nil {
		return nil, nil, err
	}
	cases = slices.DeleteFunc(cases, func(c *plannedCase) bool { return !o.wantsTags(c.scenario.tags()) })
	if o.filter != "" {
		var err error
		if cases, err = filterCases(cases, o.filter); err != nil {
			return nil, nil, err
		}
	}
	return all, cases, nil
}

// planOne lists the cases that one argument names: a file's, a scenario's, or the one case of an id.
func (o *selection) planOne(cmd *cobra.Command, arg string, env Env) (*config.Config, []*plannedCase, error) {
	id := ""
	if isCaseID(arg) {
		id, arg = arg, config.DefaultFile
	}
	cfg, scenarios, err := o.load(cmd, arg, env)
	if err != nil {
		return nil, nil, err
	}
	for _, sc := range scenarios {
		if err := sc.setAxes(o.axes); err != nil {
			return nil, nil, err
		}
	}
	list, err := planCases(cfg, scenarios)
	if err != nil || id == "" {
		return cfg, list, err
	}
	found := slices.DeleteFunc(slices.Clone(list), func(c *plannedCase) bool { return c.id != id })
	if len(found) == 0 {
		return nil, nil, exit.With(exit.Nothing, fmt.Errorf("%s has no case %q%s (see roclua inspect)", config.DefaultFile, id, nearest.DidYouMean(id, ids(list))))
	}
	return cfg, found, nil
}

// isCaseID tells a case id from a file and a scenario: solve[scheme=manual]@cpu/rocm-7.2/gfx90a.
func isCaseID(arg string) bool {
	return strings.Contains(arg, "@") && filepath.Ext(arg) != ".lua" && filepath.Ext(arg) != ".toml"
}

func ids(cases []*plannedCase) []string {
	var list []string
	for _, c := range cases {
		list = append(list, c.id)
	}
	return list
}

// checkAxes makes sure that every axis of the command line is a parameter of some scenario.
func (o *selection) checkAxes(cases []*plannedCase) error {
	for _, text := range o.axes {
		name, _, _ := strings.Cut(text, "=")
		if !slices.ContainsFunc(cases, func(c *plannedCase) bool { return c.scenario.hasAxis(name) }) {
			known := config.FaultAxes()
			for _, c := range cases {
				for _, p := range c.scenario.declared.Params {
					known = append(known, p.Name)
				}
			}
			return fmt.Errorf("--axis %s: no scenario has a parameter %q%s", text, name, nearest.DidYouMean(name, known))
		}
	}
	return nil
}

// wantsTags reports whether a scenario with these tags is selected.
func (o *selection) wantsTags(tags []string) bool {
	has := func(tag string) bool { return slices.Contains(tags, tag) }
	return !slices.ContainsFunc(o.skipTags, has) && (o.tags == nil || slices.ContainsFunc(o.tags, has))
}

// load turns one argument into a configuration and its scenarios.
func (o *selection) load(cmd *cobra.Command, arg string, env Env) (*config.Config, []*scenario, error) {
	switch {
	case arg == "-":
		source, err := io.ReadAll(env.Stdin)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot read standard input: %w", err)
		}
		return o.loadScript(cmd, "stdin", ".", source, env)
	case filepath.Ext(arg) == ".lua":
		return o.loadScript(cmd, arg, filepath.Dir(arg), nil, env)
	case filepath.Ext(arg) == ".toml":
		return o.loadFile(cmd, arg, env)
	}
	cfg, scenarios, err := o.loadFile(cmd, config.DefaultFile, env)
	if err != nil {
		return nil, nil, fmt.Errorf("%q is no .toml or .lua file, so it names a scenario: %w", arg, err)
	}
	found := slices.DeleteFunc(slices.Clone(scenarios), func(s *scenario) bool { return s.name != arg })
	if len(found) == 0 {
		return nil, nil, exit.With(exit.Nothing, fmt.Errorf("%s has no scenario %q%s (see roclua list)", config.DefaultFile, arg, nearest.DidYouMean(arg, names(scenarios))))
	}
	return cfg, found, nil
}

func (o *selection) loadFile(cmd *cobra.Command, path string, env Env) (*config.Config, []*scenario, error) {
	cfg, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if err := o.settle(cfg, cmd, env); err != nil {
		return nil, nil, err
	}
	scenarios, err := loadScenarios(cmd.Context(), cfg)
	return cfg, scenarios, err
}

func (o *selection) loadScript(cmd *cobra.Command, path, folder string, source []byte, env Env) (*config.Config, []*scenario, error) {
	cfg := config.New(path)
	if err := o.settle(cfg, cmd, env); err != nil {
		return nil, nil, err
	}
	sc, err := loadScenario(cmd.Context(), cfg, foundScript{path, strings.TrimSuffix(filepath.Base(path), ".lua")}, source, []string{folder})
	if err != nil {
		return nil, nil, err
	}
	sc.settings = config.Scenario{Script: path, Params: cfg.Params}
	return cfg, []*scenario{sc}, nil
}

// settle applies everything that comes after the file, and checks the whole.
func (o *selection) settle(cfg *config.Config, cmd *cobra.Command, env Env) error {
	return cfg.Apply(config.Overrides{Getenv: env.Getenv, Set: o.set, Flags: cmd.Flags()})
}
