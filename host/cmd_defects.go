package host

import (
	"fmt"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/run"
	"roclua/host/topics"
	"roclua/internal/atomicfile"
)

func newDefects(env Env) *cobra.Command {
	var profile, arch string
	var out outOptions
	cmd := &cobra.Command{
		Use:   "defects [ROUTINE]",
		Short: "List the known defects of the libraries",
		Long: `List the known defects of rocBLAS, rocSOLVER and HIP: wrong results, accesses out of bounds, workspaces
that are too small, crashes and the like, as their changelogs, their source and public threads report
them. ROUTINE is a routine (dgetri), a family (getri) or the id of a defect. roclua docs ID describes
one, with its sources and how it was checked.

roclua size, serve, log, plan and run name the defects that concern a call. A call without one is not
known to be safe, and the model computes right numbers: it does not imitate a defect.

  roclua defects --profile rocm-6.4
  roclua defects --profile rocm-7.2 --arch gfx1201 getrf`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return topics.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			outs, err := out.open(cmd, env, atomicfile.NewFiles(env.files()))
			if err != nil {
				return err
			}
			if arch != "" {
				if err := config.CheckArch(arch); err != nil {
					return fmt.Errorf("--arch: %w", err)
				}
				if text := config.UnknownArch(arch); text != "" {
					run.Warn(env.Stderr, []string{text})
				}
			}
			list, err := topics.DefectsIn(profile, arch, append(args, "")[0])
			if err != nil {
				return err
			}
			return env.write(outs, list)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "only those of a library release")
	cmd.Flags().StringVar(&arch, "arch", "", "only those on an architecture")
	out.add(cmd, "defects")
	out.addJSON(cmd.Flags())
	return cmd
}
