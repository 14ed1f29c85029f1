package host

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip/nearest"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/schema"
	"roclua/host/starter"
	"roclua/luabind/manual"
)

// editorFolder contains generated files for editors: annotations, and the schema of the configuration.
const editorFolder = ".roclua"

func newInit(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Create a project: a configuration, a scenario, and files for the editor",
		Long: `Create a project in a folder, by default the current one: config.toml, a first scenario, and for the
editor .luarc.json, annotations of every function, and the schema of the configuration. Existing
files are kept, except for the annotations and the schema.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			return initialize(env, folder)
		},
	}
}

// initialize writes the files of a new project and reports each.
func initialize(env Env, folder string) error {
	first := starter.Scenario{About: "a system of linear equations: its workspace, and the residual of its solution"}
	for _, f := range []struct{ name, text string }{{config.DefaultFile,
		config.Starter("scripts", editorFolder+"/config.schema.json")},
		{filepath.Join("scripts", "first.lua"), first.Text()},
		{".luarc.json", starter.EditorSettings(editorFolder + "/types")}} {
		path := filepath.Join(folder, f.name)
		err := writeNew(path, f.text)
		switch {
		case errors.Is(err, fs.ErrExist):
			fmt.Fprintf(env.Stdout, "kept   %s\n", path)
		case err != nil:
			return err
		default:
			fmt.Fprintf(env.Stdout, "wrote  %s\n", path)
		}
	}
	if err := writeForEditor(filepath.Join(folder, editorFolder)); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "wrote  %s (annotations and schema for the editor)\n\nnext: %sroclua run\n",
		filepath.Join(folder, editorFolder), changeInto(folder))
	return nil
}

func changeInto(folder string) string {
	if folder == "." {
		return ""
	}
	return "cd " + folder + " && "
}

func writeForEditor(folder string) error {
	if _, err := manual.WriteStubs(filepath.Join(folder, "types")); err != nil {
		return err
	}
	text, err := schema.Read("config")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "config.schema.json"), text, 0o644)
}

// writeNew creates a file that must not exist, and the folders above it.
func writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func newNew(env Env) *cobra.Command {
	var about, name string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Create a scenario",
		Long: `Create a scenario in the folder of scenarios that ./config.toml names, or in this folder when it
names none:

  roclua new solve/mine                    a system of linear equations, queried, solved and checked
  roclua new query/mine --routine dgemm    the workspace of one routine`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := newScenarioFile(args[0])
			if err != nil {
				return err
			}
			s := starter.Scenario{About: about}
			if name != "" {
				if s.Routine, s.Call, err = exampleCall(name); err != nil {
					return err
				}
			}
			s.About = cmp.Or(s.About, "what "+strings.TrimSuffix(filepath.Base(path), ".lua")+" shows")
			err = writeNew(path, s.Text())
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s already exists; choose another name, or remove it first", path)
			}
			if err == nil {
				fmt.Fprintf(env.Stdout, "wrote  %s\n\nnext: roclua run %s\n", path, filepath.ToSlash(path))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&about, "about", "", "what the scenario is about, in one line")
	cmd.Flags().StringVar(&name, "routine", "", "routine whose workspace the scenario queries, such as dgetrf")
	return cmd
}

// newScenarioFile returns the path of a new scenario.
func newScenarioFile(name string) (string, error) {
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
		folder := cfg.Path(s.Script)
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			if rest, ok := strings.CutPrefix(file, folder+string(filepath.Separator)); ok {
				file = rest // the name included the folder
			}
			return filepath.Join(folder, file), nil
		}
	}
	return file, nil
}

// exampleCall finds a routine by its name and returns an example of a call.
func exampleCall(name string) (routineName, call string, err error) {
	var names []string
	for _, r := range routine.All() {
		if r.Name == name || r.CName() == name {
			return r.Name, manual.Example(r), nil
		}
		names = append(names, r.Name)
	}
	if f := slices.IndexFunc(routine.Families(), func(f *routine.Family) bool { return f.Name == name }); f >= 0 {
		return "", "", fmt.Errorf("--routine %[1]s is a family; name one of its routines, such as d%[1]s "+
			"(roclua docs %[1]s lists them)", name)
	}
	return "", "", fmt.Errorf("--routine %s: there is no such routine%s", name, nearest.DidYouMean(name, names))
}
