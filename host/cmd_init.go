package host

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"roclua/host/starter"
	"roclua/internal/escape"
)

func newInit(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Create a project: a configuration, a scenario, and files for the editor",
		Long: `Create a project in a folder, by default the current one: config.toml, a first scenario, and for the
editor .luarc.json, annotations of every function, and the schema of the configuration. Existing
files are kept, except for the annotations and the schema.`,
		Args: atMostOne("folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			folder, change := ".", ""
			if len(args) == 1 && args[0] != "." {
				folder, change = args[0], "cd "+escape.Word(args[0])+" && "
			}
			files, err := starter.Create(env.files(), folder)
			for _, f := range files {
				verb := "wrote"
				if f.Kept {
					verb = "kept "
				}
				env.say("%s  %s\n", verb, f.Path)
			}
			if err == nil {
				err = env.say("wrote  %s (annotations and schema for the editor)\n\nnext: %sroclua run\n",
					filepath.Join(folder, starter.EditorFolder), change)
			}
			return err
		},
	}
}

func newNew(env Env) *cobra.Command {
	var about, routineName string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Create a scenario",
		Long: `Create a scenario in the folder of scenarios that ./config.toml names, or in this folder when it
names none:

  roclua new solve/mine                    a system of linear equations, queried, solved and checked
  roclua new query/mine --routine dgemm    the workspace of one routine`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("new needs the name of a scenario, such as solve/mine%s", seeHelp(cmd))
			}
			return atMostOne("name")(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := starter.CreateScenario(env.files(), args[0], about, routineName)
			if err == nil {
				err = env.say("wrote  %s\n\nnext: roclua run %s\n%s", path, escape.Word(filepath.ToSlash(path)),
					starter.Missing(path))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&about, "about", "", "description of the scenario, in one line")
	cmd.Flags().StringVar(&routineName, "routine", "", "routine whose workspace the scenario queries, such as dgetrf")
	return cmd
}
