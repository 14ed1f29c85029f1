package host

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/internal/nearest"
	"roclua/luabind"
	"roclua/workspace"
)

// scenario is a script with what it declares and how it is to be run.
type scenario struct {
	name        string // "query/minimum_size"
	script      *luabind.Script
	declared    *luabind.Scenario
	settings    config.Scenario
	searchPaths []string // folders in which require looks
}

// plannedCase is one run of a scenario on a target.
type plannedCase struct {
	id       string
	scenario *scenario
	target   config.Target
	profile  *workspace.Profile
	luabind.Case
	Faults config.Faults  // which allocations fail
	axes   map[string]any // the parameters that were set for this case, and keys of faults
	expect []expectation
	known  string // why it is known to fail; "" when it is not

	baseline string // the file that keeps what it measured; "" for none
	within   baseline.Tolerances
	skip     string // why it is not run
}

// loadScenarios compiles and describes the scripts of a configuration.
func loadScenarios(ctx context.Context, cfg *config.Config) ([]*scenario, error) {
	var list []*scenario
	for _, s := range cfg.Scenarios {
		found, err := findScripts(cfg.Path(s.Script), s.Script, roots(cfg))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			sc, err := loadScenario(ctx, cfg, f, nil, searchPaths(cfg, f.path))
			if err != nil {
				return nil, err
			}
			sc.settings = s
			list = append(list, sc)
		}
	}
	return list, nil
}

func searchPaths(cfg *config.Config, script string) []string {
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

type foundScript struct{ path, name string }

// nameOf is a script's path in the first of the folders that holds it, else its file's name; without .lua.
func nameOf(path string, roots []string) string {
	for _, root := range roots {
		if name, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(name, "..") {
			return filepath.ToSlash(strings.TrimSuffix(name, ".lua"))
		}
	}
	return strings.TrimSuffix(filepath.Base(path), ".lua")
}

// findScripts lists a file, or every .lua file below a folder in the order of their names.
func findScripts(path, script string, roots []string) ([]foundScript, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: script %q: %w", script, err)
	}
	if !info.IsDir() {
		return []foundScript{{path, nameOf(path, roots)}}, nil
	}
	var list []foundScript
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(p) == ".lua" {
			list = append(list, foundScript{p, nameOf(p, []string{path})})
		}
		return err
	})
	return list, err
}

// describeTimeout bounds the top level of a script that is only asked what it is.
const describeTimeout = 2 * time.Second

// loadScenario compiles a file, or source when it is given, and asks it what it is; folders are those in which require looks.
func loadScenario(ctx context.Context, cfg *config.Config, f foundScript, source []byte, folders []string) (*scenario, error) {
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
	declared, err := script.Describe(ctx, luabind.Options{LibraryPaths: folders, Sandbox: cfg.Sandbox, Limits: cfg.Limits.Bounds()})
	if err != nil {
		return nil, exit.With(exit.Script, &loadError{err, declared.Required})
	}
	return &scenario{name: f.name, script: script, declared: declared, searchPaths: folders}, nil
}

// loadError is an error in the top level of a script, with the files in which it looked for modules.
type loadError struct {
	error
	required []string
}

func (e *loadError) Unwrap() error { return e.error }

