package host

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/workspace"
)

func newVersion(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the platforms and the profiles",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(env.Stdout, "roclua %s\nplatforms  %s\n", version(), strings.Join(hip.Platforms(), ", "))
			for _, p := range workspace.Profiles() {
				fmt.Fprintf(env.Stdout, "%-10s rocBLAS %s, rocSOLVER %s: %s\n", p.Name, p.RocBLAS, p.RocSOLVER, p.About)
				if build, ok := p.Build(); ok {
					fmt.Fprintf(env.Stdout, "%-10s reproduces %s\n", "", build)
				}
			}
			return nil
		},
	}
}

// release is the version of a build from an archive of the source; the linker sets it (make release).
var release string

// version returns the release, else the version of the module in the build information, or the commit.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "(devel)"
}
