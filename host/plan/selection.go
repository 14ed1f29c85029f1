package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	Repeat   int      // how often each case runs; 0 leaves it to the configuration
	Tags     []string // nil selects all
	SkipTags []string
}

// AddFlags adds the flags of the selection to a command.
func (s *Selection) AddFlags(flags *pflag.FlagSet) {
	s.AddFilters(flags)
	flags.StringArrayVar(&s.Set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringArrayVar(&s.Axes, "axis", nil,
		"values of a parameter in every scenario that has it, n=64,128 or n=1K:16K:x2 (repeatable)")
	flags.IntVar(&s.Repeat, "repeat", 0, "run each case N times, for times and their spread")
}

// AddFilters adds the flags that leave out cases.
func (s *Selection) AddFilters(flags *pflag.FlagSet) {
	flags.StringVar(&s.Filter, "filter", "", "only the cases whose id matches this regular expression")
	flags.StringSliceVar(&s.Tags, "tags", nil, "only scenarios with one of these tags")
	flags.StringSliceVar(&s.SkipTags, "skip-tags", nil, "no scenarios with one of these tags")
}

// Input is what a selection reads, except for files.
type Input struct {
	Stdin  io.Reader                // read for the argument "-"
	Getenv func(name string) string // environment variables
	Flags  *pflag.FlagSet           // flags of the command; see config.AddFlags
	NoRun  bool                     // nothing will run, so that devices need not exist
	Args   []string                 // arguments of scripts
}

// NothingSelected returns the error of a selection without cases.
func (s *Selection) NothingSelected() error {
	reason := "there is no scenario"
	switch {
	case s.Filter != "":
		reason = fmt.Sprintf("no case id matches --filter %q", s.Filter)
	case s.Tags != nil || s.SkipTags != nil:
		reason = "no scenario has the tags (roclua list shows them)"
	}
	return exit.With(exit.Nothing, errors.New("no case is selected: "+reason))
}

// IsPartial reports whether the selection may leave out cases of the configuration.
func (s *Selection) IsPartial() bool {
	return s.Filter != "" || s.Tags != nil || s.SkipTags != nil || s.Axes != nil || s.Repeat != 0
}

// Plan reads the configurations and scripts that the arguments name and lists their cases. Without arguments it reads
// config.DefaultFile.
func (s *Selection) Plan(ctx context.Context, in Input, args []string) (*config.Config, []*Case, error) {
	if len(args) == 0 {
		args = []string{config.DefaultFile}
	}
	if s.Repeat < 0 {
		return nil, nil, fmt.Errorf("--repeat %d: must be positive", s.Repeat)
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
	re, err := regexp.Compile(s.Filter)
	if err != nil {
		return nil, nil, fmt.Errorf("--filter: %w", err)
	}
	cases = slices.DeleteFunc(cases, func(c *Case) bool { return !s.wants(c, re) })
	return all, cases, nil
}

// wants reports whether a case is selected. A script that cannot be loaded is always selected: its tags, its schemes
// and its parameters are not known.
func (s *Selection) wants(c *Case, filter *regexp.Regexp) bool {
	return c.Definition.Broken != nil || s.wantsTags(c.Definition.Tags()) && filter.MatchString(c.ID)
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
		if s.Repeat != 0 {
			sc.Settings.Repeat = s.Repeat
		}
	}
	list, err := Cases(cfg, scenarios)
	if err != nil || id == "" {
		return cfg, list, err
	}
	found := slices.DeleteFunc(slices.Clone(list), func(c *Case) bool { return !c.hasID(id) })
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

// checkAxes makes sure that every axis of the command line is a parameter of some scenario. The parameters of a script
// that cannot be loaded are not known.
func (s *Selection) checkAxes(cases []*Case) error {
	if slices.ContainsFunc(cases, func(c *Case) bool { return c.Definition.Broken != nil }) {
		return nil
	}
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