// planCases multiplies scenarios, targets, schemes and axes.
func planCases(cfg *config.Config, scenarios []*scenario) ([]*plannedCase, error) {
	var list []*plannedCase
	for _, sc := range scenarios {
		points, err := sc.points(cfg.Params)
		if err != nil {
			return nil, err
		}
		schemes, err := sc.schemes()
		if err != nil {
			return nil, err
		}
		expected, err := sc.expectations(cfg)
		if err != nil {
			return nil, err
		}
		within, err := sc.tolerances(cfg)
		if err != nil {
			return nil, err
		}
		for _, point := range points {
			faults, params, err := sc.faults(cfg.Faults, point)
			if err != nil {
				return nil, err
			}
			for _, scheme := range schemes {
				for _, t := range cfg.Targets {
					for repeat := range max(1, sc.settings.Repeat) {
						c := newCase(cfg, sc, scheme, point, t, repeat+1)
						c.expect, c.baseline, c.within = expected, sc.baselineFile(cfg), within
						c.inject(faults, params)
						list = append(list, c)
					}
				}
			}
		}
	}
	if err := checkUnique(list); err != nil {
		return nil, err
	}
	if cfg.Shuffle {
		r := rand.New(rand.NewPCG(cfg.Seed, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list, nil
}

// checkUnique makes sure that no two cases have one id: two scenarios of one name, or one that is configured twice alike.
func checkUnique(list []*plannedCase) error {
	seen := map[string]*plannedCase{}
	for _, c := range list {
		if other, twice := seen[c.id]; twice {
			return fmt.Errorf("two cases are called %s: %s and %s; give one another script name or other parameters",
				c.id, other.scenario.script.Name, c.scenario.script.Name)
		}
		seen[c.id] = c
	}
	return nil
}

func newCase(cfg *config.Config, sc *scenario, scheme string, point map[string]any, t config.Target, repeat int) *plannedCase {
	profile, err := workspace.FindProfile(t.Profile)
	if err != nil {
		panic(err) // validate has checked the names
	}
	c := &plannedCase{id: caseID(sc.name, scheme, point, t, repeat), scenario: sc, target: t, profile: profile, axes: point,
		Case: luabind.Case{Scheme: scheme, Params: point, Seed: cfg.Seed}}
	switch {
	case sc.declared.Unsuited(t.Platform, profile.Name) != "":
		c.skip = sc.declared.Unsuited(t.Platform, profile.Name)
	case scheme != "":
		c.skip = profile.SkipScheme(scheme)
	}
	if reason, ok := excepted(sc.settings.Skip, c.id); ok && c.skip == "" {
		c.skip = reason
	}
	c.known, _ = excepted(sc.settings.KnownFailures, c.id)
	return c
}

// inject gives a case its faults, which only the simulated device has, and the parameters beside those of faults.
func (c *plannedCase) inject(f config.Faults, params map[string]any) {
	c.Faults, c.Params = f, params
	if !f.IsZero() && c.target.IsReal() && c.skip == "" {
		c.skip = onlySimulated
	}
}

// caseID is stable from run to run: solve[scheme=manual,n=1024]@cpu/rocm-7.2/gfx90a.
func caseID(name, scheme string, point map[string]any, t config.Target, repeat int) string {
	var parts []string
	if scheme != "" {
		parts = append(parts, "scheme="+scheme)
	}
	for _, axis := range slices.Sorted(maps.Keys(point)) {
		parts = append(parts, axis+"="+formatValue(point[axis]))
	}
	if repeat > 1 {
		parts = append(parts, "repeat="+strconv.Itoa(repeat))
	}
	if len(parts) > 0 {
		name += "[" + strings.Join(parts, ",") + "]"
	}
	return fmt.Sprintf("%s@%s/%s/%s", name, t.Platform, t.Profile, t.Arch)
}

func formatValue(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// schemes returns the schemes to run under: what the settings choose of those that the scenario has. A scenario that
// opens its own handles has none.
func (sc *scenario) schemes() ([]string, error) {
	have := sc.declared.Schemes
	if len(sc.settings.Schemes) == 0 {
		if len(have) == 0 {
			return []string{""}, nil
		}
		return have, nil
	}
	for _, s := range sc.settings.Schemes {
		if !slices.Contains(have, s) {
			return nil, fmt.Errorf("scenario %s: scheme %s is not one of its schemes (%s)", sc.name, s, cmp.Or(strings.Join(have, ", "), "it opens its own handles"))
		}
	}
	return sc.settings.Schemes, nil
}

func (sc *scenario) hasParam(name string) bool {
	return slices.ContainsFunc(sc.declared.Params, func(p luabind.Param) bool { return p.Name == name })
}

// checkParams makes sure that every parameter exists and has its default's type; integers become Lua numbers.
func (sc *scenario) checkParams(point map[string]any) error {
	var names []string
	for _, p := range sc.declared.Params {
		names = append(names, p.Name)
	}
	for name, v := range point {
		if n, ok := v.(int64); ok {
			v = float64(n)
			point[name] = v
		}
		if config.IsFaultAxis(name) {
			continue
		}
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("scenario %s has no parameter %q%s (has %s)", sc.name, name, nearest.DidYouMean(name, names), cmp.Or(strings.Join(names, ", "), "none"))
		}
		if want := sc.declared.Params[i].Value; fmt.Sprintf("%T", v) != fmt.Sprintf("%T", want) {
			return fmt.Errorf("scenario %s: parameter %s is %v, must be a %s like its default %v", sc.name, name, v, kindOf(want), formatValue(want))
		}
	}
	return nil
}

func kindOf(v any) string {
	switch v.(type) {
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "string"
}

// filterCases keeps the cases whose id matches.
func filterCases(list []*plannedCase, pattern string) ([]*plannedCase, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("--filter: %w", err)
	}
	return slices.DeleteFunc(list, func(c *plannedCase) bool { return !re.MatchString(c.id) }), nil
}

// names lists the scenarios' names, sorted.
func names(list []*scenario) []string {
	var out []string
	for _, sc := range list {
		out = append(out, sc.name)
	}
	sort.Strings(out)
	return out
}
