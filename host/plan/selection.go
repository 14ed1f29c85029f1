package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/worker"
	"roclua/internal/nearest"
)

// Selection is the choice of cases by the arguments and flags of a command.
type Selection struct {
	Filter   string   // pattern of cases, see config.Pattern
	Set      []string // KEY=VALUE, keys of the configuration
	Axes     []string // NAME=VALUES
	Repeat   int      // how often each case runs; 0 leaves it to the configuration
	Tags     []string // nil selects all
	SkipTags []string
	Shard    Shard // part of the plan
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
	flags.StringVar(&s.Filter, "filter", "",
		"only these cases: KEY=VALUE, text of the id, /REGEXP/ or an id; commas join conditions")
	flags.StringSliceVar(&s.Tags, "tags", nil, "only scenarios with one of these tags")
	flags.StringSliceVar(&s.SkipTags, "skip-tags", nil, "no scenarios with one of these tags")
}

// Input is the input of a selection, except for files.
type Input struct {
	Stdin  io.Reader                // read for the argument "-"
	Getenv func(name string) string // environment variables
	Flags  *pflag.FlagSet           // flags of the command; see config.AddFlags
	NoRun  bool                     // nothing will run, so that devices need not exist
	Args   []string                 // arguments of scripts

	Workers *worker.Pool // describes scripts; nil describes them in this process
}

// NothingSelected returns the error of a selection whose plan has no cases.
func (s *Selection) NothingSelected(p *Plan) error {
	reason := "there is no scenario"
	switch {
	case s.Filter != "":
		filter, _ := config.ParsePattern(s.Filter) // the plan has parsed it
		set := func(pattern string) string { return "--filter '" + pattern + "'" }
		reason = fmt.Sprintf("no case id matches --filter %q%s", s.Filter, advice(filter, p.all(), set))
	case s.Tags != nil || s.SkipTags != nil:
		reason = "no scenario has the tags" + p.nearestTag(s.Tags) + " (roclua list shows them)"
	}
	return exit.With(exit.Nothing, errors.New("no case is selected: "+reason))
}

// advice suggests a pattern in place of one that selects none of some cases, and names one of their ids. set writes a
// pattern as its user does.
func advice(pattern *config.Pattern, places []place, set func(string) string) string {
	var ids []string
	pairs := map[string]bool{}
	for _, p := range places {
		ids = append(ids, p.ownID())
		keys := keysOfAll
		for _, param := range p.params {
			keys = append(keys, param.name)
		}
		for _, key := range keys {
			value, _ := p.value(p.digits(p.position), key)
			pairs[key+"="+value] = true
		}
	}
	text := pattern.Advice(ids, slices.Sorted(maps.Keys(pairs)), set)
	if len(ids) > 0 {
		text += "; an id is, for example, " + ids[0] + " (roclua inspect lists them)"
	}
	return text
}

// all lists the cases of the arguments.
func (o *Outline) all() (list []place) {
	for i := range o.Parts {
		part, _ := o.Parts[i].places()
		list = append(list, part...)
	}
	return list
}

// nearestTag suggests a tag of a scenario for the first of some tags that no scenario has.
func (p *Plan) nearestTag(tags []string) string {
	var known []string
	for _, part := range p.Parts {
		for _, sp := range part.Spaces {
			known = append(known, sp.definition.Tags()...)
		}
	}
	for _, tag := range tags {
		if !slices.Contains(known, tag) {
			slices.Sort(known)
			return nearest.DidYouMean(tag, slices.Compact(known))
		}
	}
	return ""
}

// IsPartial reports whether the selection may leave out cases of the configuration.
func (s *Selection) IsPartial() bool {
	return s.Filter != "" || s.Tags != nil || s.SkipTags != nil || s.Axes != nil || s.Repeat != 0
}

// Plan is the cases of a run, with the configuration and the scenarios that they need.
type Plan struct {
	Config *config.Config
	Outline
	Cases List  // of the shard
	Shard Shard // part of the plan
	All   int   // cases of all shards
}

// New returns the plan of all cases of scenarios.
func New(cfg *config.Config, scenarios []*Scenario) (*Plan, error) {
	part, err := newPart(cfg, scenarios)
	if err != nil {
		return nil, err
	}
	return (&Plan{Config: cfg, Outline: Outline{Parts: []Part{part}}}).complete()
}

// newPart describes the cases of scenarios.
func newPart(cfg *config.Config, scenarios []*Scenario) (Part, error) {
	p := Part{Shuffle: cfg.Shuffle, Seed: cfg.Seed}
	for _, sc := range scenarios {
		if err := sc.checkTolerances(cfg); err != nil {
			return Part{}, sc.locate(cfg, err)
		}
		sp, err := newSpace(cfg, sc)
		if err != nil {
			return Part{}, sc.locate(cfg, err)
		}
		p.Spaces = append(p.Spaces, sp)
	}
	return p, nil
}

// complete lists the cases of the outline.
func (p *Plan) complete() (*Plan, error) {
	var err error
	p.Cases, p.All, err = p.Outline.Cases(p.Shard)
	return p, err
}

