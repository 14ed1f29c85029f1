package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/recording"
	"roclua/host/result"
	"roclua/host/worker"
	"roclua/input"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// describe returns the declarations of a script. The error is not about the script.
type describe func(context.Context, *worker.Script) (worker.Description, error)

// LoadScenarios reads and describes the scripts of a configuration. A script that cannot be loaded is a scenario that
// is Broken. args are the arguments of scripts.
func LoadScenarios(ctx context.Context, cfg *config.Config, args []string, workers *worker.Pool) ([]*Scenario, error) {
	var files []foundScript
	folders := roots(cfg)
	for i, s := range cfg.Scenarios {
		key := fmt.Sprintf("scenario[%d]", i)
		found, err := findScripts(cfg.Path(s.File()), s.File(), folders)
		switch {
		case err != nil:
			return nil, cfg.At(key+"."+keyOfFile(&s), err)
		case s.Recording != "" && !recording.IsFile(cfg.Path(s.Recording)):
			return nil, cfg.At(key+".recording", fmt.Errorf("recording %q %w", s.Recording, recording.ErrFormat))
		}
		for _, f := range found {
			f.settings, f.key = s, key
			files = append(files, f)
		}
	}
	var distinct []foundScript
	places := map[[2]string]int{} // of a file in distinct, by its path and name
	for _, f := range files {
		if key := [2]string{f.path, f.name}; places[key] == 0 {
			distinct = append(distinct, f)
			places[key] = len(distinct)
		}
	}
	loaded := make([][]*Scenario, len(distinct))
	describe := describer(cfg, workers)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(describedAtOnce(cfg, workers, len(distinct)))
	for i, f := range distinct {
		group.Go(func() (err error) {
			if recording.IsFile(f.path) {
				loaded[i], err = recorded(f)
				return err
			}
			source, unread := input.File(f.path, input.Script)
			loaded[i], err = loader{cfg, args, SearchPaths(cfg, f.path), describe}.load(ctx, f, source, unread)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return combine(cfg, files, func(f *foundScript) []*Scenario { return loaded[places[[2]string{f.path, f.name}]-1] })
}

// keyOfFile returns the key that names the file of a scenario.
func keyOfFile(s *config.Scenario) string {
	if s.Recording != "" {
		return "recording"
	}
	return "script"
}

// combine joins the scenarios of files, with their settings.
func combine(cfg *config.Config, files []foundScript, loaded func(*foundScript) []*Scenario) (list []*Scenario,
	err error) {
	for _, f := range files {
		scenarios := loaded(&f)
		if f.scenario != "" {
			if scenarios, err = named(scenarios, f.name+"/"+f.scenario, f.path); err != nil {
				return nil, cfg.At(f.key+".script", err)
			}
		}
		for _, shared := range scenarios {
			sc := *shared
			sc.Settings, sc.key = f.settings, f.key
			if name := f.settings.Name; name != "" {
				sc.Name = path.Join(name, strings.TrimPrefix(sc.Name, f.alone()))
			}
			list = append(list, &sc)
		}
	}
	return list, nil
}

// scriptsOfWorker is the number of scripts from which starting a worker process pays off.
const scriptsOfWorker = 16

// describedAtOnce returns how many of n scripts are described in parallel. In the full sandbox it is one: top levels
// have effects, and each waits in its worker for its case.
func describedAtOnce(cfg *config.Config, workers *worker.Pool, n int) int {
	if !cfg.Isolates() || workers == nil || cfg.Sandbox == bounds.SandboxFull {
		return 1
	}
	return max(1, min(cmp.Or(cfg.Jobs, runtime.GOMAXPROCS(0)), n/scriptsOfWorker, worker.MostProcesses()))
}

// describer describes scripts in worker processes, or in this process if the configuration trusts scripts.
func describer(cfg *config.Config, workers *worker.Pool) describe {
	if cfg.Isolates() && workers != nil {
		workers.Configure(cfg.Limits)
		return workers.Describe
	}
	return func(ctx context.Context, s *worker.Script) (worker.Description, error) {
		d := s.Describe(ctx)
		return d, ctx.Err()
	}
}

// SearchPaths returns the folders that require searches for a script: its own, and the configured ones.
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
		path := filepath.Clean(cfg.Path(s.File()))
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			list = append(list, path)
		}
	}
	return list
}

// foundScript is a file with the name of its scenario. Of a file that returns a list it is one scenario, when that is
// not "".
type foundScript struct {
	path, name, scenario string

	inFolder bool // the configuration names a folder that contains it

	settings config.Scenario
	key      string // of the settings in the configuration: "scenario[0]"
}

// alone returns the name of a file or scenario that the configuration names; "" in a folder.
func (f *foundScript) alone() string {
	if f.inFolder {
		return ""
	}
	return path.Join(f.name, f.scenario)
}

// nameOf is a script's path in the first of the folders that contains it, else its file's name; without .lua or .rec.
func nameOf(path string, roots []string) string {
	path = filepath.Clean(path)
	for _, root := range roots {
		if !strings.HasPrefix(root, ".") && !strings.HasPrefix(path, root) {
			continue // without the time for Rel, because a configuration may name thousands of folders
		}
		if name, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(name, "..") {
			return filepath.ToSlash(withoutExtension(name))
		}
	}
	return withoutExtension(filepath.Base(path))
}

// withoutExtension returns the name of a scenario in a file.
func withoutExtension(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".lua"), ".rec")
}

