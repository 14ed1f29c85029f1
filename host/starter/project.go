package starter

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/schema"
	"roclua/internal/atomicfile"
	"roclua/internal/nearest"
	"roclua/luabind/manual"
)

// EditorFolder is a project's folder of generated files for editors: annotations and the configuration schema.
const EditorFolder = ".roclua"

// aboutSolve describes the scenario that solves a system.
const aboutSolve = "a system of linear equations: its workspace, and the residual of its solution"

// File is a file of a new project.
type File struct {
	Path string
	Kept bool // it already existed and is unchanged
}

// Create creates a project in a folder. It keeps existing files, except for those in EditorFolder. After an error each
// file is either unchanged or complete.
func Create(s atomicfile.System, folder string) ([]File, error) {
	first := Scenario{About: aboutSolve}
	files := []struct{ name, text string }{
		{config.DefaultFile, config.Starter("scripts", EditorFolder+"/config.schema.json")},
		{filepath.Join("scripts", "first.lua"), first.Text()},
		{".luarc.json", strings.Replace(luarc, "<<types>>", EditorFolder+"/types", 1)},
	}
	var list []File
	for _, f := range files {
		path := filepath.Join(folder, f.name)
		err := atomicfile.Create(s, path, []byte(f.text))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return list, err
		}
		list = append(list, File{path, err != nil})
	}
	return list, writeForEditor(s, filepath.Join(folder, EditorFolder))
}

func writeForEditor(s atomicfile.System, folder string) error {
	if _, err := WriteTypes(s, filepath.Join(folder, "types")); err != nil {
		return err
	}
	text, err := schema.Read("config")
	if err != nil {
		return err
	}
	return atomicfile.Write(s, filepath.Join(folder, "config.schema.json"), text)
}

// stubs has the text of the files of annotations by name, which takes as long to make as many commands take.
var stubs = sync.OnceValue(manual.Stubs)

// WriteTypes writes the annotations of the Lua modules to a folder and returns the paths of the files.
func WriteTypes(s atomicfile.System, folder string) (files []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(stubs())) {
		path := filepath.Join(folder, name)
		if err := atomicfile.Write(s, path, []byte(stubs()[name])); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

// CreateScenario creates a scenario in the scenario folder of ./config.toml, by default the current folder, and returns
// its path. The scenario queries the workspace of a routine or, without a routine, solves a system of equations.
func CreateScenario(system atomicfile.System, name, about, routineName string) (path string, err error) {
	if path, err = scenarioPath(name); err != nil {
		return "", err
	}
	s := Scenario{About: aboutSolve}
	if routineName != "" {
		if s.Routine, s.Call, err = exampleCall(routineName); err != nil {
			return "", err
		}
		s.About = "the workspace of " + s.Routine
	}
	s.About = cmp.Or(about, s.About)
	err = atomicfile.Create(system, path, []byte(s.Text()))
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s already exists; choose another name, or remove it first", path)
	}
	return path, err
}

func scenarioPath(name string) (string, error) {
	file := filepath.FromSlash(strings.TrimSuffix(name, ".lua") + ".lua")
	if !filepath.IsLocal(file) || filepath.Base(file) == ".lua" {
		return "", fmt.Errorf("new %s: the name must be a path below the folder of scenarios, such as solve/mine", name)
	}
	cfg, err := config.Load(config.DefaultFile)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err != nil {
		return "", err
	}
	for _, s := range cfg.Scenarios {
		folder := cfg.Path(s.File())
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			if rest, ok := strings.CutPrefix(file, folder+string(filepath.Separator)); ok {
				file = rest // the name included the folder
			}
			return filepath.Join(folder, file), nil
		}
	}
	return file, nil
}

// Missing returns the lines to add to ./config.toml for a scenario; "" if it has them, or does not exist.
func Missing(path string) string {
	cfg, err := config.Load(config.DefaultFile)
	if err != nil {
		return ""
	}
	for _, s := range cfg.Scenarios {
		inside, err := filepath.Rel(cfg.Path(s.File()), path)
		isModule := func(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }
		parts := strings.Split(filepath.ToSlash(inside), "/")
		if err == nil && (inside == "." || !slices.ContainsFunc(parts, isModule)) {
			return ""
		}
	}
	return fmt.Sprintf("\n%s does not run it, until you add\n\n[[scenario]]\nscript = %q\n", config.DefaultFile,
		filepath.ToSlash(path))
}

// exampleCall finds a routine by its name and returns an example of a call.
func exampleCall(name string) (routineName, call string, err error) {
	var names []string
	for _, r := range routine.All() {
		if r.UniqueName() == name || r.CName() == name {
			return r.UniqueName(), manual.Example(r, "q"), nil
		}
		names = append(names, r.UniqueName())
	}
	if list := routine.Named(name); len(list) > 1 {
		return "", "", fmt.Errorf("--routine %s: write one of these names", routine.Ambiguous(name, list))
	}
	isFamily := func(f *routine.Family) bool { return f.Name == name }
	if slices.ContainsFunc(routine.Families(), isFamily) {
		return "", "", fmt.Errorf("--routine %[1]s is a family; name one of its routines, such as d%[1]s "+
			"(roclua docs %[1]s lists them)", name)
	}
	return "", "", fmt.Errorf("--routine %s: there is no such routine%s", name,
		nearest.DidYouMean(routine.ScriptName(name), names))
}
