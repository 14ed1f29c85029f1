package host

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip/arch"
	"roclua/host/config"
	"roclua/internal/atomicfile"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

func newTuning(env Env) *cobra.Command {
	cmd := &cobra.Command{Use: "tuning", Short: "Pack rocBLAS tuning files for another machine"}
	var archs, types []string
	var profile, out string
	pack := &cobra.Command{
		Use:   "pack PATH -o FILE",
		Short: "Write the tuning files of one or more architectures to one file",
		Long: `Write the tuning files in a folder .../rocblas/library, or those of an installed rocBLAS, to one file for
--tuning. It has only the data for the choice of kernels, for some architectures, and for some types of A
if there are --types.

  roclua tuning pack /opt/rocm/lib/rocblas/library --arch gfx90a --types bf16,f16 -o gfx90a.zip
  roclua tuning pack installed --arch gfx942 -o gfx942.zip`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			env.endAtOnce()
			if out == "" {
				return fmt.Errorf("pack needs -o FILE, such as -o %s.zip", archs[0])
			}
			path, err := config.TuningPath(args[0], profile)
			if err != nil {
				return err
			}
			files, err := tuning.Files(path)
			if err != nil {
				return err
			}
			return atomicfile.Replace(env.files(), out, func(w io.Writer) error {
				return tuning.Pack(w, files, archs, types)
			})
		},
	}
	flags := pack.Flags()
	flags.StringSliceVar(&archs, "arch", []string{arch.Default().Name}, "architectures, separated by commas")
	flags.StringSliceVar(&types, "types", nil,
		"types of A, separated by commas: "+strings.Join(tuning.PackTypes(), ", ")+" (default: all)")
	flags.StringVar(&profile, "profile", workspace.DefaultProfileOf(config.Simulated),
		"release of an installed rocBLAS")
	flags.StringVarP(&out, "output", "o", "", "the `FILE` that is written")
	cmd.AddCommand(pack)
	return cmd
}