// IsModule reports whether a file or folder of this name has no scenarios when a folder that contains it is expanded:
// its name starts with "_" or ".". Scripts can require it.
func IsModule(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// findScripts lists a file, or every .lua file below a folder, sorted by name. It leaves out modules.
func findScripts(path, script string, roots []string) ([]foundScript, error) {
	path, scenario := SplitScenario(path)
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("script %q: %w", script, err)
	}
	if !info.IsDir() {
		return []foundScript{{path: path, name: nameOf(path, roots), scenario: scenario}}, nil
	}
	var list []foundScript
	root := path + string(filepath.Separator) // so that WalkDir follows a link to the folder
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != root && IsModule(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && filepath.Ext(p) == ".lua":
			list = append(list, foundScript{path: p, name: nameOf(p, []string{path}), inFolder: true})
		}
		return nil
	})
	if err == nil && list == nil {
		err = fmt.Errorf("script %q: the folder has no scenarios, which are files *.lua; names that start with _ or . "+
			"are modules", script)
	}
	return list, err
}

type loader struct {
	config   *config.Config
	args     []string // arguments of scripts
	folders  []string // folders that require searches
	describe describe
}

// load returns the scenarios of a file: those that its top level declares, or one that is broken. unread is the error
// of reading the file. load fails if ctx ends, or if no script can be described.
func (l loader) load(ctx context.Context, f foundScript, source []byte, unread error) ([]*Scenario, error) {
	file := filepath.ToSlash(f.path)
	d := worker.Description{Scenarios: []*record.Scenario{{}}}
	if unread != nil {
		d.Err = &record.End{Kind: record.EndInvalid, Message: "cannot read the script: " + unread.Error()}
		source = nil
	} else {
		var err error
		d, err = l.describe(ctx, &worker.Script{File: worker.File{Script: file, Source: source, Library: l.folders},
			Settings: worker.Settings{Env: l.config.Env, Args: l.args, Sandbox: l.config.Sandbox,
				Limits: l.config.Limits.Bounds(), Seed: l.config.Seed, RealTime: !l.config.HasVirtualTime()}})
		if err != nil {
			return nil, err
		}
	}
	for _, declared := range d.Scenarios {
		if err := checkSuited(declared); err != nil && d.Err == nil {
			d.Err = &record.End{Kind: record.EndInvalid, Message: file + ": " + err.Error()}
			d.Scenarios = []*record.Scenario{{Required: d.Scenarios[0].Required}}
		}
	}
	if d.Err != nil {
		d.Scenarios[0].Plain = true
	}
	broken, limited := d.Err, (*record.End)(nil)
	if d.Err != nil && (d.Err.Kind == record.EndTimeout || d.Err.Kind == record.EndLimit) {
		broken, limited = nil, d.Err
	}
	var list []*Scenario
	for _, declared := range d.Scenarios {
		sc := &Scenario{Name: f.name, File: file, Source: source, Declared: declared, SearchPaths: l.folders,
			Broken: broken, Limited: limited}
		if declared.Name != "" {
			sc.Name += "/" + declared.Name
		}
		list = append(list, sc)
	}
	return list, nil
}

// recorded returns a scenario for each process of a recording: for the file, and for those that have its name and the
// number of another process of the program.
func recorded(f foundScript) ([]*Scenario, error) {
	itself := strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(f.path)
	others, err := filepath.Glob(itself + ".[0-9]*")
	if err != nil {
		return nil, err
	}
	var list []*Scenario
	for _, path := range append([]string{f.path}, others...) {
		if !recording.IsFile(path) {
			continue
		}
		digest, err := recording.Digest(path)
		if err != nil {
			return nil, err
		}
		sc := &Scenario{Name: f.name + strings.Replace(strings.TrimPrefix(path, f.path), ".", "/", 1),
			File: filepath.ToSlash(path), Source: digest, Declared: &record.Scenario{Recording: true,
				About: "the calls of a recorded program", Schemes: []string{record.SchemeRecorded},
				Platforms: []string{config.Simulated}}}
		list = append(list, sc)
	}
	return list, nil
}

// checkSuited makes sure that a scenario names existing platforms and profiles: misspelled ones would skip its cases.
func checkSuited(s *record.Scenario) error {
	for _, name := range s.Platforms {
		if err := config.CheckPlatform(name); err != nil {
			return fmt.Errorf("field platforms: %w", err)
		}
	}
	for _, prefix := range s.Profiles {
		isPrefix := func(name string) bool { return strings.HasPrefix(name, prefix) }
		if _, err := workspace.FindProfile(prefix); err != nil && !slices.ContainsFunc(config.Profiles(), isPrefix) {
			return fmt.Errorf("field profiles: %w", err)
		}
	}
	return nil
}

// LoadErrors returns the errors of the scripts that cannot be loaded, as one error; nil if there are none.
func LoadErrors(cases List) error {
	var list []error
	var ends []*result.Result
	for _, sc := range cases.Scenarios() {
		if end := sc.LoadError(); end != nil {
			list = append(list, errors.New(end.String()))
			ends = append(ends, &result.Result{Case: &result.Case{}, Record: &record.Record{End: end}})
		}
	}
	return exit.With(result.ExitCode(ends, nil, nil), errors.Join(list...))
}

// StrayResults describes the plain scripts among cases that return a value. Most likely they were meant as scenarios.
func StrayResults(cases List) []string {
	var list []string
	for _, d := range cases.Scenarios() {
		if d.Declared.Returned == "" {
			continue
		}
		text := fmt.Sprintf("%s returns %s, which is ignored; a scenario is a table with a function run, such as "+
			"return { run = function(t) ... end } (see roclua docs scenario)", d.File, d.Declared.Returned)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
