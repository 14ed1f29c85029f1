package host

import (
	"io"

	"github.com/spf13/cobra"

	"roclua/host/run"
)

// newWorker is the command with which the program starts itself to run cases in another process.
func newWorker(env Env) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:    "worker",
		Short:  "Run cases for another process of roclua",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var output io.Writer
			if live {
				output = env.Stdout
			}
			return run.Serve(env.Stdin, env.Stderr, output)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "print the output of scripts while they run")
	return cmd
}
