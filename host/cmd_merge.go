package host

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/merge"
	"roclua/host/run"
)

// newMerge returns the command that reports the shards of a run as one run.
func newMerge(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "merge FILE|FOLDER...",
		Short: "Report the shards of a run as one run",
		Long: `merge reads the event files of shards, which roclua run --shard K/N --out jsonl=FILE or --resume FILE
wrote, and the files *.jsonl in folders. It checks the expectations over all cases, compares with the
baselines, and writes the same outputs with the same exit code as one run of the whole plan. Flaky
cases fail it if a shard ran with --fail-on-flaky.

Cases that no shard has run are lost, and fail the run. A case that several attempts have run counts
once; when their results differ, it fails. Files of different plans, versions or scripts are refused.

  roclua merge events --out text --out json=results.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.merge(cmd, args, env) },
	}
	o.Slowest = run.SlowestOfLongRuns
	flags := cmd.Flags()
	o.out.add(cmd, "report")
	flags.StringVar(&o.color, "color", "auto", strings.Join(colorChoices, ", "))
	flags.BoolVar(&o.Verbose, "verbose", false, "show the logs of passed cases")
	o.addFailOnFlaky(flags)
	flags.BoolVar(&o.Update, "update", false, "write the measured values to the baselines")
	return cmd
}

func (o *runOptions) merge(cmd *cobra.Command, args []string, env Env) error {
	if len(args) == 0 {
		return errors.New("merge needs the event files of shards, or a folder of them")
	}
	s, err := newSession(o, cmd, env)
	if err != nil {
		return err
	}
	m, err := merge.Open(cmd.Context(), args, version())
	if err != nil {
		return err
	}
	defer m.Close()
	defer s.Store.Close()
	return s.Merge(cmd.Context(), m)
}
