package host

import (
	"fmt"

	"github.com/spf13/cobra"

	"roclua/hip/arch"
	"roclua/host/config"
	"roclua/host/serve"
	"roclua/host/targets"
	"roclua/workspace"
)

func newServe(env Env) *cobra.Command {
	var s serve.Server
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Reply to requests of another program for sizes and plans, line by line",
		Long: fmt.Sprintf(`Read requests from standard input, one JSON object on each line, and write a reply
for each to standard output, in their order, until the input ends. A request has a list of calls, as in
roclua size, or as in roclua plan with its options; it can name a release and an architecture, and have an
id, a number or a string, that the reply repeats:

  {"id": 1, "size": ["dgetrf m=1024 n=1024"]}
  {"id": 2, "size": ["dgetrs n=64 nrhs=1", "hipsolverDnDgetrf_bufferSize m=64 n=64"], "profile": "rocm-6.4",
   "buffers": true}
  {"id": 3, "plan": ["dgetrf m=4096 n=4096"], "handles": 48, "streams": 2, "budget": 536870912}

A reply has "sizes", one for each call, "plan", or "error"; a call without a size has its own error, and the
other calls have their sizes, also if there is no plan. "request" is the number of the line. A line has at
most %d bytes, and
a request at most %d calls; many calls in a request are faster than many requests. roclua docs --schema request and
reply describe all fields. The folder python has a module that does this for programs in Python.`,
			serve.MostBytes, serve.MostCalls),
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			env.endAtOnce()
			s.Explain = explainFunction
			if _, err := targets.Of([]string{s.Profile}, []string{s.Arch}, s.Tuning); err != nil {
				return err
			}
			return s.Serve(env.Stdin, env.Stdout)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.Profile, "profile", workspace.DefaultProfileOf(config.Simulated),
		"library release of requests that name none")
	flags.StringVar(&s.Arch, "arch", arch.Default().Name, "architecture of requests that name none")
	addTuning(flags, &s.Tuning)
	return cmd
}