// Definitions lists the scenarios of the cases, in the order of the command.
func (p *Plan) Definitions() []*Scenario {
	var list []*Scenario
	for _, part := range p.Parts {
		for _, sp := range part.Spaces {
			if !sp.isExcluded() {
				list = append(list, sp.definition)
			}
		}
	}
	return list
}

// Restrict leaves out all cases whose ids are not in a list.
func (p *Plan) Restrict(ids []string) (*Plan, error) {
	q := &Plan{Config: p.Config, Outline: p.Outline, Shard: p.Shard}
	q.Only = append([]string{}, ids...) // an empty list selects no case
	return q.complete()
}

// Plan reads the configurations and scripts that the arguments name and lists their cases. Without arguments it reads
// config.DefaultFile.
func (s *Selection) Plan(ctx context.Context, in Input, args []string) (*Plan, error) {
	if s.Repeat < 0 {
		return nil, fmt.Errorf("--repeat %d: must be positive", s.Repeat)
	}
	p := &Plan{Outline: Outline{Filter: s.Filter}, Shard: s.Shard}
	list := arguments(args)
	for _, arg := range list {
		cfg, part, err := s.planOne(ctx, in, arg)
		if err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, part)
		if p.Config == nil {
			p.Config = cfg
		} else {
			p.Config.Scenarios = append(p.Config.Scenarios, cfg.Scenarios...)
		}
	}
	if err := p.checkIDs(list); err != nil {
		return nil, err
	}
	scenarios := p.Definitions() // of all tags
	if err := checkParams(p.Config, "--set ", scenarios); err != nil {
		return nil, err
	}
	if err := s.checkAxes(scenarios); err != nil {
		return nil, err
	}
	for _, part := range p.Parts {
		for _, sp := range part.Spaces {
			sp.Excluded = !s.wantsTags(sp.definition.Tags())
		}
	}
	return p.complete()
}

// argument is an argument of the command line that names scenarios, and the ids that select cases of them; nil for all.
type argument struct {
	name string
	ids  []string
}

// arguments returns the arguments that name scenarios. The ids among the arguments select cases of the files, or of
// config.DefaultFile if there is no file. Where that does not exist, they select cases of the scripts in the folder.
func arguments(args []string) []argument {
	var list []argument
	var ids []string
	hasFile, first := false, 0
	for _, arg := range args {
		if !IsCaseID(arg) {
			list, hasFile = append(list, argument{name: arg}), hasFile || isFile(arg)
		} else if ids = append(ids, arg); len(ids) == 1 {
			first = len(list)
		}
	}
	if len(list) == 0 || ids != nil && !hasFile {
		files := argument{name: config.DefaultFile}
		if _, err := os.Stat(files.name); ids != nil && errors.Is(err, fs.ErrNotExist) {
			files.name = "."
		}
		list = slices.Insert(list, first, files)
	}
	for i, a := range list {
		if isFile(a.name) {
			list[i].ids = ids
		}
	}
	return list
}

// planOne lists the cases that one argument names.
func (s *Selection) planOne(ctx context.Context, in Input, arg argument) (*config.Config, Part, error) {
	cfg, scenarios, err := s.load(ctx, in, arg.name)
	if err != nil {
		return nil, Part{}, err
	}
	for _, sc := range scenarios {
		if err := sc.setAxes(s.Axes); err != nil {
			return nil, Part{}, err
		}
		if s.Repeat != 0 {
			sc.Settings.Repeat = s.Repeat
		}
	}
	part, err := newPart(cfg, scenarios)
	isWhole := err == nil && filepath.Ext(arg.name) == ".toml"
	if isWhole {
		err = checkParams(cfg, cfg.File()+":", scenarios)
	}
	if isWhole && err == nil && s.Axes == nil && s.Repeat == 0 && s.Set == nil && !cfg.TargetsOverridden() {
		err = part.checkExceptions(cfg)
	}
	part.Only = arg.ids
	return cfg, part, err
}

// checkIDs makes sure that the arguments have the cases of the ids that select among them.
func (o *Outline) checkIDs(list []argument) error {
	var all []place
	var ids, names []string
	for i, arg := range list {
		if arg.ids != nil {
			part := o.Parts[i]
			part.Only = nil
			places, err := part.places()
			if err != nil {
				return err
			}
			all, ids, names = append(all, places...), arg.ids, append(names, arg.name)
		}
	}
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(p place) bool { return p.ownID() == id || p.mayHaveID(id) }) {
			var known []string
			for _, p := range all {
				known = append(known, p.ownID())
			}
			return exit.With(exit.Nothing, fmt.Errorf("%s has no case %q%s (see roclua inspect)",
				strings.Join(names, ", "), id, nearest.DidYouMean(id, known)))
		}
	}
	return nil
}

// checkAxes makes sure that every axis of the command line is a parameter of some scenario. The parameters of a script
// that cannot be loaded are not known.
func (s *Selection) checkAxes(scenarios []*Scenario) error {
	if slices.ContainsFunc(scenarios, func(sc *Scenario) bool { return sc.Broken != nil }) {
		return nil
	}
	for _, text := range s.Axes {
		name, _, _ := strings.Cut(text, "=")
		if !slices.ContainsFunc(scenarios, func(sc *Scenario) bool { return sc.hasAxis(name) }) {
			known := append(config.FaultAxes(), paramNames(scenarios...)...)
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
