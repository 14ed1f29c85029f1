package host

import (
	"github.com/spf13/cobra"

	"roclua/host/worker"
)

// newWorker is the command with which the program starts itself to run scripts in another process.
func newWorker(Env) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run scripts for another process of roclua",
		Hidden: true,
		Args:   noArguments,
		RunE:   func(*cobra.Command, []string) error { return worker.Serve() },
	}
}
