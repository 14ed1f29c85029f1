package host

import (
	"fmt"

	"github.com/spf13/cobra"

	"roclua/host/exit"
	"roclua/host/listing"
	"roclua/host/topics"
	"roclua/internal/atomicfile"
	"roclua/luabind/manual"
)

// listFunctions writes a row for each family of functions that one of the names or patterns matches.
func listFunctions(cmd *cobra.Command, env Env, patterns []string, o *outOptions) error {
	outs, err := o.parse(cmd)
	if err != nil {
		return err
	}
	if err := env.checkOutputs(atomicfile.NewFiles(env.files()), outs); err != nil {
		return err
	}
	for _, flag := range []string{"filter", "tags", "skip-tags"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s selects scenarios; --functions takes names of functions, such as '*getrf*'", flag)
		}
	}
	for _, p := range patterns {
		if !manual.HasFunctions(p) {
			return exit.With(exit.Nothing, fmt.Errorf("no function matches %q%s", p, topics.DidYouMean(p)))
		}
	}
	list := listing.Functions(manual.ListFunctions(topics.Program(), patterns...))
	return env.write(outs, list)
}
